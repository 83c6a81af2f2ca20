// A box that opens and closes by hand or, until someone touched it, by itself. Its body exists only once it was opened.
import { add, h } from "./dom";
import { icon } from "./icons";

export class FoldBox {
  readonly el: HTMLDetailsElement;
  readonly head: HTMLElement;
  readonly body = h("div", "body");
  private touched = false;

  constructor(classes: string, private readonly opened: () => void) {
    this.head = h("summary", "", { "data-lm-suppress-shortcuts": "true" });
    this.el = h("details", classes, {}, this.head);
    this.head.addEventListener("click", () => { this.touched = true; });
    this.el.addEventListener("toggle", () => {
      this.mount();
      this.opened();
    });
  }

  /** The sign that it opens, at the end of the head. */
  addChevron(): void {
    add(this.head, icon("chevron", "chevron"));
  }

  get isOpen(): boolean {
    return this.el.open;
  }

  /** Open or close, unless the reader decided otherwise. */
  suggest(open: boolean): void {
    if (this.touched || this.el.open === open) return;
    const focus = (this.el.getRootNode() as Document | ShadowRoot).activeElement;
    this.el.open = open;
    this.mount();
    if (!open && focus && focus !== this.head && this.el.contains(focus)) this.head.focus(); // it would go to the page
  }

  private mount(): void {
    if (this.el.open && !this.body.isConnected) this.el.append(this.body);
  }
}
