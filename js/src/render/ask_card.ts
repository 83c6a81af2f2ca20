// One question to a person: exactly what will run, and the answers. Never focused by itself, nothing preselected.
import type { Pending } from "../protocol";
import { callKey } from "../store";
import { Cuts, exactArgs } from "./args";
import { add, button, fill, h, setText, show, textarea } from "./dom";
import { clockWords } from "./format";
import { icon } from "./icons";
import type { Context, View } from "./view";
import { visible } from "./visible";

export class AskCard implements View<Pending> {
  readonly el: HTMLElement;
  private readonly args = h("div", "ask-args");
  private readonly raw: HTMLButtonElement;
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly approve: HTMLButtonElement | null = null;
  private readonly field: HTMLTextAreaElement | null = null;
  private readonly status = h("span", "ask-status");
  private readonly reason = h("p", "ask-reason", { role: "alert" });
  private readonly locked = h("span", "dim");
  private readonly cuts: Cuts;
  private showsRaw = false;
  private firstSeen: number | null = null;
  private context: Context | null = null;

  constructor(private readonly call: Pending) {
    const external = call.kind === "external";
    this.cuts = new Cuts(() => this.draw());
    this.raw = button("link", [""], () => this.toggleRaw());
    this.el = h("section", "ask", {
      role: "group", tabindex: "-1", "aria-label": `${external ? "Result needed" : "Approval needed"}: ${call.name}`,
    });
    if (external) this.field = textarea("result-field", `Result of ${call.name}`, 3, "What the tool gave, as text");
    add(this.el, this.head(external), this.args, this.field, this.warning(), this.reason);
    if (external) this.externalButtons();
    else this.approve = this.confirmButtons();
    add(this.el, h("div", "ask-row", {}, ...this.buttons, this.status, this.locked));
    fill(this.args, exactArgs(call.input, this.cuts));
  }

  update(_: Pending, context: Context): void {
    this.context = context;
    this.firstSeen ??= context.now;
    this.draw();
  }

  private head(external: boolean): HTMLElement {
    const words = external ? " runs elsewhere and needs its result" : " wants to run";
    return h("div", "ask-head", {}, icon(external ? "out" : "hand"),
      h("span", "ask-title", {}, h("bdi", "name", {}, ...visible(this.call.name)), words), this.raw);
  }

  private warning(): HTMLElement | null {
    const text = "The model’s arguments did not fit (no valid JSON, or wrong types). They were repaired: check what stands here.";
    return this.call.repaired ? h("p", "ask-warn", {}, icon("warn"), text) : null;
  }

  private confirmButtons(): HTMLButtonElement {
    const { name } = this.call;
    const deny = button("button", ["Deny"], () => this.answer(false), `Deny: ${name}`);
    const approve = button("button primary", ["Approve once"], () => this.answer(true), `Approve once: ${name}`);
    this.buttons.push(deny, approve);
    return approve;
  }

  private externalButtons(): void {
    const { name } = this.call;
    const send = (state: "success" | "error") => () => {
      this.el.focus();
      this.context?.store.submitResult(this.call, this.field?.value ?? "", state);
    };
    this.buttons.push(
      button("button", ["Mark as failed"], send("error"), `Mark as failed: ${name}`),
      button("button primary", ["Send result"], send("success"), `Send result: ${name}`),
    );
  }

  private answer(approved: boolean): void {
    if (approved && this.cuts.hidden > 0) return;
    this.el.focus(); // a disabled button would lose the focus to the page
    this.context?.store.decide(this.call, approved);
  }

  private toggleRaw(): void {
    this.showsRaw = !this.showsRaw;
    this.cuts.hidden = 0;
    const args = this.showsRaw ? this.cuts.value(this.call.input) : exactArgs(this.call.input, this.cuts);
    fill(this.args, args);
    this.draw();
  }

  private draw(): void {
    if (!this.context) return;
    const { store, now } = this.context;
    const request = store.request(callKey(this.call));
    const sent = request?.state === "sent" || request?.state === "done";
    for (const element of this.buttons) element.disabled = sent || !store.canAct;
    if (this.field) this.field.disabled = sent || !store.canAct;
    if (this.approve && this.cuts.hidden > 0) this.approve.disabled = true;
    setText(this.raw, this.showsRaw ? "Show as list" : "Show raw JSON");
    setText(this.status, sent ? "sent…" : !store.canAct ? "" : `waiting ${clockWords((now - (this.firstSeen ?? now)) / 1000)}`);
    setText(this.locked, this.cuts.hidden > 0 && this.approve ? "Show everything above to approve" : "");
    setText(this.reason, request?.reason ?? "");
    show(this.reason, Boolean(request?.reason));
  }
}
