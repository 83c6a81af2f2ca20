// What a person asked for: sent until it is answered, at most once in effect (Python knows each id).
import type { Clock } from "./clock";
import type { ClientMessage, ServerMessage } from "./protocol";

export type Request = Extract<ClientMessage, { id: string }>;
type Answer = Extract<ServerMessage, { type: "ack" | "refused" }>;

export interface RequestState {
  /** sent: no answer yet; silent: repeated without an answer, may be asked again. */
  state: "sent" | "silent" | "done" | "refused";
  reason: string;
}

interface Open {
  key: string;
  message: Request;
  tries: number;
  cancel: () => void;
  answered: ((answer: Answer, buffers: readonly DataView[]) => void) | undefined;
}

const RETRY_MS = [2000, 4000, 8000];

export class Requests {
  private readonly open = new Map<string, Open>();
  private readonly states = new Map<string, RequestState>();

  constructor(
    private readonly send: (message: Request) => void,
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  /** How the request for `key` (one call, the stop, one block) stands. */
  state(key: string): RequestState | undefined {
    return this.states.get(key);
  }

  /** Send unless the same thing is under way; a refused or unanswered one may be asked again. */
  ask(key: string, message: Request, answered?: Open["answered"]): void {
    const state = this.states.get(key)?.state;
    if (state === "sent" || state === "done") return;
    this.states.set(key, { state: "sent", reason: "" });
    const request: Open = { key, message, tries: 0, cancel: () => undefined, answered };
    this.open.set(message.id, request);
    this.attempt(request);
    this.changed();
  }

  private attempt(request: Open): void {
    const wait = RETRY_MS[request.tries++];
    request.cancel = this.clock.after(wait ?? 1000, () => {
      if (wait !== undefined) return this.attempt(request);
      this.states.set(request.key, { state: "silent", reason: "The kernel has not answered; it may be busy. You can try again." });
      this.changed();
    });
    this.send(request.message); // last: the answer may come before this returns
  }

  answer(answer: Answer, buffers: readonly DataView[]): void {
    const request = this.open.get(answer.id);
    if (!request) return;
    request.cancel();
    this.open.delete(answer.id);
    const refused = answer.type === "refused";
    this.states.set(request.key, { state: refused ? "refused" : "done", reason: refused ? answer.reason : "" });
    request.answered?.(answer, buffers);
  }

  /** Forget a request whose subject is gone, e.g. a call that was decided. */
  drop(key: string): void {
    this.states.delete(key);
    for (const [id, request] of this.open) {
      if (request.key !== key) continue;
      request.cancel();
      this.open.delete(id);
    }
  }

  keys(): string[] {
    return [...this.states.keys()];
  }

  close(): void {
    for (const request of this.open.values()) request.cancel();
    this.open.clear();
  }
}
