// What the package remarked on a run, as a view shows it: the newest notes, each cut.
const MAX_NOTES = 20;
const MAX_NOTE = 500;

/** The notes with one more; what is no text, as anything may be in a log, is none. */
export function withNote(notes: readonly string[], text: unknown): string[] {
  return typeof text === "string" && text !== "" ? [...notes, cut(text)].slice(-MAX_NOTES) : [...notes];
}

/** Characters are code points, as in Python; none has more than two units, so the rest need not be looked at. */
function cut(text: string): string {
  const points = Array.from(text.slice(0, 2 * MAX_NOTE + 2));
  return points.length > MAX_NOTE ? `${points.slice(0, MAX_NOTE).join("")}…` : text;
}
