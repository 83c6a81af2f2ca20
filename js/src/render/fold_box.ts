// A box that opens and closes by hand or, until someone touched it, by itself. Its body exists only once it was opened.
import { h } from "./dom";

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

  get isOpen(): boolean {
    return this.el.open;
  }

  /** Open or close, unless the reader decided otherwise. */
  suggest(open: boolean): void {
    if (this.touched || this.el.open === open) return;
    this.el.open = open;
    this.mount();
  }

  private mount(): void {
    if (this.el.open && !this.body.isConnected) this.el.append(this.body);
  }
}
