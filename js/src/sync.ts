// Notices that messages were lost and asks for what is missing, one question at a time.
import type { Clock } from "./clock";

const RETRY_MS = 2000;
const RETRY_MAX_MS = 30_000;
const IDLE_MS = 5000;

export interface SyncOptions {
  clock: Clock;
  /** Ask the kernel; `have` is the next record number that we expect. */
  ask(have: number): void;
  have(): number;
  /** Whether more may come, so that silence is worth a question. */
  expecting(): boolean;
  changed(): void;
}

export class Sync {
  private lastN = 0;
  private cancel: () => void = () => undefined;
  private outstanding = false;
  /** Number of the message at which a loss was noticed; only a snapshot made later repairs it. 0: nothing is missing. */
  private lostAt = 0;
  private tries = 0;
  private closed = false;
  /** Whether a question has been open for long: the kernel is busy or gone. */
  silent = false;

  constructor(private readonly options: SyncOptions) {}

  /** Ask for everything; used at the start and whenever something was lost. */
  request(): void {
    this.lostAt = Math.max(this.lastN, 1);
    if (!this.outstanding) this.attempt();
  }

  /** A message with number `n` came in; a number left out means that one was lost (or is late). */
  heard(n: number): void {
    this.silent = false;
    const gap = n > this.lastN + 1 && this.lastN > 0;
    this.lastN = Math.max(this.lastN, n);
    if (gap) this.request();
    if (!this.outstanding) this.idle();
  }

  /** The kernel answered a question: by a snapshot, or by saying that nothing is missing. */
  answered(by: "snapshot" | "ack", n: number): void {
    this.outstanding = false;
    this.tries = 0;
    const whole = by === "snapshot" || this.options.have() === 0;
    if (whole && n >= this.lostAt) this.lostAt = 0;
    if (this.lostAt > 1) this.attempt();
    else this.idle();
  }

  close(): void {
    this.closed = true;
    this.cancel();
  }

  private attempt(): void {
    if (this.closed) return;
    this.outstanding = true;
    this.tries += 1;
    if (this.tries === 5) {
      this.silent = true;
      this.options.changed();
    }
    this.arm(Math.min(RETRY_MS * 2 ** Math.max(0, this.tries - 3), RETRY_MAX_MS), () => this.attempt());
    this.options.ask(this.lostAt > 0 ? 0 : this.options.have()); // last: the answer may come before this returns
  }

  private idle(): void {
    this.arm(IDLE_MS, () => {
      if (this.options.expecting()) this.attempt();
    });
  }

  private arm(ms: number, action: () => void): void {
    this.cancel();
    if (!this.closed) this.cancel = this.options.clock.after(ms, action);
  }
}
