// A clock that stands still until it is told to go on.
import type { Clock } from "../src/clock";

export class FakeClock implements Clock {
  private time = 0;
  private timers: { at: number; action: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.time + ms, action };
    this.timers.push(timer);
    return () => { this.timers = this.timers.filter((other) => other !== timer); };
  }

  get waiting(): number {
    return this.timers.length;
  }

  /** Let `ms` pass, running what falls due in order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((timer) => timer !== due);
      this.time = due.at;
      due.action();
    }
    this.time = end;
  }
}
