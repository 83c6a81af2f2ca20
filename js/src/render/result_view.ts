// The output of a tool: text cut to what can be read, data as pictures or chips.
import type { DataBlock, TextBlock, ToolResultBlock } from "../protocol";
import { growingOf } from "../reducer/growing";
import { DataBlockView } from "./data_view";
import { button, h, setText, show } from "./dom";
import { count } from "./format";
import { visible, withoutAnsi } from "./visible";
import { fill } from "./dom";
import type { Context, View } from "./view";

const LINES = 20;
const TAIL_CHARS = 8000;
const HEAD_CHARS = 8000;

/** One text of an output: its end while it grows, its beginning once it is complete. */
class OutputText {
  readonly el = h("div", "output");
  private readonly pre = h("pre", "", { tabindex: "0" });
  private readonly more: HTMLButtonElement;
  private all = false;
  private shown = "";

  constructor(redraw: () => void) {
    this.more = button("link more", [""], () => { this.all = true; redraw(); });
    this.more.hidden = true;
    this.el.append(this.pre, this.more);
  }

  update(length: number, read: () => string, tail: (chars: number) => string, running: boolean): void {
    const state = `${length} ${running} ${this.all}`;
    if (state === this.shown) return;
    this.shown = state;
    if (running) return this.tail(tail(TAIL_CHARS), length);
    const text = withoutAnsi(read()).replace(/\n$/, "");
    const lines = text.split("\n");
    const head = this.all ? text : lines.slice(0, LINES).join("\n").slice(0, HEAD_CHARS);
    fill(this.pre, ...visible(head));
    show(this.more, head.length < text.length);
    setText(this.more, lines.length > LINES ? `Show all (${count(lines.length)} lines)` : `Show all (${count(text.length)} characters)`);
  }

  private tail(end: string, length: number): void {
    const lines = withoutAnsi(end).split("\n").slice(-LINES);
    const text = lines.join("\n");
    fill(this.pre, text.length < length ? "…\n" : "", ...visible(text));
    this.pre.scrollTop = this.pre.scrollHeight;
  }
}

export class ResultView implements View<ToolResultBlock> {
  readonly el = h("div", "result");
  private readonly parts: (OutputText | DataBlockView)[] = [];

  constructor(private readonly replyId: string) {}

  update(result: ToolResultBlock, context: Context): void {
    const running = result.state === "running";
    if (typeof result.output === "string") {
      const text = result.output;
      return this.text(0, context, text.length, () => text, (chars) => text.slice(-chars), running);
    }
    for (const [index, part] of result.output.entries()) {
      if (part.type === "data") this.data(index, result, part, context);
      else this.growing(index, part, context, running);
    }
  }

  dispose(): void {
    for (const part of this.parts) if (part instanceof DataBlockView) part.dispose();
  }

  private growing(index: number, part: TextBlock, context: Context, running: boolean): void {
    const text = growingOf(part);
    this.text(index, context, text.length, () => text.read(), (chars) => text.since(Math.max(0, text.length - chars)), running);
  }

  private text(
    index: number, context: Context, length: number, read: () => string, tail: (chars: number) => string, running: boolean,
  ): void {
    const view = this.part(index, OutputText, () => new OutputText(context.redraw));
    view.update(length, read, tail, running);
  }

  private data(index: number, result: ToolResultBlock, part: DataBlock, context: Context): void {
    const ref = { reply_id: this.replyId, block_id: part.id, tool_call_id: result.id };
    this.part(index, DataBlockView, () => new DataBlockView(ref)).update(part, context);
  }

  /** The view at `index`, made anew if another kind of part stands there now. */
  private part<T extends OutputText | DataBlockView>(index: number, kind: new (...args: never[]) => T, make: () => T): T {
    const current = this.parts[index];
    if (current instanceof kind) return current;
    const made = make();
    if (current) current.el.replaceWith(made.el);
    else this.el.append(made.el);
    this.parts[index] = made;
    return made;
  }
}
