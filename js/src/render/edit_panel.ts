// Other arguments for a call, as raw JSON. The kernel checks them against the tool's schema and may refuse.
import type { Pending } from "../protocol";
import { changesOf, type Change, differing, problemOf } from "./changes";
import { add, fill, h, setText, show, textarea } from "./dom";
import { icon } from "./icons";
import { pretty, readWholeJson } from "./json";
import { hiddenIn, visible } from "./visible";

const MAX_ROWS = 14;
let counter = 0;

export class EditPanel {
  readonly el = h("div", "ask-panel");
  readonly field: HTMLTextAreaElement;
  private readonly problem = h("p", "ask-reason", { "aria-live": "polite" });
  private readonly hidden = h("p", "ask-warn");
  private readonly diff = h("div", "diff", { role: "group", "aria-label": "What differs" });
  private changes: Change[] = [];
  private wrong: string | null = null;

  /**
   * @param changed what is written may be run, or may not be run any more
   * @param leave Esc was pressed in the field
   */
  constructor(private readonly call: Pending, changed: () => void, leave: () => void) {
    const text = editable(call.input);
    const rows = Math.min(MAX_ROWS, Math.max(3, text.split("\n").length));
    this.field = textarea("result-field edit-field", `Arguments of ${call.name}, as JSON`, rows, "{}");
    this.field.value = text;
    this.field.spellcheck = false;
    this.field.setAttribute("autocapitalize", "off");
    this.problem.id = `nbas-problem-${(counter += 1)}`;
    this.field.setAttribute("aria-describedby", this.problem.id);
    this.field.addEventListener("input", () => { this.read(); changed(); });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      leave();
    });
    add(this.el, h("p", "", {}, "Run it with these arguments, as JSON:"), this.field, this.problem, this.hidden, this.diff);
    this.read();
  }

  get text(): string {
    return this.field.value;
  }

  /** Why this JSON cannot be run, where the field does not say it. */
  get blocked(): string {
    if (this.wrong !== null) return "";
    return this.changes.length === 0 ? "Nothing is changed yet" : "";
  }

  get runnable(): boolean {
    return this.wrong === null && this.changes.length > 0;
  }

  /** @param refused what the kernel said to this very text; "" if nothing */
  draw(frozen: boolean, refused: string): void {
    const words = this.wrong ?? refused;
    this.field.readOnly = frozen;
    setText(this.problem, words);
    show(this.problem, words !== "");
    this.field.setAttribute("aria-invalid", String(words !== ""));
  }

  private read(): void {
    this.wrong = problemOf(this.text);
    if (this.wrong === null) this.changes = changesOf(this.call.input, this.text);
    show(this.diff, this.wrong === null && this.changes.length > 0);
    if (!this.diff.hidden) fill(this.diff, h("p", "dim", {}, "The model asked → you will run"), ...this.changes.map(changeLine));
    const codes = hiddenIn(this.text);
    show(this.hidden, codes.length > 0);
    fill(this.hidden, icon("warn"), `Characters that do not show, or change the order of others: ${codes.slice(0, 12).join(" ")}`);
  }
}

/** What stands in the field at first: spread over lines if it is JSON, hidden characters as escapes. */
function editable(input: string): string {
  const json = readWholeJson(input.trim() === "" ? "{}" : input);
  return json ? pretty(json) : input;
}

function changeLine({ key, before, after }: Change): HTMLElement {
  const [old, now] = before !== null && after !== null ? differing(before, after) : differing(before ?? "", after ?? "");
  return h("p", "change", {},
    key !== null && h("bdi", "change-key", {}, ...visible(key)), " ",
    before === null ? h("span", "dim", {}, "not there") : h("del", "", {}, ...visible(old)), " → ",
    after === null ? h("span", "dim", {}, "left out") : h("ins", "", {}, ...visible(now)));
}
