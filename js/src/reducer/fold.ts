// From a stream of events to messages.
import type { Msg, WireEvent } from "../protocol";
import { appendEvent } from "./append";
import { laneOf } from "./lane";
import { findBlock } from "./lookup";

/** Messages of a stream: a REPLY_START with an unseen reply id begins one, all else goes to the newest. */
export class Fold {
  readonly msgs: Msg[];
  /** Ids of all messages. */
  readonly ids: Set<string>;

  constructor(msgs: Msg[] = []) {
    this.msgs = msgs;
    this.ids = new Set(msgs.map((msg) => msg.id));
  }

  /** Fold an event of the main lane; those of sub-agents belong to other messages and are skipped. */
  push(event: WireEvent): void {
    if (!laneOf(event, this.ids)) this.take(event);
  }

  /** Fold an event of whatever lane this fold is for. */
  take(event: WireEvent): void {
    if (event.type === "REPLY_START" && !this.ids.has(event.reply_id)) {
      this.ids.add(event.reply_id);
      this.msgs.push(emptyReply(event.reply_id, event.name, event.created_at));
      return;
    }
    const newest = this.msgs.at(-1);
    if (newest) appendEvent(newest, event);
  }
}

/** The arguments of a call so far, in the newest message that has it. */
export function inputOf(msgs: readonly Msg[], callId: string): string | null {
  for (let i = msgs.length - 1; i >= 0; i -= 1) {
    const call = findBlock(msgs[i]!, "tool_call", callId);
    if (call) return call.input;
  }
  return null;
}

function emptyReply(id: string, name: string, createdAt: string): Msg {
  return {
    name, content: [], role: "assistant", id, metadata: {}, created_at: createdAt,
    usage: null, finished_at: null, finished_reason: null, structured_output: null, error: null,
  };
}

/** All replies of the main lane of `events`, in order of their start. */
export function foldAll(events: Iterable<WireEvent>): Msg[] {
  const fold = new Fold();
  for (const event of events) fold.push(event);
  return fold.msgs;
}
