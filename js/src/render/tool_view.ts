// A tool call with its arguments, its decision and its result in one card.
import { growingOf } from "../reducer/growing";
import { type Decision, seconds } from "../reducer/progress";
import { Cuts, exactArgs, liveArgs, summary } from "./args";
import { add, fill, h, setData, setText, show } from "./dom";
import { FoldBox } from "./fold_box";
import { clockWords, duration } from "./format";
import { swapIcon } from "./icons";
import type { ItemList } from "./item_list";
import type { ToolItem } from "./items";
import { isActive, waitsForYou } from "./lane_view";
import { LanesView } from "./lanes_view";
import { byWords, recordLine } from "./record";
import { ResultView } from "./result_view";
import { SUB_AGENT_WAITS, toolState, type ToolState } from "./tool_state";
import type { Context, View } from "./view";
import { visible } from "./visible";

export const OPEN: ToolState["kind"][] = ["running", "failed", "begun"];
export const WAITS: ToolState["kind"][] = ["asking", "outside"];

/** A picture is what the reader came for: such a card stays open. */
function hasPicture({ result }: ToolItem): boolean {
  return Array.isArray(result?.output) && result.output.some((part) => part.type === "data" && part.source.media_type.startsWith("image/"));
}

function idOf({ call, result }: ToolItem): string {
  return call?.id ?? result?.id ?? "";
}

/** What the model had asked for, where something else ran. */
export function editLine(decision: Decision, asked: string): HTMLElement {
  const words = ["edited", byWords(decision)].filter(Boolean).join(" ");
  return h("p", "dim", {}, `${words}; the model asked: `, h("code", "", {}, ...visible(asked)));
}

export class ToolView implements View<ToolItem> {
  readonly el: HTMLElement;
  private readonly box: FoldBox;
  private readonly symbol = h("span", "symbol");
  private readonly name = h("bdi", "name");
  private readonly line = h("bdi", "sum");
  private readonly word = h("span", "state");
  private readonly time = h("span", "time");
  private readonly args = h("div", "args-box");
  private readonly record = h("div", "record-box");
  private readonly bar = h("div", "progress", { role: "progressbar", "aria-label": "Progress" }, h("span", ""));
  private readonly lanes: LanesView;
  private result: ResultView | null = null;
  private item: ToolItem | null = null;
  private firstSeen: number | null = null;
  private drawn = { args: "", head: "", record: "", name: "" };

  constructor(redraw: () => void, list: () => ItemList) {
    this.lanes = new LanesView(redraw, list);
    this.box = new FoldBox("tool-fold", redraw);
    this.el = h("div", "item tool", {}, this.box.el, this.record);
    add(this.box.head, this.symbol, this.name, this.line, this.word, this.time);
    this.box.addChevron();
    add(this.box.body, this.args, this.bar, this.lanes.el);
  }

  update(item: ToolItem, context: Context): void {
    const { status, pending } = context.store.state;
    const { progress, msg } = context.track;
    const id = idOf(item);
    this.item = item;
    const ended = status === "finished" || msg?.id !== item.replyId || msg.finished_at !== null;
    const decision = progress.decisions[id];
    const lanes = context.placement.under(context.track, item.replyId, id);
    const state = lanes.some((lane) => waitsForYou(lane, context)) ? SUB_AGENT_WAITS : toolState(item, decision, ended);
    this.firstSeen ??= context.now;
    this.drawHead(item, state, context);
    this.once("record", JSON.stringify(decision ?? null), () => fill(this.record, decision && recordLine(decision)));
    // What waits in the tray is shown there.
    const inTray = pending.some((call) => call.tool_call_id === id && call.reply_id === item.replyId);
    const busy = lanes.some((lane) => isActive(lane, context));
    this.box.suggest(busy || OPEN.includes(state.kind) || (WAITS.includes(state.kind) && !inTray) || hasPicture(item));
    if (!this.box.isOpen) return;
    this.drawArgs(item, decision);
    this.drawProgress(id, state, context);
    this.lanes.update(lanes, context);
    this.drawResult(item, context);
  }

  /** The heads on the way to the card of a call: this one, or one in a sub-agent's transcript. */
  heads(replyId: string, callId: string): HTMLElement[] {
    if (this.item?.replyId === replyId && idOf(this.item) === callId) return [this.box.head];
    const inner = this.lanes.heads(replyId, callId);
    return inner.length > 0 ? [this.box.head, ...inner] : [];
  }

  dispose(): void {
    this.result?.dispose();
    this.lanes.dispose();
  }

  private drawHead(item: ToolItem, state: ToolState, { now }: Context): void {
    const name = item.call?.name ?? item.result?.name ?? "";
    setData(this.el, "state", state.kind);
    this.once("name", name, () => fill(this.name, ...visible(name)));
    swapIcon(this.symbol, state.icon, state.icon === "ring" ? "spin" : "");
    setText(this.word, state.word);
    setText(this.time, this.duration(item, state, now));
    const length = item.call ? growingOf(item.call).length : 0;
    this.once("head", String(length), () => fill(this.line, ...visible(summary(item.call?.input ?? ""))));
  }

  /** How long it ran: from the start of the result to its end. */
  private duration({ result }: ToolItem, state: ToolState, now: number): string {
    if (state.kind === "running") return clockWords((now - (this.firstSeen ?? now)) / 1000);
    const span = result ? seconds(result.created_at, result.finished_at) : null;
    return span === null || state.kind === "denied" ? "" : duration(span);
  }

  private drawArgs({ call }: ToolItem, decision: Decision | undefined): void {
    if (!call) return;
    const edited = decision?.edited_input ?? null;
    const streaming = call.finished_at === null && call.state === "pending";
    this.once("args", `${growingOf(call).length} ${streaming} ${edited ?? ""}`, () => {
      const args = streaming ? liveArgs(call.input) : exactArgs(edited ?? call.input, new Cuts(() => undefined));
      fill(this.args, args, decision && edited !== null && editLine(decision, call.input));
    });
  }

  private drawProgress(id: string, state: ToolState, { track }: Context): void {
    const progress = track.progress.tool_progress[id];
    show(this.bar, Boolean(progress) && state.kind === "running");
    if (!progress || this.bar.hidden) return;
    const share = progress.total && progress.progress !== null ? Math.min(1, Math.max(0, progress.progress / progress.total)) : 0;
    this.bar.style.setProperty("--share", `${share * 100}%`);
    this.bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    setText(this.bar.firstElementChild!, progress.message ?? `${Math.round(share * 100)} %`);
  }

  private drawResult(item: ToolItem, context: Context): void {
    if (!item.result || item.result.output.length === 0) return;
    if (!this.result) {
      this.result = new ResultView(item.replyId);
      this.box.body.append(this.result.el);
    }
    this.result.update(item.result, context);
  }

  private once(what: keyof ToolView["drawn"], state: string, draw: () => void): void {
    if (this.drawn[what] === state) return;
    this.drawn[what] = state;
    draw();
  }
}
