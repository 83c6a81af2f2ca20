// The Python side as the wire contract describes it, for tests and for the page in dev/.
import type { Batch, ClientMessage, Pending, ServerMessage, Snapshot, Status, WireEvent } from "../src/protocol";
import { laneOf } from "../src/reducer/lane";
import { View } from "../src/reducer/view";

type Deliver = (message: ServerMessage, buffers?: DataView[]) => void;
type Decide = Extract<ClientMessage, { type: "decide" }>;

export class FakeKernel {
  seq = 0;
  sent = 0;
  status: Status = "running";
  pending: Pending[] = [];
  live = true;
  elapsed = 0;
  readonly got: ClientMessage[] = [];
  readonly decisions: Decide[] = [];
  private n = 0;
  private readonly answered = new Map<string, ServerMessage>();

  constructor(readonly events: WireEvent[], public deliver: Deliver) {}

  /** Log `count` more events and send them as one batch. */
  advance(count: number): void {
    this.seq = Math.min(this.events.length, this.seq + count);
    for (const event of this.events.slice(this.sent, this.seq)) this.observe(event);
    this.flush();
  }

  /** Send what was not sent yet; an empty batch carries the status alone. */
  flush(): void {
    const batch: Batch = {
      v: 1, type: "batch", n: this.next(), seq0: this.sent, seq1: this.seq, events: this.events.slice(this.sent, this.seq),
      status: this.status, pending: this.pending, elapsed_s: this.elapsed,
    };
    this.sent = this.seq;
    this.deliver(structuredClone(batch));
  }

  receive(message: ClientMessage): void {
    this.got.push(structuredClone(message));
    if (message.type === "sync") return message.have === this.seq ? this.ack("") : this.snapshot();
    if (message.type === "decide") return this.decide(message);
    if (message.type === "stop" || message.type === "shown") return this.ack(message.id);
    if (message.type === "fetch") {
      const bytes = new TextEncoder().encode("fetched");
      this.deliver({ v: 1, type: "ack", n: this.next(), id: message.id, media_type: "text/plain" }, [new DataView(bytes.buffer)]);
    }
  }

  snapshot(): void {
    const view = new View();
    for (const event of structuredClone(this.events.slice(0, this.seq))) view.push(event);
    const lanes = view.lanes.map(({ source, parent_reply_id, parent_tool_call_id, track }) => (
      { source, parent_reply_id, parent_tool_call_id, msgs: [...track.msgs], progress: { ...track.progress } }
    ));
    const snapshot: Snapshot = {
      v: 1, type: "snapshot", n: this.next(), seq: this.seq, msgs: [...view.main.msgs], progress: { ...view.main.progress }, lanes,
      status: this.status, pending: this.pending, elapsed_s: this.elapsed, live: this.live,
    };
    this.sent = this.seq;
    this.deliver(JSON.parse(JSON.stringify(snapshot)));
  }

  private ack(id: string): void {
    this.deliver({ v: 1, type: "ack", n: this.next(), id, media_type: null });
  }

  private decide(message: Decide): void {
    const known = this.answered.get(message.id);
    if (known) return this.deliver({ ...known, n: this.next() } as ServerMessage);
    const call = this.pending.find((item) => item.reply_id === message.reply_id && item.tool_call_id === message.tool_call_id && item.digest === message.digest);
    const answer: ServerMessage = call
      ? { v: 1, type: "ack", n: this.next(), id: message.id, media_type: null }
      : { v: 1, type: "refused", n: this.next(), id: message.id, reason: "The call is not pending any more.", earlier: null };
    if (call) this.decisions.push(message);
    this.answered.set(message.id, answer);
    this.pending = this.pending.filter((item) => item !== call);
    this.deliver(answer);
    if (call) this.flush();
  }

  private observe(event: WireEvent): void {
    const source = laneOf(event, new Set())?.source ?? null;
    if (event.type === "REQUIRE_USER_CONFIRM" || event.type === "REQUIRE_EXTERNAL_EXECUTION") {
      const kind = event.type === "REQUIRE_USER_CONFIRM" ? "confirm" : "external";
      const calls = event.tool_calls.map((call): Pending => ({
        reply_id: event.reply_id, tool_call_id: call.id, name: call.name, input: call.input, digest: `digest of ${call.id}`, kind,
        repaired: false, suggested_rules: call.suggested_rules, asked_at: event.created_at, source,
      }));
      this.pending = [...this.pending, ...calls];
      this.status = "waiting";
    } else if (event.type === "USER_CONFIRM_RESULT" || event.type === "EXTERNAL_EXECUTION_RESULT") {
      const ids = event.type === "USER_CONFIRM_RESULT"
        ? event.confirm_results.map((result) => result.tool_call.id)
        : event.execution_results.map((result) => result.id);
      this.pending = this.pending.filter((call) => !ids.includes(call.tool_call_id));
      if (this.pending.length === 0) this.status = "running";
    } else if (event.type === "REPLY_END" && source === null) {
      this.status = "finished";
      this.pending = [];
    } else if (event.type === "REPLY_START" && this.pending.length === 0) this.status = "running";
  }

  private next(): number {
    this.n += 1;
    return this.n;
  }
}
