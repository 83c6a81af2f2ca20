// What a person changed in a call's arguments: pure, from two JSON texts.
import { compact, type Json, readWholeJson } from "./json";

export interface Change {
  /** Name of the argument; null: the whole text. */
  key: string | null;
  /** As JSON; null: there is none. */
  before: string | null;
  after: string | null;
}

type Entries = [string, Json][];

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
  const old = entriesOf(before);
  const now = entriesOf(after);
  if (!old || !now) return before.trim() === after.trim() ? [] : [{ key: null, before, after }];
  const keys = new Set([...old, ...now].map(([key]) => key));
  return [...keys].map((key) => ({ key, before: valueOf(old, key), after: valueOf(now, key) })).filter((one) => one.before !== one.after);
}

function entriesOf(text: string): Entries | null {
  if (text.trim() === "") return [];
  const json = readWholeJson(text);
  return json?.kind === "object" ? json.entries : null;
}

/** All values of a key: a second one under the same name is a difference. */
function valueOf(entries: Entries, key: string): string | null {
  const values = entries.filter(([name]) => name === key).map(([, value]) => compact(value));
  return values.length > 0 ? values.join(", ") : null;
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
