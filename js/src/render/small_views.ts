// The small parts of a transcript: what was asked, hints, how a reply ended, notes.
import type { DataBlock, HintBlock, Msg, TextBlock } from "../protocol";
import { DataBlockView } from "./data_view";
import { add, fill, h } from "./dom";
import { icon } from "./icons";
import { Markdown } from "./markdown";
import type { Context, View } from "./view";
import { visible } from "./visible";

/** What the agent was asked; shown as it was typed. */
export class UserView implements View<Msg> {
  readonly el = h("div", "item user");
  private drawn = false;
  private parts: { view: DataBlockView; index: number }[] = [];

  update(msg: Msg, context: Context): void {
    if (!this.drawn) this.draw(msg);
    for (const { view, index } of this.parts) {
      const block = msg.content[index];
      if (block?.type === "data") view.update(block, context);
    }
  }

  private draw(msg: Msg): void {
    this.drawn = true;
    add(this.el, h("span", "who", {}, ...visible(msg.role === "user" ? "You" : msg.name)));
    for (const [index, block] of msg.content.entries()) {
      if (block.type === "text") add(this.el, h("div", "said", {}, block.text));
      if (block.type === "data") {
        const view = new DataBlockView({ reply_id: msg.id, block_id: block.id, tool_call_id: null });
        this.parts.push({ view, index });
        add(this.el, view.el);
      }
    }
  }
}

/** Something the agent was told beside the user's messages. */
export class HintView implements View<HintBlock> {
  readonly el = h("details", "item hint");
  private drawn = false;

  private readonly parts: [DataBlockView, DataBlock][] = [];

  constructor(private readonly replyId: string) {}

  update(block: HintBlock, context: Context): void {
    if (!this.drawn) this.draw(block);
    for (const [view, part] of this.parts) view.update(part, context);
  }

  private draw(block: HintBlock): void {
    this.drawn = true;
    const { label, sublabel } = sourceOf(block.source);
    const name = h("bdi", "name", {}, ...visible(label));
    const head = h("summary", "", { "data-lm-suppress-shortcuts": "true" }, icon("info"), h("span", "", {}, "Hint from ", name));
    if (sublabel) add(head, " ", h("bdi", "dim", {}, ...visible(sublabel)));
    add(head, icon("chevron", "chevron"));
    const hint = typeof block.hint === "string" ? [block.hint] : block.hint;
    add(this.el, head, h("div", "body", {}, ...hint.map((part) => (typeof part === "string" ? this.text(part) : this.part(part)))));
  }

  private part(part: TextBlock | DataBlock): HTMLElement {
    if (part.type === "text") return this.text(part.text);
    const view = new DataBlockView({ reply_id: this.replyId, block_id: part.id, tool_call_id: null });
    this.parts.push([view, part]);
    return view.el;
  }

  private text(text: string): HTMLElement {
    const body = h("div", "md-body");
    const markdown = new Markdown(body);
    markdown.write(text);
    markdown.end();
    return h("div", "md", {}, body);
  }

  dispose(): void {
    for (const [view] of this.parts) view.dispose();
  }
}

/** The source is a plain name, or JSON text with a label and a sublabel. */
function sourceOf(source: string | null): { label: string; sublabel: string } {
  const plain = { label: source ?? "the system", sublabel: "" };
  if (!source?.startsWith("{")) return plain;
  try {
    const { label, sublabel } = JSON.parse(source) as Record<string, unknown>;
    return typeof label === "string" ? { label, sublabel: typeof sublabel === "string" ? sublabel : "" } : plain;
  } catch {
    return plain; // a name that happens to begin with a brace
  }
}

export const ERRORS: Record<string, [string, string]> = {
  authentication: ["The model refused the credentials", "Check the API key."],
  permission: ["Not permitted", "Check what the key or the account may use."],
  rate_limit: ["Too many requests", "Wait a little, then run the cell again."],
  invalid_request: ["The model did not accept the request", "Check the messages and the settings of the model."],
  upstream: ["The model's service failed", "Run the cell again; if it stays, look at the provider's status page."],
  connection: ["No connection to the model", "Check the network and the address, then run the cell again."],
  internal: ["Something failed inside the agent", ""],
  setup: ["The agent is not set up rightly", ""],
  unknown: ["The reply failed", ""],
};
const EMPTY: Record<string, string> = {
  completed: "completed", interrupted: "interrupted", exceed_max_iters: "round limit reached", error: "error",
};

/** How a reply ended, where its blocks do not say it. */
export class EndView implements View<Msg> {
  readonly el = h("div", "item end");
  private drawn = "";

  update(msg: Msg): void {
    const state = JSON.stringify([msg.error, msg.finished_reason]);
    if (state === this.drawn) return;
    this.drawn = state;
    if (msg.error) this.error(msg.error.type, msg.error.message);
    else fill(this.el, h("p", "empty", {}, `(empty reply · ${EMPTY[msg.finished_reason ?? ""] ?? "ended"})`));
  }

  private error(type: string, message: string): void {
    const [title, advice] = ERRORS[type] ?? ERRORS.unknown!;
    const text = h("div", "", {}, h("p", "error-title", {}, title), h("p", "error-text", {}, ...visible(message)));
    if (advice) add(text, h("p", "dim", {}, advice));
    fill(this.el, h("div", "error", { role: "group", "aria-label": title }, icon("warn"), text));
  }
}

/** What the package remarked on the run, a line each. */
export class NotesView implements View<readonly string[]> {
  readonly el = h("div", "item notes", { role: "note", "aria-label": "Notes" });
  private drawn: readonly string[] = [];

  update(notes: readonly string[]): void {
    if (notes === this.drawn) return;
    this.drawn = notes;
    fill(this.el, ...notes.map((text) => h("p", "dim", {}, icon("info"), h("span", "", {}, ...visible(text)))));
  }
}
