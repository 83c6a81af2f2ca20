// Everything a view shows, built from what the kernel sent. Knows neither DOM nor comm.
import type { Batch, Final, Msg, Pending, Snapshot, Status } from "./protocol";
import type { Progress } from "./reducer/progress";
import { type Lane, type Track, View } from "./reducer/view";

export class RunState {
  private view = new View();
  status: Status = "running";
  pending: Pending[] = [];
  /** Next record number that is expected. */
  seq = 0;
  /** Whether anything can be decided or stopped. */
  live = false;
  /** Whether anything was received at all. */
  loaded = false;
  private elapsedAt = { seconds: 0, received: 0 };
  private statusN = 0;

  /** The agent itself. */
  get main(): Track {
    return this.view.main;
  }

  /** Its sub-agents, in the order in which they began. */
  get lanes(): readonly Lane[] {
    return this.view.lanes;
  }

  get msgs(): readonly Msg[] {
    return this.main.msgs;
  }

  get msg(): Msg | undefined {
    return this.main.msg;
  }

  get progress(): Progress {
    return this.main.progress;
  }

  /** Seconds since the run began; stands still once it has ended. */
  elapsed(now: number): number {
    const { seconds, received } = this.elapsedAt;
    return this.status === "finished" || !this.live ? seconds : seconds + (now - received) / 1000;
  }

  /** Take a snapshot over, unless something newer is here already. */
  applySnapshot(snapshot: Snapshot, now: number): void {
    if (this.loaded && (snapshot.seq < this.seq || (this.live && snapshot.n < this.statusN))) return;
    this.takeOver(snapshot, now);
    this.pending = snapshot.pending;
    this.live = snapshot.live;
    this.statusN = snapshot.n;
  }

  /** What the saved notebook holds; only used until a kernel says something. */
  applyFinal(final: Final, now: number): void {
    if (this.loaded) return;
    this.takeOver(final, now);
  }

  private takeOver(whole: Pick<Snapshot, "msgs" | "progress" | "lanes" | "status" | "seq" | "elapsed_s">, now: number): void {
    this.view = View.from(whole);
    this.status = whole.status;
    this.seq = whole.seq;
    this.elapsedAt = { seconds: whole.elapsed_s, received: now };
    this.loaded = true;
  }

  /** Apply the next batch; false if something before it is missing. Old ones change nothing. */
  applyBatch(batch: Batch, now: number): boolean {
    if (!this.loaded && batch.seq0 > 0) return false;
    if (batch.seq0 > this.seq) return false;
    if (batch.seq0 < this.seq) return batch.seq1 <= this.seq;
    for (const event of batch.events) this.view.push(event);
    this.seq = batch.seq1;
    if (!this.loaded) this.live = this.loaded = true;
    if (batch.n >= this.statusN) {
      this.statusN = batch.n;
      this.status = batch.status;
      if (batch.pending !== null) this.pending = batch.pending;
      this.elapsedAt = { seconds: batch.elapsed_s, received: now };
    }
    return true;
  }
}
