// What a card of the tray asks for: an answer by buttons, and what they need to know.
import type { Said } from "../store";

/** How a question stands. */
export interface AnswerState {
  /** An answer is under way, or none can be given: nothing may be pressed. */
  frozen: boolean;
  /** A part of what would run is still cut. */
  cut: boolean;
  /** What the kernel said against the last answer, "" for nothing. */
  reason: string;
  /** "sent…", "waiting 4 s". */
  status: string;
}

export interface Answers {
  readonly el: HTMLElement;
  draw(state: AnswerState): void;
}

/** What the answers can do. */
export interface Asker {
  decide(approved: boolean, said?: Partial<Said>): void;
  submit(output: string, state: "success" | "error"): void;
  redraw(): void;
}

/** Left and right move between the buttons of a row; Tab does, too. */
export function moveByArrows(row: HTMLElement): void {
  row.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...row.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  });
}
