// What a person must see before they approve: characters that hide or reorder text are shown as their code points.
import { h } from "./dom";

// Controls except tab and newline, soft hyphen, fillers, zero-width and bidi controls, line separators, odd spaces, tags.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/gu;

/** Text nodes, with hidden characters as marked code points between them. */
export function visible(text: string): Node[] {
  const nodes: Node[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) nodes.push(document.createTextNode(text.slice(from, match.index)));
    const code = codeOf(match[0]);
    nodes.push(h("span", "ctl", { title: `hidden character ${code}` }, code));
    from = match.index + match[0].length;
  }
  if (from < text.length) nodes.push(document.createTextNode(text.slice(from)));
  return nodes;
}

/** Text of a JSON document with those characters as escapes, so that a text field shows them. */
export function escapeHidden(json: string): string {
  const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(HIDDEN, (found) => found.split("").map(unit).join(""));
}

/** The code points of those characters in a text, each once. */
export function hiddenIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(HIDDEN), (match) => codeOf(match[0])))];
}

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Tool output for the eye: terminal colours taken out. */
export function withoutAnsi(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "");
}
