// Recorded streams, and small ones made by hand.
import { readFileSync } from "node:fs";
import type { PermissionRule, WireEvent } from "../src/protocol";

const VECTORS = `${import.meta.dirname}/../../tests/vectors`;

export function recorded(name: string): WireEvent[] {
  const text = readFileSync(`${VECTORS}/${name}.jsonl`, "utf8");
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line) as WireEvent);
}

let counter = 0;

/** An event with the common fields filled in; `second` is its time. */
export function event(type: WireEvent["type"], second: number, fields: Record<string, unknown> = {}): WireEvent {
  counter += 1;
  const created_at = new Date(Date.UTC(2026, 2, 1, 9, 30) + second * 1000).toISOString();
  return { id: `e${counter}`, created_at, metadata: {}, type, reply_id: "r1", ...fields } as unknown as WireEvent;
}

export const start = (name = "Friday") => event("REPLY_START", 0, { session_id: "s", name, role: "assistant" });
export const end = (fields: Record<string, unknown> = {}) =>
  event("REPLY_END", 60, { session_id: "s", finished_reason: "completed", error: null, ...fields });

export function text(content: string, id = "t1", finished = true): WireEvent[] {
  const events = [event("TEXT_BLOCK_START", 1, { block_id: id }), event("TEXT_BLOCK_DELTA", 1, { block_id: id, delta: content })];
  return finished ? [...events, event("TEXT_BLOCK_END", 2, { block_id: id, text: null })] : events;
}

export function call(id: string, name: string, input: string): WireEvent[] {
  return [
    event("TOOL_CALL_START", 3, { tool_call_id: id, tool_call_name: name }),
    event("TOOL_CALL_DELTA", 3, { tool_call_id: id, delta: input }),
    event("TOOL_CALL_END", 3, { tool_call_id: id }),
  ];
}

export function result(id: string, name: string, output: string, state = "success"): WireEvent[] {
  return [
    event("TOOL_RESULT_START", 4, { tool_call_id: id, tool_call_name: name }),
    event("TOOL_RESULT_TEXT_DELTA", 4, { tool_call_id: id, delta: output }),
    event("TOOL_RESULT_END", 6, { tool_call_id: id, state, metadata: {} }),
  ];
}

/** Ask a person about calls given as [id, name, input, suggested rules]. */
export function ask(...calls: [string, string, string, PermissionRule[]?][]): WireEvent {
  const tool_calls = calls.map(([id, name, input, suggested_rules = []]) => ({
    type: "tool_call", id, name, input, state: "asking", suggested_rules, created_at: "", finished_at: null,
  }));
  return event("REQUIRE_USER_CONFIRM", 5, { tool_calls });
}

/** The same events as those of a sub-agent with its own reply, called by `callId` of `replyId`. */
export function nested(events: WireEvent[], own: string, source = "Friday/researcher", replyId: string | null = "r1", callId: string | null = "c1"): WireEvent[] {
  return events.map((one) => ({
    ...one, reply_id: own, metadata: { ...one.metadata, source, parent_reply_id: replyId, parent_tool_call_id: callId },
  }) as unknown as WireEvent);
}

/** A suggested rule. */
export const rule = (rule_content: string | null, tool_name = "Bash", behavior: PermissionRule["behavior"] = "allow"): PermissionRule => (
  { tool_name, rule_content, behavior, source: "suggested" }
);
