// What a person changed in a call's arguments: pure, from two JSON texts.
import { compact, readWholeJson } from "./json";

export interface Change {
  /** Name of the argument; null: the whole text. */
  key: string | null;
  /** As JSON; null: there is none. */
  before: string | null;
  after: string | null;
}

/** What keeps `text` from being run as arguments, in a sentence; null if nothing does. */
export function problemOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return null;
    return `This must be a JSON object, as in {"name": "value"}; it is ${Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`}.`;
  } catch (error) {
    return text.trim() === "" ? "Write a JSON object; {} means no arguments." : `This is not JSON yet: ${(error as Error).message}`;
  }
}

/** Arguments that differ; white space and the order of arguments are no difference. */
export function changesOf(before: string, after: string): Change[] {
  const old = valuesOf(before);
  const now = valuesOf(after);
  if (!old || !now) return before.trim() === after.trim() ? [] : [{ key: null, before, after }];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].map((key) => ({ key, before: old.get(key) ?? null, after: now.get(key) ?? null })).filter((one) => one.before !== one.after);
}

/** Arguments as JSON by name; null if it is no object. A second value under one name is a difference, too. */
function valuesOf(text: string): Map<string, string> | null {
  const json = text.trim() === "" ? readWholeJson("{}") : readWholeJson(text);
  if (json?.kind !== "object") return null;
  const values = new Map<string, string>();
  for (const [key, value] of json.entries) {
    const known = values.get(key);
    values.set(key, known === undefined ? compact(value) : `${known}, ${compact(value)}`);
  }
  return values;
}

const AROUND = 24;
const SHOWN = 240;

/** The parts of two texts in which they differ, with a little of what is around them. */
export function differing(before: string, after: string): [string, string] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [part(before, start - AROUND, before.length - end + AROUND), part(after, start - AROUND, after.length - end + AROUND)];
}

/** A cut that says what is left out, and halves no character. */
function part(text: string, from: number, to: number): string {
  const start = from <= AROUND ? 0 : whole(text, from);
  const end = to >= text.length - AROUND ? text.length : whole(text, to);
  const shown = text.slice(start, Math.min(end, whole(text, start + SHOWN)));
  const rest = end - start - shown.length;
  return `${start > 0 ? "…" : ""}${shown}${rest > 0 ? `… (${rest} more characters)` : end < text.length ? "…" : ""}`;
}

function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
