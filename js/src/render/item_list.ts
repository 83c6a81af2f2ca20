// One agent's items: keyed, and windowed. The same for the agent itself and, inside a group, for each of its sub-agents.
import { DataBlockView } from "./data_view";
import { add, button, h, setText, show } from "./dom";
import { count } from "./format";
import { type Item, listItems } from "./items";
import { LaneView } from "./lane_view";
import { EndView, HintView, NotesView, UserView } from "./small_views";
import { GrowingMarkdown } from "./text_view";
import { ThinkingView } from "./thinking_view";
import { ToolView } from "./tool_view";
import type { Context } from "./view";

const WINDOW = 200;

interface Entry {
  el: HTMLElement;
  update(item: Item, context: Context): void;
  dispose?(): void;
  /** The heads of cards, outermost first, on the way to the card of a call. */
  heads?(replyId: string, callId: string): HTMLElement[];
}

export class ItemList {
  readonly el = h("div", "items-box");
  readonly list = h("div", "items");
  private readonly earlier: HTMLButtonElement;
  private readonly entries = new Map<string, Entry>();
  private size = WINDOW;

  constructor(private readonly redraw: () => void) {
    this.earlier = button("link earlier", [""], () => { this.size += WINDOW; redraw(); });
    add(this.el, this.earlier, this.list);
  }

  /** @param loose sub-agents that stand at the end */
  update(context: Context, loose: Context["placement"]["loose"] = []): void {
    const { progress, msgs } = context.track;
    const items = listItems(progress.inputs, msgs, progress.notes, loose);
    const shown = items.slice(-this.size);
    show(this.earlier, items.length > shown.length);
    setText(this.earlier, `Load earlier (${count(items.length - shown.length)} more)`);
    this.reconcile(shown, context);
  }

  heads(replyId: string, callId: string): HTMLElement[] {
    for (const entry of this.entries.values()) {
      const found = entry.heads?.(replyId, callId) ?? [];
      if (found.length > 0) return found;
    }
    return [];
  }

  dispose(): void {
    for (const entry of this.entries.values()) entry.dispose?.();
    this.entries.clear();
  }

  private reconcile(items: readonly Item[], context: Context): void {
    const keys = new Set(items.map((item) => item.key));
    for (const [key, entry] of this.entries) {
      if (keys.has(key)) continue;
      entry.dispose?.();
      entry.el.remove();
      this.entries.delete(key);
    }
    let place = this.list.firstElementChild;
    for (const item of items) {
      let entry = this.entries.get(item.key);
      if (!entry) this.entries.set(item.key, (entry = makeEntry(item, this.redraw)));
      if (entry.el !== place) this.list.insertBefore(entry.el, place);
      else place = place.nextElementSibling;
      entry.update(item, context);
    }
  }
}

function makeEntry(item: Item, redraw: () => void): Entry {
  if (item.kind === "user") return bind(new UserView(), (view, now, context) => now.kind === "user" && view.update(now.msg, context));
  if (item.kind === "tool") return bind(new ToolView(redraw, () => new ItemList(redraw)), (view, now, context) => now.kind === "tool" && view.update(now.tool, context));
  if (item.kind === "end") return bind(new EndView(), (view, now) => now.kind === "end" && view.update(now.msg));
  if (item.kind === "notes") return bind(new NotesView(), (view, now) => now.kind === "notes" && view.update(now.notes));
  if (item.kind === "lane") {
    return bind(new LaneView(redraw, () => new ItemList(redraw), "path"), (view, now, context) => now.kind === "lane" && view.update(now.lane, context));
  }
  return blockEntry(item, redraw);
}

function blockEntry(first: Item & { kind: "block" }, redraw: () => void): Entry {
  switch (first.block.type) {
    case "text": {
      const view = new GrowingMarkdown(redraw);
      view.el.classList.add("nbas-item");
      return bind(view, (v, item) => item.kind === "block" && v.update(item.block, finished(item.block)));
    }
    case "thinking":
      return bind(new ThinkingView(redraw), (v, item, context) => {
        if (item.kind === "block" && item.block.type === "thinking") v.update(item.block, context);
      });
    case "hint":
      return bind(new HintView(first.replyId), (v, item, context) => {
        if (item.kind === "block" && item.block.type === "hint") v.update(item.block, context);
      });
    default:
      return bind(new DataBlockView({ reply_id: first.replyId, block_id: first.block.id, tool_call_id: null }), (v, item, context) => {
        if (item.kind === "block" && item.block.type === "data") v.update(item.block, context);
      });
  }
}

function finished(block: { finished_at: string | null }): boolean {
  return block.finished_at !== null;
}

type Bound = Pick<Entry, "el" | "dispose" | "heads">;

function bind<V extends Bound>(view: V, update: (view: V, item: Item, context: Context) => unknown): Entry {
  return {
    el: view.el, update: (item, context) => void update(view, item, context), dispose: () => view.dispose?.(),
    heads: (replyId, callId) => view.heads?.(replyId, callId) ?? [],
  };
}
