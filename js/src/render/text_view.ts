// A growing text as markdown: what is shown stays, what is new is appended.
import { growingOf } from "../reducer/growing";
import { button, h, setText, show } from "./dom";
import { plural } from "./format";
import { Markdown } from "./markdown";

const CAP = 20_000;

/** Feeds one growing string into markdown; starts again only if the string was replaced by another one. */
export class GrowingMarkdown {
  readonly el = h("div", "md");
  private readonly body = h("div", "md-body");
  private readonly more: HTMLButtonElement;
  private markdown = new Markdown(this.body);
  private source: object | null = null;
  private replaced = 0;
  private shown = 0;
  private ended = false;
  private cap = CAP;

  constructor(redraw: () => void) {
    this.more = button("link more", [""], () => {
      this.cap = Number.POSITIVE_INFINITY;
      redraw();
    });
    this.more.hidden = true;
    this.el.append(this.body, this.more);
  }

  update(block: object, finished: boolean): void {
    const text = growingOf(block);
    if (block !== this.source || text.replaced !== this.replaced) this.adopt(block);
    const limit = Math.min(text.length, this.cap);
    if (this.ended && (limit > this.shown || !finished)) this.restart();
    if (limit > this.shown) {
      this.markdown.write(text.since(this.shown).slice(0, limit - this.shown));
      this.shown = limit;
    }
    if (finished && !this.ended) {
      this.markdown.end();
      this.ended = true;
    }
    show(this.more, text.length > limit);
    if (text.length > limit) setText(this.more, `Show the other ${plural(text.length - limit, "character")}`);
  }

  /** Another object with the same text so far (a snapshot) goes on where we are. */
  private adopt(block: object): void {
    const text = growingOf(block);
    const before = this.source && growingOf(this.source).read().slice(0, this.shown);
    const same = before !== null && text.length >= this.shown && text.replaced === 0 && text.read().startsWith(before);
    if (!same || this.replaced !== 0) this.restart();
    this.source = block;
    this.replaced = text.replaced;
  }

  private restart(): void {
    this.body.replaceChildren();
    this.markdown = new Markdown(this.body);
    this.shown = 0;
    this.ended = false;
  }
}
