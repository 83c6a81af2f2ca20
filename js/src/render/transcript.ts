// The list of items: keyed, windowed, and following its end only while the reader is there.
import { add, button, h, setText, show } from "./dom";
import { DataBlockView } from "./data_view";
import { clockWords, count } from "./format";
import { icon } from "./icons";
import { type Item, listItems } from "./items";
import { EndView, HintView, NotesView, UserView } from "./small_views";
import { GrowingMarkdown } from "./text_view";
import { ThinkingView } from "./thinking_view";
import { ToolView } from "./tool_view";
import { isOpen } from "../reducer/phase";
import type { Context } from "./view";

const WINDOW = 200;
const NEAR_END_PX = 24;

interface Entry {
  el: HTMLElement;
  update(item: Item, context: Context): void;
  dispose?(): void;
}

export class Transcript {
  readonly el = h("div", "log-box");
  private readonly log = h("div", "log", { role: "log", "aria-live": "off", "aria-label": "Transcript", tabindex: "0" });
  private readonly earlier: HTMLButtonElement;
  private readonly list = h("div", "items");
  private readonly waiting = h("p", "item wait", {}, icon("ring", "spin"), h("span", ""));
  private readonly pill: HTMLButtonElement;
  private readonly entries = new Map<string, Entry>();
  private size = WINDOW;
  private follows = true;
  private readonly resized: ResizeObserver;
  private height = 0;
  private top = 0;
  private modelSince: number | null = null;

  constructor(private readonly redraw: () => void) {
    this.earlier = button("link earlier", [""], () => { this.size += WINDOW; redraw(); });
    this.pill = button("pill", [icon("down"), "New"], () => { this.follows = true; redraw(); }, "Go to the newest");
    this.log.append(this.earlier, this.list, this.waiting);
    add(this.el, this.log, this.pill);
    this.log.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Pictures and opened cards change the height between two redraws.
    this.resized = new ResizeObserver(() => this.follow());
    this.resized.observe(this.list);
    show(this.pill, false);
  }

  update(context: Context): void {
    const { state } = context.store;
    const items = listItems(state.progress.inputs, state.msgs, state.progress.notes);
    const shown = items.slice(-this.size);
    show(this.earlier, items.length > shown.length);
    setText(this.earlier, `Load earlier (${count(items.length - shown.length)} more)`);
    this.reconcile(shown, context);
    this.drawWaiting(context);
    this.follow();
  }

  /** Element of a call's card, to give it the focus. */
  toolCard(replyId: string, callId: string): HTMLElement | null {
    for (const [key, entry] of this.entries) {
      if (key.startsWith(`${replyId}/`) && key.endsWith(`/tool_call/${callId}`)) return entry.el.querySelector("summary");
    }
    return null;
  }

  dispose(): void {
    this.resized.disconnect();
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

  /** From the start of a model call to its first content there is nothing else to see. */
  private drawWaiting({ store, now }: Context): void {
    const { msgs, progress, status } = store.state;
    const begun = progress.first_content_at !== null || (msgs.at(-1)?.content.some(isOpen) ?? false);
    const silent = progress.model_open && !begun && status === "running" && store.connected;
    show(this.waiting, silent);
    this.modelSince = silent ? (this.modelSince ?? now) : null;
    if (this.modelSince === null) return;
    setText(this.waiting.lastElementChild!, `Waiting for ${progress.model ?? "the model"} · ${clockWords((now - this.modelSince) / 1000)}`);
  }

  /** Only a reader who goes up leaves the end; content that grows does not. */
  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.log;
    if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) this.follows = true;
    else if (scrollTop < this.top - 1) this.follows = false;
    this.top = scrollTop;
    if (this.follows) show(this.pill, false);
  }

  private follow(): void {
    const height = this.log.scrollHeight;
    if (this.follows) {
      this.log.scrollTop = height;
      this.top = this.log.scrollTop;
      show(this.pill, false);
    } else if (height > this.height + 1) show(this.pill, true);
    this.height = height;
  }
}

function makeEntry(item: Item, redraw: () => void): Entry {
  if (item.kind === "user") return bind(new UserView(), (view, now, context) => now.kind === "user" && view.update(now.msg, context));
  if (item.kind === "tool") return bind(new ToolView(redraw), (view, now, context) => now.kind === "tool" && view.update(now.tool, context));
  if (item.kind === "end") return bind(new EndView(), (view, now) => now.kind === "end" && view.update(now.msg));
  if (item.kind === "notes") return bind(new NotesView(), (view, now) => now.kind === "notes" && view.update(now.notes));
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

function bind<V extends { el: HTMLElement; dispose?(): void }>(
  view: V, update: (view: V, item: Item, context: Context) => unknown,
): Entry {
  return { el: view.el, update: (item, context) => void update(view, item, context), dispose: () => view.dispose?.() };
}
