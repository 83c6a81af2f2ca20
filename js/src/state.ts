// Everything a view shows, built from what the kernel sent. Knows neither DOM nor comm.
import type { Batch, Final, Msg, Pending, Snapshot, Status, WireEvent } from "./protocol";
import { growingMsg } from "./reducer/blocks";
import { Fold, inputOf } from "./reducer/fold";
import { emptyProgress, type Progress, progressFrom, pushProgress } from "./reducer/progress";

export class RunState {
  private fold = new Fold();
  progress: Progress = emptyProgress();
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

  get msgs(): readonly Msg[] {
    return this.fold.msgs;
  }

  get msg(): Msg | undefined {
    return this.fold.msgs.at(-1);
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

  private takeOver(whole: Pick<Snapshot, "msgs" | "progress" | "status" | "seq" | "elapsed_s">, now: number): void {
    this.fold = new Fold(whole.msgs.map(growingMsg));
    this.progress = progressFrom(whole.progress);
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
    for (const event of batch.events) this.push(event);
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

  private push(event: WireEvent): void {
    pushProgress(this.progress, event, (id) => inputOf(this.msgs, id));
    this.fold.push(event);
  }
}
