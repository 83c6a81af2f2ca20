// One widget's connection and state, shared by all its views. Gets messages in and sends messages out; knows no DOM and no comm.
import type { Clock } from "./clock";
import type { ClientMessage, Pending, ServerMessage } from "./protocol";
import { VERSION } from "./protocol";
import { phaseOf, type Phase } from "./reducer/phase";
import { Requests, type RequestState } from "./requests";
import { RunState } from "./state";
import { Sync } from "./sync";

/** Where the bytes of a block are. */
export interface BlockRef {
  reply_id: string;
  block_id: string;
  tool_call_id: string | null;
}

/** What may go with a decision: edited arguments, rules that are accepted with it, why it was denied. */
export type Said = Pick<Extract<ClientMessage, { type: "decide" }>, "input" | "rules" | "note">;

export interface Loaded {
  bytes: Uint8Array;
  mediaType: string;
}

export class Store {
  readonly state = new RunState();
  private readonly requests: Requests;
  private readonly sync: Sync;
  private readonly listeners = new Set<() => void>();
  private readonly blobs = new Map<string, Loaded>();
  private counter = 0;
  /** False once sending failed: the kernel is gone. */
  connected = true;

  /**
   * @param comm sends one message to the kernel; throws if there is none
   * @param name random, so that request ids of several pages differ
   */
  constructor(private readonly comm: (message: ClientMessage) => void, readonly clock: Clock, private readonly name: string) {
    const changed = () => this.changed();
    this.requests = new Requests((message) => this.send(message), clock, changed);
    this.sync = new Sync({
      clock,
      changed,
      ask: (have) => this.send({ v: VERSION, type: "sync", have }),
      have: () => this.state.seq,
      expecting: () => !this.state.loaded || (this.state.live && this.state.status !== "finished"),
    });
  }

  /** Ask the kernel for the state. */
  start(): void {
    this.sync.request();
  }

  /** Take what the saved notebook holds. */
  loadFinal(text: string): void {
    if (text === "") return;
    this.state.applyFinal(JSON.parse(text), this.clock.now());
    this.changed();
  }

  hello(view: string): void {
    this.send({ v: VERSION, type: "hello", view });
  }

  close(): void {
    this.sync.close();
    this.requests.close();
    this.listeners.clear();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  receive(message: ServerMessage, buffers: readonly DataView[] = []): void {
    if (message.v !== VERSION) return;
    this.connected = true;
    this.sync.heard(message.n);
    if (message.type === "snapshot") this.snapshot(message);
    else if (message.type === "batch") this.batch(message);
    else if (message.id === "") this.sync.answered("ack", message.n);
    else this.requests.answer(message, buffers);
    this.dropDecided();
    this.changed();
  }

  private snapshot(message: Extract<ServerMessage, { type: "snapshot" }>): void {
    this.state.applySnapshot(message, this.clock.now());
    this.sync.answered("snapshot", message.n);
  }

  private batch(message: Extract<ServerMessage, { type: "batch" }>): void {
    if (!this.state.applyBatch(message, this.clock.now())) this.sync.request();
  }

  get phase(): Phase {
    const { msg, progress, status, pending } = this.state;
    return phaseOf({ msg, progress, status, pending, connected: this.connected });
  }

  /** Whether buttons make sense. */
  get canAct(): boolean {
    return this.connected && this.state.live && this.state.status !== "finished";
  }

  /** Whether the kernel has not answered for long. */
  get silent(): boolean {
    return this.sync.silent && this.state.status !== "finished";
  }

  /** Answer a question; a second answer to the same one is not sent. */
  decide(call: Pending, approved: boolean, { input = null, rules = null, note = null }: Partial<Said> = {}): void {
    const { reply_id, tool_call_id, digest } = call;
    const message = { reply_id, tool_call_id, digest, approved, input, rules, note };
    if (this.canAct) this.requests.ask(callKey(call), { v: VERSION, type: "decide", id: this.nextId(), ...message });
  }

  submitResult(call: Pending, output: string, state: "success" | "error"): void {
    const { reply_id, tool_call_id, digest } = call;
    const message = { reply_id, tool_call_id, digest, output, state };
    if (this.canAct) this.requests.ask(callKey(call), { v: VERSION, type: "result", id: this.nextId(), ...message });
  }

  /** A person can see the question; told once, whatever the number of views. */
  shown(call: Pending): void {
    const { reply_id, tool_call_id, digest } = call;
    const message = { reply_id, tool_call_id, digest };
    if (this.canAct) this.requests.ask(shownKey(call), { v: VERSION, type: "shown", id: this.nextId(), ...message });
  }

  stop(): void {
    if (this.canAct) this.requests.ask("stop", { v: VERSION, type: "stop", id: this.nextId() });
  }

  /** Bytes of a block that were left out; undefined until they are here (then listeners are told). A refused one is asked for `again` only. */
  fetch(ref: BlockRef, again = false): Loaded | undefined {
    const key = blockKey(ref);
    const loaded = this.blobs.get(key);
    if (!loaded && this.connected && (again || !this.requests.state(key))) {
      this.requests.ask(key, { v: VERSION, type: "fetch", id: this.nextId(), ...ref }, (answer, buffers) => {
        const view = buffers[0];
        if (answer.type !== "ack" || !view) return;
        const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
        this.blobs.set(key, { bytes, mediaType: answer.media_type ?? "" });
      });
    }
    return loaded;
  }

  request(key: string): RequestState | undefined {
    return this.requests.state(key);
  }

  private dropDecided(): void {
    const waiting = new Set(this.state.pending.flatMap((call) => [callKey(call), shownKey(call)]));
    for (const key of this.requests.keys()) if (/^(shown:)?call:/.test(key) && !waiting.has(key)) this.requests.drop(key);
  }

  private nextId(): string {
    this.counter += 1;
    return `${this.name}-${this.counter}`;
  }

  private send(message: ClientMessage): void {
    try {
      this.comm(message);
    } catch (error) {
      // The host throws when the kernel is gone. That is a state to show, not a fault to report.
      if (this.connected) console.info("nb_agentscope: no kernel answers", error);
      this.connected = false;
      this.changed();
    }
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** One question to a person: another input, another occurrence of the call or asking it again is another question. */
export function callKey(call: Pending): string {
  return `call:${JSON.stringify([call.reply_id, call.tool_call_id, call.digest, call.asked_at])}`;
}

function shownKey(call: Pending): string {
  return `shown:${callKey(call)}`;
}

export function blockKey(ref: BlockRef): string {
  return `block:${ref.reply_id}:${ref.tool_call_id ?? ""}:${ref.block_id}`;
}
