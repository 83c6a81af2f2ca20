// Thinking: one line with its duration; the thought itself behind it.
import type { ThinkingBlock } from "../protocol";
import { growingOf } from "../reducer/growing";
import { seconds } from "../reducer/progress";
import { add, h, setData, setText } from "./dom";
import { FoldBox } from "./fold_box";
import { clockWords, duration } from "./format";
import { icon } from "./icons";
import { GrowingMarkdown } from "./text_view";
import type { Context, View } from "./view";

export class ThinkingView implements View<ThinkingBlock> {
  readonly el: HTMLElement;
  private readonly box: FoldBox;
  private readonly label = h("span", "think-label");
  private readonly text: GrowingMarkdown;
  private firstSeen: number | null = null;

  constructor(redraw: () => void) {
    this.box = new FoldBox("item think", redraw);
    this.text = new GrowingMarkdown(redraw);
    this.el = this.box.el;
    add(this.box.head, icon("chevron", "chevron"), this.label);
  }

  update(block: ThinkingBlock, { now }: Context): void {
    this.firstSeen ??= now;
    const finished = block.finished_at !== null;
    setData(this.el, "live", String(!finished));
    setText(this.label, finished ? settled(block) : `Thinking · ${clockWords((now - this.firstSeen) / 1000)}`);
    if (!this.box.isOpen) return;
    if (!this.text.el.isConnected) this.box.body.append(this.text.el);
    this.text.update(block, finished);
  }
}

export function settled(block: ThinkingBlock): string {
  if (growingOf(block).length === 0) return "Thought, not shown by the provider";
  const span = seconds(block.created_at, block.finished_at);
  return span === null ? "Thought" : `Thought for ${duration(span)}`;
}
