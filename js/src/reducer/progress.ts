// What a view wants to know of a run and a message cannot hold: the mirror of Python's Progress.
import type { AgentEvent, EventOf, Msg, PermissionRule, WireEvent } from "../protocol";
import { withNote } from "./notes";

export interface Decision {
  decision: "approved" | "denied" | "answered" | "interrupted";
  by: string | null;
  at: string | null;
  waited_s: number | null;
  edited_input: string | null;
  note: string | null;
  /** Accepted with the call. */
  rules: PermissionRule[];
}

export interface ToolProgress {
  progress: number | null;
  total: number | null;
  message: string | null;
}

export interface Progress {
  agent: string | null;
  session_id: string | null;
  reply_id: string | null;
  model: string | null;
  model_open: boolean;
  model_calls: number;
  unknown_usage: number;
  model_started_at: string | null;
  first_content_at: string | null;
  model_ended_at: string | null;
  model_output_tokens: number;
  other_events: number;
  notes: string[];
  started_at: string | null;
  inputs: Msg[];
  asked: Record<string, string | null>;
  decisions: Record<string, Decision>;
  tool_progress: Record<string, ToolProgress>;
}

export function emptyProgress(): Progress {
  return {
    agent: null, session_id: null, reply_id: null, model: null, model_open: false, model_calls: 0, unknown_usage: 0,
    model_started_at: null, first_content_at: null, model_ended_at: null, model_output_tokens: 0, other_events: 0,
    notes: [], started_at: null, inputs: [], asked: byId(), decisions: byId(), tool_progress: byId(),
  };
}

/** A table by ids of others, without the names that every object has: a call may be called "constructor". */
function byId<T>(entries: Record<string, T> = {}): Record<string, T> {
  const table = Object.create(null) as Record<string, T>;
  for (const [id, value] of Object.entries(entries)) table[id] = value;
  return table;
}

/** A copy of what the kernel sent. */
export function progressFrom(given: Partial<Progress>): Progress {
  const copy = { ...emptyProgress(), ...structuredClone(given) };
  return { ...copy, asked: byId(copy.asked), decisions: byId(copy.decisions), tool_progress: byId(copy.tool_progress) };
}

/** Whether a view can show it: any agent can emit an event that looks like our input. */
function isMsg(value: unknown): value is Msg {
  const msg = value as Msg | null;
  if (typeof msg !== "object" || msg === null || typeof msg.name !== "string" || typeof msg.role !== "string") return false;
  return Array.isArray(msg.content) && msg.content.every(isShown);
}

function isShown(value: unknown): boolean {
  const block = value as { type?: unknown; text?: unknown; source?: { type?: unknown; url?: unknown; data?: unknown; media_type?: unknown } } | null;
  if (typeof block !== "object" || block === null) return false;
  if (block.type === "text") return typeof block.text === "string";
  if (block.type !== "data") return typeof block.type === "string";
  const { source } = block;
  if (typeof source?.media_type !== "string") return false;
  return source.type === "url" ? typeof source.url === "string" : source.type === "base64" && typeof source.data === "string";
}

/** Text of a call's arguments so far; null if the call is not known. */
export type InputOf = (callId: string) => string | null;

/** Take one event into account. */
export function pushProgress(progress: Progress, event: WireEvent, inputOf: InputOf): void {
  const handler = HANDLERS[event.type] as Handler | undefined;
  handler?.(progress, event, inputOf);
}

type Handler = (progress: Progress, event: WireEvent, inputOf: InputOf) => void;
type Table = { [E in AgentEvent as E["type"]]?: (progress: Progress, event: WireEvent & E, inputOf: InputOf) => void };

