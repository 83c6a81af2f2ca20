// Names of sub-agents for people. A source is a path of foreign names: `assistant/researcher`.
import type { Pending } from "../protocol";
import type { Lane } from "../reducer/view";
import type { RunState } from "../state";
import { type Child, h } from "./dom";
import { visible } from "./visible";

const NAME_CHARS = 60;
const ENDS = 3;

/** The names of a path, each cut; of a very long path both ends. The nth lane of one path says so. */
export function namesOf(source: string, nth = 1): string[] {
  const names = source.split("/").map((name) => cut(name) || "agent");
  const last = names.length - 1;
  if (nth > 1) names[last] = `${names[last]} #${nth}`;
  const left = names.length - 2 * ENDS;
  return left > 1 ? [...names.slice(0, ENDS), `… ${left} more …`, ...names.slice(-ENDS)] : names;
}

/** The name of the agent alone. */
export function nameOf(lane: Lane): string {
  return namesOf(lane.source, lane.nth).at(-1)!;
}

/** Names of the agents that a call comes through; none for the agent itself. */
export function pathOf(call: Pending, lanes: readonly Lane[]): string[] {
  if (call.source === null || call.source === undefined) return [];
  const lane = lanes.find((one) => one.source === call.source && one.track.ids.has(call.reply_id));
  return namesOf(call.source, lane?.nth);
}

/** The path and the call's name in one line, for those who listen. */
export function spokenPath(call: Pending, state: RunState): string {
  return [...pathOf(call, state.lanes), call.name].join(" › ");
}

/** Each name is isolated, so that none can pass for a separator or turn the others around. */
export function pathNodes(names: readonly string[]): Child[] {
  return names.flatMap((name) => [h("bdi", "step", {}, ...visible(name)), h("span", "sep", {}, " › ")]);
}

function cut(name: string): string {
  const points = Array.from(name.slice(0, 2 * NAME_CHARS + 2));
  return points.length > NAME_CHARS ? `${points.slice(0, NAME_CHARS).join("")}…` : name;
}
