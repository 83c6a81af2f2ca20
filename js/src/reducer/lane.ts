// Lanes: the streams of sub-agents inside the stream of the agent that called them. Who speaks stands in an event's metadata.
import type { WireEvent } from "../protocol";

/** Whose events these are. All of it is foreign text. */
export interface LaneId {
  /** Path of agent names, the outermost first: `assistant/researcher`. */
  source: string;
  /** The reply and the call that called this agent, if known. */
  parent_reply_id: string | null;
  parent_tool_call_id: string | null;
}

/**
 * The lane of an event; null for the main lane. A tool's own metadata may hold a `source` that means something else, so an event
 * of a reply that is known to be of the main lane stays there.
 */
export function laneOf(event: WireEvent, main: ReadonlySet<string>): LaneId | null {
  const metadata = event.metadata as Record<string, unknown> | undefined;
  const source = metadata?.source;
  if (typeof source !== "string") return null;
  if ("reply_id" in event && main.has(event.reply_id)) return null;
  return { source, parent_reply_id: text(metadata?.parent_reply_id), parent_tool_call_id: text(metadata?.parent_tool_call_id) };
}

export function laneKey(lane: LaneId): string {
  return JSON.stringify([lane.source, lane.parent_reply_id, lane.parent_tool_call_id]);
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
