// One question to a person: who asks, exactly what will run, and the answers. Never focused by itself, nothing preselected.
import type { Pending } from "../protocol";
import { callKey, type Said } from "../store";
import type { Answers, Asker } from "./answers";
import { Cuts, exactArgs } from "./args";
import { ConfirmAnswers } from "./confirm_answers";
import { add, button, fill, h, setText } from "./dom";
import { ExternalAnswers } from "./external_answers";
import { clockWords } from "./format";
import { icon } from "./icons";
import { pathNodes, pathOf } from "./path";
import type { Context, View } from "./view";
import { visible } from "./visible";

export class AskCard implements View<Pending>, Asker {
  readonly el = h("section", "ask", { role: "group", tabindex: "-1" });
  /** Who wants to run what: a card counts as seen when this is. */
  readonly head: HTMLElement;
  private readonly path = h("span", "ask-path");
  private readonly args = h("div", "ask-args");
  private readonly raw: HTMLButtonElement;
  private readonly answers: Answers;
  private readonly cuts = new Cuts(() => this.redraw());
  private showsRaw = false;
  private firstSeen: number | null = null;
  private context: Context | null = null;
  private drawnPath = "";

  constructor(private readonly call: Pending) {
    const external = call.kind === "external";
    this.raw = button("link", [""], () => this.toggleRaw());
    this.answers = external ? new ExternalAnswers(call, this) : new ConfirmAnswers(call, this);
    this.head = this.makeHead(external);
    add(this.el, this.head, this.args, this.warning(), this.answers.el);
    fill(this.args, exactArgs(call.input, this.cuts));
    this.label([]);
  }

  update(_: Pending, context: Context): void {
    this.context = context;
    this.firstSeen ??= context.now;
    const path = pathOf(this.call, context.store.state.lanes);
    if (path.join("/") !== this.drawnPath) {
      this.drawnPath = path.join("/");
      fill(this.path, ...pathNodes(path));
      this.label(path);
    }
    this.redraw();
  }

  decide(approved: boolean, said: Partial<Said> = {}): void {
    if (approved && (said.input ?? null) === null && this.cuts.hidden > 0) return;
    this.el.focus(); // a disabled button would lose the focus to the page
    this.context?.store.decide(this.call, approved, said);
  }

  submit(output: string, state: "success" | "error"): void {
    this.el.focus();
    this.context?.store.submitResult(this.call, output, state);
  }

  redraw(): void {
    if (!this.context) return;
    const { store, now } = this.context;
    const request = store.request(callKey(this.call));
    const sent = request?.state === "sent" || request?.state === "done";
    const waiting = store.canAct ? `waiting ${clockWords((now - (this.firstSeen ?? now)) / 1000)}` : "";
    setText(this.raw, this.showsRaw ? "Show as list" : "Show raw JSON");
    this.answers.draw({
      frozen: sent || !store.canAct, cut: this.cuts.hidden > 0, reason: request?.reason ?? "", status: sent ? "sent…" : waiting,
    });
  }

  private label(path: readonly string[]): void {
    const what = this.call.kind === "external" ? "Result needed" : "Approval needed";
    this.el.setAttribute("aria-label", `${what}: ${[...path, this.call.name].join(" › ")}`);
  }

  private makeHead(external: boolean): HTMLElement {
    const words = external ? " runs elsewhere and needs its result" : " wants to run";
    return h("div", "ask-head", {}, icon(external ? "out" : "hand"),
      h("span", "ask-title", {}, this.path, h("bdi", "name", {}, ...visible(this.call.name)), words), this.raw);
  }

  private warning(): HTMLElement | null {
    const text = "The model’s arguments did not fit (no valid JSON, or wrong types). They were repaired: check what stands here.";
    return this.call.repaired ? h("p", "ask-warn", {}, icon("warn"), text) : null;
  }

  private toggleRaw(): void {
    this.showsRaw = !this.showsRaw;
    this.cuts.hidden = 0;
    const args = this.showsRaw ? this.cuts.value(this.call.input) : exactArgs(this.call.input, this.cuts);
    fill(this.args, args);
    this.redraw();
  }
}
