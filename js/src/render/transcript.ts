// The scrolling box with all items, which follows its end only while the reader is there.
import { add, button, h, setText, show } from "./dom";
import { clockWords } from "./format";
import { icon } from "./icons";
import { ItemList } from "./item_list";
import { isOpen } from "../reducer/phase";
import type { Context } from "./view";

const NEAR_END_PX = 24;

export class Transcript {
  readonly el = h("div", "log-box");
  private readonly log = h("div", "log", { role: "log", "aria-live": "off", "aria-label": "Transcript", tabindex: "0" });
  private readonly items: ItemList;
  private readonly waiting = h("p", "item wait", {}, icon("ring", "spin"), h("span", ""));
  private readonly pill: HTMLButtonElement;
  private follows = true;
  private readonly resized: ResizeObserver;
  private height = 0;
  private top = 0;
  private modelSince: number | null = null;

  constructor(redraw: () => void) {
    this.items = new ItemList(redraw);
    this.pill = button("pill", [icon("down"), "New"], () => { this.follows = true; redraw(); }, "Go to the newest");
    this.log.append(this.items.el, this.waiting);
    add(this.el, this.log, this.pill);
    this.log.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Pictures and opened cards change the height between two redraws.
    this.resized = new ResizeObserver(() => this.follow());
    this.resized.observe(this.items.list);
    show(this.pill, false);
  }

  update(context: Context): void {
    this.items.update(context, context.placement.loose);
    this.drawWaiting(context);
    this.follow();
  }

  /** What shows a call and can take the focus: the head of its card, or the innermost open head around it. */
  headOf(replyId: string, callId: string): HTMLElement | null {
    const heads = this.items.heads(replyId, callId);
    const closed = heads.findIndex((head) => !(head.parentElement as HTMLDetailsElement).open);
    return (closed < 0 ? heads.at(-1) : heads[closed]) ?? null;
  }

  dispose(): void {
    this.resized.disconnect();
    this.items.dispose();
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
