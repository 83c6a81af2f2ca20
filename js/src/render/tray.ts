// All that waits for a person, above the transcript so that it is never scrolled away.
import type { Pending } from "../protocol";
import { callKey } from "../store";
import { AskCard } from "./ask_card";
import { h, show } from "./dom";
import { whenSeen } from "./seen";
import type { Context } from "./view";

export class Tray {
  readonly el = h("div", "tray");
  private readonly cards = new Map<string, { card: AskCard; call: Pending; endWatch: () => void }>();

  /** @param after where the focus goes when the last card that had it is gone */
  constructor(private readonly after: (call: Pending) => HTMLElement | null) {}

  update(context: Context): void {
    const { pending, status } = context.store.state;
    const calls = new Map(status === "finished" ? [] : pending.map((call) => [callKey(call), call]));
    const left = this.removeOthers(calls);
    for (const [key, call] of calls) {
      let entry = this.cards.get(key);
      if (!entry) {
        const card = new AskCard(call);
        entry = { card, call, endWatch: whenSeen(card.head, () => context.store.shown(call)) };
        this.cards.set(key, entry);
        this.el.append(card.el);
      }
      entry.card.update(call, context);
    }
    show(this.el, calls.size > 0);
    if (left) this.giveFocus(left);
  }

  /** Take away decided cards; the call whose card had the focus, if one had. */
  private removeOthers(calls: Map<string, Pending>): Pending | null {
    const active = (this.el.getRootNode() as Document | ShadowRoot).activeElement;
    let focused: Pending | null = null;
    for (const [key, { card, call, endWatch }] of this.cards) {
      if (calls.has(key)) continue;
      endWatch();
      if (active && card.el.contains(active)) focused = call;
      card.el.remove();
      this.cards.delete(key);
    }
    return focused;
  }

  dispose(): void {
    for (const { endWatch } of this.cards.values()) endWatch();
  }

  private giveFocus(call: Pending): void {
    const next = this.cards.values().next().value;
    (next?.card.el ?? this.after(call))?.focus();
  }
}
