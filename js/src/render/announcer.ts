// What a screen reader hears: changes of phase and finished texts, at most two a second; questions at once, each once.
import type { Store } from "../store";
import { callKey } from "../store";
import { h } from "./dom";
import { spokenPath } from "./path";

const GAP_MS = 500;
const SPOKEN_CHARS = 300;

export class Announcer {
  readonly el = h("div", "sr");
  private readonly polite = h("div", "", { "aria-live": "polite" });
  private readonly urgent = h("div", "", { "aria-live": "assertive" });
  private readonly asked = new Set<string>();
  private queue: string[] = [];
  private phase = "";
  private spokenTexts = -1;
  private last = Number.NEGATIVE_INFINITY;

  constructor() {
    this.el.append(this.polite, this.urgent);
  }

  update(store: Store, label: string, now: number): void {
    if (label !== this.phase) this.queue = [...this.queue.slice(-2), label];
    this.phase = label;
    this.texts(store);
    for (const call of store.state.pending) this.ask(callKey(call), spokenPath(call, store.state), call.kind);
    if (this.queue.length === 0 || now - this.last < GAP_MS) return;
    this.polite.textContent = this.queue.join(". ");
    this.queue = [];
    this.last = now;
  }

  /** Texts that were finished since the last look; those found at the first one are history. */
  private texts(store: Store): void {
    const finished = (store.state.msg?.content ?? []).filter((block) => block.type === "text" && block.finished_at !== null);
    const fresh = this.spokenTexts < 0 ? [] : finished.slice(this.spokenTexts);
    for (const block of fresh) if (block.type === "text") this.queue.push(block.text.slice(0, SPOKEN_CHARS));
    this.spokenTexts = finished.length;
  }

  private ask(key: string, name: string, kind: "confirm" | "external"): void {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    this.urgent.textContent = kind === "confirm" ? `Approval needed: ${name}` : `Result needed: ${name}`;
  }
}
