// The answers to "may this run?": Deny · Approve once · Approve and always allow… · Edit…; the last two open a panel in their place.
import type { Pending } from "../protocol";
import { type Answers, type AnswerState, type Asker, moveByArrows } from "./answers";
import { add, button, fill, h, setText, show, textline } from "./dom";
import { EditPanel } from "./edit_panel";
import { offeredRules, RulesPanel } from "./rules_panel";

type Mode = "choose" | "rules" | "edit";

export class ConfirmAnswers implements Answers {
  readonly el = h("div", "ask-answers");
  private mode: Mode = "choose";
  private readonly rules: RulesPanel | null;
  private edit: EditPanel | null = null;
  private readonly note: HTMLInputElement;
  private readonly panel = h("div", "");
  private readonly reason = h("p", "ask-reason", { role: "alert" });
  private readonly row = h("div", "ask-row", { role: "group", "aria-label": "Answers" });
  private readonly status = h("span", "ask-status");
  private readonly locked = h("span", "dim");
  private readonly buttons: Record<"deny" | "once" | "always" | "edit" | "back" | "allow" | "run", HTMLButtonElement>;
  /** What was sent last, so that a refusal is told where it belongs. */
  private sent: { mode: Mode; text: string; told: boolean } | null = null;

  constructor(private readonly call: Pending, private readonly asker: Asker) {
    const { name } = call;
    const offered = offeredRules(call);
    this.rules = offered.length > 0 ? new RulesPanel(call, offered, () => asker.redraw()) : null;
    this.note = textline("note", `Why ${name} is denied`, "Tell the agent why (optional, sent with Deny)", () => this.deny());
    this.buttons = {
      deny: button("button", ["Deny"], () => this.deny(), `Deny: ${name}`),
      once: button("button primary", ["Approve once"], () => this.approve(), `Approve once: ${name}`),
      always: button("button", ["Approve and always allow…"], () => this.enter("rules"), `Approve and always allow…: ${name}`),
      edit: button("button", ["Edit…"], () => this.enter("edit"), `Edit…: ${name}`),
      back: button("button", ["Back"], () => this.leave(), `Back: ${name}`),
      allow: button("button primary", ["Approve and allow"], () => this.allow(), `Approve and allow: ${name}`),
      run: button("button primary", ["Run edited"], () => this.run(), `Run edited: ${name}`),
    };
    moveByArrows(this.row);
    add(this.el, this.panel, this.reason, this.row, this.note);
    this.arrange();
  }

  draw({ frozen, cut, reason, status }: AnswerState): void {
    const { buttons, edit, rules } = this;
    for (const element of [...Object.values(buttons), this.note]) element.disabled = frozen;
    buttons.once.disabled ||= cut;
    buttons.allow.disabled ||= cut || (rules?.chosen.length ?? 0) === 0;
    buttons.run.disabled ||= !edit?.runnable;
    const here = this.sent === null || (this.sent.mode === this.mode && this.sent.text === this.text);
    const told = here ? reason : "";
    rules?.draw(frozen);
    edit?.draw(frozen, this.mode === "edit" ? told : "");
    const apart = this.mode === "edit" ? "" : told;
    setText(this.reason, apart);
    show(this.reason, apart !== "");
    setText(this.status, status);
    setText(this.locked, frozen ? "" : this.lockedWords(cut));
    if (told !== "") this.goBack();
  }

  /** The card took the focus when the answer was sent; a refused edit gives it back to the field, once. */
  private goBack(): void {
    if (!this.sent || this.sent.told) return;
    this.sent.told = true;
    if (this.mode === "edit" && this.el.parentElement?.matches(":focus")) this.edit?.field.focus();
  }

  private get text(): string {
    return this.mode === "edit" ? (this.edit?.text ?? "") : "";
  }

  private lockedWords(cut: boolean): string {
    if (this.mode === "edit") return this.edit?.blocked ?? "";
    if (cut) return "Show everything above to approve";
    return this.mode === "rules" && this.rules?.chosen.length === 0 ? "Tick what to allow" : "";
  }

  private enter(mode: "rules" | "edit"): void {
    this.mode = mode;
    if (mode === "edit") this.edit ??= new EditPanel(this.call, () => this.asker.redraw(), () => this.leave());
    this.arrange();
    this.asker.redraw();
    if (mode === "edit") this.edit?.field.focus();
    else this.rules?.focus();
  }

  private leave(): void {
    const opener = this.mode === "edit" ? this.buttons.edit : this.buttons.always;
    this.mode = "choose";
    this.arrange();
    this.asker.redraw();
    opener.focus();
  }

  private arrange(): void {
    const { deny, once, always, edit, back, allow, run } = this.buttons;
    const row = { choose: [deny, once, this.rules && always, edit], rules: [back, allow], edit: [back, run] }[this.mode];
    const panel = { choose: null, rules: this.rules, edit: this.edit }[this.mode];
    fill(this.row, ...row, this.status, this.locked);
    fill(this.panel, panel && panel.el);
    show(this.panel, panel !== null);
    show(this.note, this.mode === "choose");
  }

  private deny(): void {
    this.send(() => this.asker.decide(false, { note: this.note.value.trim() || null }));
  }

  private approve(): void {
    this.send(() => this.asker.decide(true));
  }

  private allow(): void {
    const rules = this.rules?.chosen ?? [];
    if (rules.length > 0) this.send(() => this.asker.decide(true, { rules }));
  }

  private run(): void {
    const { edit } = this;
    if (edit?.runnable) this.send(() => this.asker.decide(true, { input: edit.text }));
  }

  private send(decide: () => void): void {
    this.sent = { mode: this.mode, text: this.text, told: false };
    decide();
  }
}
