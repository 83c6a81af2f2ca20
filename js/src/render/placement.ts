// Where each sub-agent stands in the transcript: in the card of the call that began it, else at the end. Pure.
import type { Msg } from "../protocol";
import { findBlock } from "../reducer/lookup";
import type { Lane, Track } from "../reducer/view";

/** Sub-agents that are nested deeper stand at the end, too: nobody can read them in a notebook's column. */
const MAX_DEPTH = 6;

export interface Placement {
  /** Lanes that no call has begun, as far as is known. */
  loose: readonly Lane[];
  /** Lanes that a call of a track has begun. */
  under(track: Track, replyId: string, callId: string): readonly Lane[];
}

const NONE: readonly Lane[] = [];
const EMPTY: Placement = { loose: NONE, under: () => NONE };

/** Each lane gets exactly one place, whatever the foreign ids say: no lane is lost, and none contains itself. */
export function place(main: Track, lanes: readonly Lane[]): Placement {
  if (lanes.length === 0) return EMPTY;
  const parents = parentsOf(main, lanes);
  const loose: Lane[] = [];
  const placed = new Map<Track, Map<string, Lane[]>>();
  for (const lane of lanes) {
    const parent = parents.get(lane.track);
    if (!parent || !reaches(main, lane.track, parents)) loose.push(lane);
    else {
      const calls = placed.get(parent) ?? placed.set(parent, new Map()).get(parent)!;
      const key = callKey(lane.parent_reply_id, lane.parent_tool_call_id);
      calls.set(key, [...(calls.get(key) ?? []), lane]);
    }
  }
  return { loose, under: (track, replyId, callId) => placed.get(track)?.get(callKey(replyId, callId)) ?? NONE };
}

/** The track that holds the call which began each lane. Of two replies with one id, the first counts. */
function parentsOf(main: Track, lanes: readonly Lane[]): Map<Track, Track> {
  const owners = new Map<string, { track: Track; msg: Msg }>();
  for (const track of [main, ...lanes.map((lane) => lane.track)]) {
    for (const msg of track.msgs) if (!owners.has(msg.id)) owners.set(msg.id, { track, msg });
  }
  const parents = new Map<Track, Track>();
  for (const { track, parent_reply_id: reply, parent_tool_call_id: call } of lanes) {
    const owner = reply === null ? undefined : owners.get(reply);
    if (owner && call !== null && hasCall(owner.msg, call)) parents.set(track, owner.track);
  }
  return parents;
}

function hasCall(msg: Msg, id: string): boolean {
  return Boolean(findBlock(msg, "tool_call", id) ?? findBlock(msg, "tool_result", id));
}

/** Whether the way up ends at the agent itself: it may lead in a circle, or to a lane at the end. */
function reaches(main: Track, from: Track, parents: Map<Track, Track>): boolean {
  let track: Track | undefined = from;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    track = parents.get(track);
    if (!track || track === main) return track === main;
  }
  return false;
}

function callKey(replyId: string | null, callId: string | null): string {
  return JSON.stringify([replyId, callId]);
}
