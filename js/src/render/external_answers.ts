// The answer to a call that runs elsewhere: its result, typed in.
import type { Pending } from "../protocol";
import { type Answers, type AnswerState, type Asker, moveByArrows } from "./answers";
import { add, button, h, setText, show, textarea } from "./dom";

export class ExternalAnswers implements Answers {
  readonly el = h("div", "ask-answers");
  private readonly field: HTMLTextAreaElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly status = h("span", "ask-status");
  private readonly reason = h("p", "ask-reason", { role: "alert" });

  constructor({ name }: Pending, asker: Asker) {
    this.field = textarea("result-field", `Result of ${name}`, 3, "What the tool gave, as text");
    const send = (state: "success" | "error") => () => asker.submit(this.field.value, state);
    this.buttons = [
      button("button", ["Mark as failed"], send("error"), `Mark as failed: ${name}`),
      button("button primary", ["Send result"], send("success"), `Send result: ${name}`),
    ];
    const row = h("div", "ask-row", { role: "group", "aria-label": "Answers" }, ...this.buttons, this.status);
    moveByArrows(row);
    add(this.el, this.field, this.reason, row);
  }

  draw({ frozen, reason, status }: AnswerState): void {
    for (const element of [...this.buttons, this.field]) element.disabled = frozen;
    setText(this.status, status);
    setText(this.reason, reason);
    show(this.reason, reason !== "");
  }
}
