// A sub-agent as an indented group: its name, what it does, and its own transcript.
import { phaseOf, type Phase } from "../reducer/phase";
import type { Lane } from "../reducer/view";
import { add, fill, h, setData, setText } from "./dom";
import { FoldBox } from "./fold_box";
import { swapIcon } from "./icons";
import type { ItemList } from "./item_list";
import { nameOf, namesOf, pathNodes } from "./path";
import { PHASE_ICONS } from "./phase_icons";
import type { Context, View } from "./view";
import { visible } from "./visible";

export class LaneView implements View<Lane> {
  readonly el: HTMLElement;
  private readonly box: FoldBox;
  private readonly symbol = h("span", "symbol");
  private readonly title = h("span", "lane-name");
  private readonly word = h("span", "state");
  private readonly items: ItemList;
  private drawn = "";

  /** @param titled by the agent's name, where the call tells the rest, or by its whole path */
  constructor(redraw: () => void, list: () => ItemList, private readonly titled: "name" | "path") {
    this.box = new FoldBox("lane-fold", redraw);
    this.items = list();
    this.el = h("div", "item lane", { role: "group" }, this.box.el);
    add(this.box.head, this.symbol, this.title, this.word);
    this.box.addChevron();
    this.box.body.append(this.items.el);
  }

  update(lane: Lane, context: Context): void {
    this.drawTitle(lane);
    const phase = lanePhase(lane, context);
    setData(this.el, "phase", phase.kind);
    swapIcon(this.symbol, PHASE_ICONS[phase.kind], PHASE_ICONS[phase.kind] === "ring" ? "spin" : "");
    setText(this.word, phase.label);
    this.box.suggest(phase.kind !== "done");
    if (this.box.isOpen) this.items.update({ ...context, track: lane.track });
  }

  heads(replyId: string, callId: string): HTMLElement[] {
    const inner = this.items.heads(replyId, callId);
    return inner.length > 0 ? [this.box.head, ...inner] : [];
  }

  dispose(): void {
    this.items.dispose();
  }

  private drawTitle(lane: Lane): void {
    const state = `${lane.nth} ${lane.source}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const path = namesOf(lane.source, lane.nth);
    this.title.title = path.join(" › ");
    this.el.setAttribute("aria-label", `Sub-agent ${path.join(" › ")}`);
    const last = h("bdi", "name", {}, ...visible(nameOf(lane)));
    fill(this.title, ...(this.titled === "path" ? pathNodes(path.slice(0, -1)) : []), last);
  }
}

/** What a sub-agent is doing. One that the run left without an end does nothing any more. */
export function lanePhase({ track }: Lane, { store }: Pick<Context, "store">): Phase {
  const { status, pending } = store.state;
  const { msg, progress } = track;
  const ended = Boolean(msg && msg.finished_at !== null);
  if (status === "finished" && !ended) return { kind: "stopped", label: "Stopped" };
  const own = pending.filter((call) => track.ids.has(call.reply_id));
  return phaseOf({ msg, progress, status: ended ? "finished" : status, pending: own, connected: store.connected });
}

/** Whether a sub-agent still runs or waits. */
export function isActive({ track }: Lane, { store }: Pick<Context, "store">): boolean {
  return store.state.status !== "finished" && track.msg?.finished_at == null;
}

/** Whether a call of this sub-agent, or of one below it, waits for a decision. */
export function waitsForYou({ track, source }: Lane, { store }: Pick<Context, "store">): boolean {
  return store.state.pending.some((call) => track.ids.has(call.reply_id) || call.source?.startsWith(`${source}/`));
}
