// Markdown that is only ever appended to: settled paragraphs are final. Never HTML from the text, never an image load.
import * as smd from "streaming-markdown";
import { button, h } from "./dom";
import { highlight } from "./highlight";
import { icon } from "./icons";
import { hostNote, pointTo } from "./links";

const TAGS: Partial<Record<number, keyof HTMLElementTagNameMap>> = {
  [smd.PARAGRAPH]: "p", [smd.HEADING_1]: "h3", [smd.HEADING_2]: "h4", [smd.HEADING_3]: "h5", [smd.HEADING_4]: "h6",
  [smd.HEADING_5]: "h6", [smd.HEADING_6]: "h6", [smd.CODE_INLINE]: "code", [smd.ITALIC_AST]: "em", [smd.ITALIC_UND]: "em",
  [smd.STRONG_AST]: "strong", [smd.STRONG_UND]: "strong", [smd.STRIKE]: "s", [smd.LINK]: "a", [smd.RAW_URL]: "a",
  [smd.IMAGE]: "a", [smd.BLOCKQUOTE]: "blockquote", [smd.LINE_BREAK]: "br", [smd.RULE]: "hr", [smd.LIST_UNORDERED]: "ul",
  [smd.LIST_ORDERED]: "ol", [smd.LIST_ITEM]: "li", [smd.CHECKBOX]: "input", [smd.TABLE]: "table",
};
const MATH: Partial<Record<number, string>> = { [smd.EQUATION_BLOCK]: "$$", [smd.EQUATION_INLINE]: "$" };

/** Where the parser is: open elements, and what closes with each. */
interface Place {
  stack: { element: Element; close: () => void }[];
}

const nothing = () => undefined;
const top = (place: Place): Element => place.stack[place.stack.length - 1]!.element;

function open(place: Place, parent: Element, element: Element, close: () => void = nothing): void {
  parent.appendChild(element);
  place.stack.push({ element, close });
}

/** Deeper quotes and lists stay where they are: ten thousand nested elements would bring the page down. */
const MAX_DEPTH = 40;

function addToken(place: Place, type: smd.Token): void {
  const parent = top(place);
  if (type === smd.DOCUMENT) return;
  if (place.stack.length > MAX_DEPTH) return void place.stack.push({ element: parent, close: nothing });
  if (type === smd.CODE_BLOCK || type === smd.CODE_FENCE) openCode(place, parent);
  else if (type === smd.TABLE) openTable(place, parent);
  else if (type === smd.TABLE_ROW) open(place, rowParent(parent), h("tr", ""));
  else if (type === smd.TABLE_CELL) open(place, parent, h(parent.parentElement?.localName === "thead" ? "th" : "td", ""));
  else if (MATH[type]) openMath(place, parent, MATH[type]);
  else openPlain(place, parent, type);
}

function openPlain(place: Place, parent: Element, type: smd.Token): void {
  const element = h(TAGS[type] ?? "span", "");
  if (element instanceof HTMLInputElement) {
    element.type = "checkbox";
    element.disabled = true;
  }
  if (type === smd.IMAGE) {
    element.className = "nbas-remote";
    element.appendChild(icon("image"));
  }
  open(place, parent, element, element instanceof HTMLAnchorElement ? () => noteHost(element) : nothing);
}

function noteHost(anchor: HTMLAnchorElement): void {
  const note = hostNote(anchor);
  if (note) anchor.after(note);
}

function openCode(place: Place, parent: Element): void {
  const code = h("code", "");
  const language = h("span", "code-lang");
  const copy = button("copy", [icon("copy"), "Copy"], () => {
    void copyText(code.textContent ?? "").then((done) => {
      copy.lastChild!.textContent = done ? "Copied" : "Copy failed";
      setTimeout(() => { copy.lastChild!.textContent = "Copy"; }, 1500);
    });
  }, "Copy code");
  const box = h("div", "code", {}, h("div", "code-bar", {}, language, copy), h("pre", "", { tabindex: "0" }, code));
  parent.appendChild(box);
  place.stack.push({ element: code, close: () => highlight(code, language.textContent ?? "") });
}

function openTable(place: Place, parent: Element): void {
  const table = h("table", "");
  parent.appendChild(h("div", "table", { tabindex: "0" }, table));
  place.stack.push({ element: table, close: nothing });
}

function rowParent(table: Element): Element {
  if (table.childElementCount === 0) return table.appendChild(h("thead", ""));
  return table.childElementCount === 1 ? table.appendChild(h("tbody", "")) : table.lastElementChild!;
}

/** Formulas are left as text, with their marks. */
function openMath(place: Place, parent: Element, mark: string): void {
  const element = h("span", "math", {}, mark);
  open(place, parent, element, () => element.append(mark));
}

function setAttr(place: Place, type: smd.Attr, value: string): void {
  const element = top(place);
  if (element instanceof HTMLAnchorElement && (type === smd.HREF || type === smd.SRC)) pointTo(element, value);
  else if (type === smd.LANG && element.localName === "code") languageOf(element).textContent = value.slice(0, 40);
  else if (type === smd.START && element instanceof HTMLOListElement) element.start = Number.parseInt(value, 10) || 1;
  else if (type === smd.CHECKED && element instanceof HTMLInputElement) element.checked = true;
}

function languageOf(code: Element): Element {
  return code.parentElement!.previousElementSibling!.firstElementChild!;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the host forbids it; the button says so
  }
}

const SLICE = 256;
const MAX_PENDING = 1000;
/** What the parser holds back is shown at once if nothing that follows can make markup of it. */
const PLAIN = /^[\p{L}\p{N}\s.,;:?'"()]*$/u;

/** One text under `root`. */
export class Markdown {
  private place!: Place;
  private parser: smd.Parser;
  private written = 0;
  private readonly tail = document.createTextNode("");

  constructor(private readonly root: Element) {
    this.parser = this.begin();
  }

  private begin(): smd.Parser {
    this.place = { stack: [{ element: this.root, close: nothing }] };
    return smd.parser({
      data: this.place,
      add_token: addToken,
      end_token: (place: Place) => place.stack.pop()?.close(),
      add_text: (place: Place, text: string) => top(place).append(text),
      set_attr: setAttr,
    });
  }

  /** Append; the result does not depend on how the text was cut. */
  write(text: string): void {
    this.tail.remove();
    for (let from = 0; from < text.length; ) {
      const to = Math.min(text.length, from + SLICE - (this.written % SLICE));
      smd.parser_write(this.parser, text.slice(from, to));
      this.written += to - from;
      from = to;
      if (this.written % SLICE === 0) this.checkPending();
    }
    this.tail.data = PLAIN.test(this.parser.pending) ? this.parser.pending : "";
    if (this.tail.data) top(this.place).append(this.tail);
  }

  /** A mark that never ends is read again with every character: after a while it is shown as it stands. */
  private checkPending(): void {
    if (this.parser.pending.length <= MAX_PENDING) return;
    this.end();
    this.parser = this.begin();
  }

  /** Show what was held back because more might have changed its meaning. */
  end(): void {
    this.tail.remove();
    const { pending } = this.parser;
    const element = top(this.place);
    if (element instanceof HTMLAnchorElement && pending.startsWith("](")) element.after(pending); // a link that never ended
    else smd.parser_end(this.parser);
  }
}