const HANDLERS: Table = {
  REPLY_START: (progress, event) => {
    if (event.reply_id !== progress.reply_id) progress.started_at = event.created_at;
    progress.agent = event.name;
    progress.session_id = event.session_id;
    progress.reply_id = event.reply_id;
  },
  MODEL_CALL_START: (progress, event) => {
    progress.model = event.model_name;
    progress.model_open = true;
    progress.model_calls += 1;
    progress.model_started_at = event.created_at;
    progress.first_content_at = progress.model_ended_at = null;
    progress.model_output_tokens = 0;
  },
  MODEL_CALL_END: (progress, event) => {
    progress.model_open = false;
    progress.model_ended_at = event.created_at;
    progress.model_output_tokens = event.output_tokens;
    if (event.input_tokens === 0 && event.output_tokens === 0) progress.unknown_usage += 1;
  },
  REPLY_END: (progress) => {
    progress.model_open = false;
  },
  TEXT_BLOCK_DELTA: text,
  THINKING_BLOCK_DELTA: text,
  TOOL_CALL_DELTA: text,
  DATA_BLOCK_DELTA: (progress, event) => {
    // Large data stays in the kernel; its size is content all the same.
    if (event.data || event.url || event.withheld) content(progress, event);
  },
  REQUIRE_USER_CONFIRM: asked,
  REQUIRE_EXTERNAL_EXECUTION: asked,
  USER_CONFIRM_RESULT: (progress, event, inputOf) => {
    const shown = event.metadata["nb_agentscope.shown"];
    for (const { confirmed, tool_call: call, rules } of event.confirm_results) {
      // A repair of the arguments was shown in their place: only what differs from it is a person's edit.
      const before = typeof shown === "string" ? shown : inputOf(call.id);
      const edited = before !== null && call.input !== before ? call.input : null;
      decide(progress, event, call.id, confirmed ? "approved" : "denied", edited, confirmed ? rules : null);
    }
  },
  EXTERNAL_EXECUTION_RESULT: (progress, event) => {
    for (const result of event.execution_results) decide(progress, event, result.id, "answered", null);
  },
  USER_INTERRUPT: (progress, event) => {
    for (const id of Object.keys(progress.asked)) decide(progress, event, id, "interrupted", null);
  },
  CUSTOM: (progress, event) => {
    const { messages } = event.value;
    if (event.name === "nb_agentscope.input") progress.inputs.push(...structuredClone(Array.isArray(messages) ? messages.filter(isMsg) : []));
    else if (event.name === "mcp_progress") toolProgress(progress, event.value);
    else if (event.name === "nb_agentscope.note") progress.notes = withNote(progress.notes, event.value.text);
    else if (event.name === "nb_agentscope.unknown" || !event.name.startsWith("nb_agentscope.")) progress.other_events += 1;
    if (event.name === "nb_agentscope.unknown") progress.notes = withNote(progress.notes, event.value.problem);
  },
};

function timeOf(event: WireEvent): string | null {
  return event.recorded?.at ?? event.created_at;
}

function text(progress: Progress, event: WireEvent & EventOf<"TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA" | "TOOL_CALL_DELTA">): void {
  if (event.delta !== "") content(progress, event);
}

function content(progress: Progress, event: WireEvent): void {
  if (progress.first_content_at === null && progress.model_open) progress.first_content_at = event.created_at;
}

function asked(progress: Progress, event: WireEvent & EventOf<"REQUIRE_USER_CONFIRM" | "REQUIRE_EXTERNAL_EXECUTION">): void {
  for (const call of event.tool_calls) {
    progress.asked[call.id] = timeOf(event);
    delete progress.decisions[call.id];
  }
}

/** The first answer counts: a late confirmation after an interrupt changes nothing. */
function decide(
  progress: Progress, event: WireEvent, callId: string, decision: Decision["decision"], edited: string | null,
  rules: readonly PermissionRule[] | null = null,
): void {
  if (callId in progress.decisions) return;
  const note = event.type === "USER_CONFIRM_RESULT" ? event.metadata["nb_agentscope.note"] : null;
  const at = timeOf(event);
  progress.decisions[callId] = {
    decision, by: event.recorded?.by ?? null, at, waited_s: seconds(progress.asked[callId] ?? null, at),
    edited_input: edited, note: typeof note === "string" ? note : null, rules: structuredClone([...(rules ?? [])]),
  };
}

const ZONE = /(Z|[+-]\d\d:?\d\d)$/i;

/** Seconds between two ISO times, to the millisecond; null if one is missing or only one has a time zone. */
export function seconds(from: string | null, to: string | null): number | null {
  if (from === null || to === null || ZONE.test(from) !== ZONE.test(to)) return null;
  const span = (Date.parse(to) - Date.parse(from)) / 1000;
  return Number.isFinite(span) ? span : null;
}

function toolProgress(progress: Progress, value: Record<string, unknown>): void {
  const id = value.tool_call_id;
  if (typeof id !== "string") return;
  const number = (key: string) => (Number.isFinite(value[key]) && Math.abs(value[key] as number) < 2 ** 1023 ? (value[key] as number) : null);
  progress.tool_progress[id] = {
    progress: number("progress"), total: number("total"), message: typeof value.message === "string" ? value.message : null,
  };
}
