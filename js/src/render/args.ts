// Arguments of a call as key: value; multi-line strings as text.
import { button, fill, h } from "./dom";
import { count, plural } from "./format";
import { compact, inline, type Json, readJson, readWholeJson } from "./json";
import { visible } from "./visible";

const LONG_CHARS = 2000;
const LONG_LINES = 30;
/** Longer arguments are shown as their raw end while they stream. */
const LIVE_LIMIT = 60_000;

/** How values are shown: whole, or cut with a button; `hidden` counts what is still cut. */
export class Cuts {
  hidden = 0;
  constructor(private readonly revealed: () => void) {}

  value(text: string): HTMLElement {
    const lines = text.split("\n");
    const block = lines.length > 1 || text.length > 200;
    const holder = h(block ? "pre" : "span", block ? "value-block" : "value-line");
    const shown = lines.slice(0, LONG_LINES).join("\n").slice(0, LONG_CHARS);
    if (shown.length === text.length) {
      fill(holder, ...visible(text));
      return holder;
    }
    this.hidden += 1;
    const rest = `Show the other ${plural(text.length - shown.length, "character")} (${plural(lines.length, "line")} in all)`;
    const more = button("link more", [rest], () => {
      this.hidden -= 1;
      fill(holder, ...visible(text));
      holder.tabIndex = -1;
      holder.focus();
      this.revealed();
    });
    fill(holder, ...visible(shown), "…", more);
    return holder;
  }
}

function value(json: Json, cuts: Cuts): HTMLElement {
  if (json.kind === "object" && json.entries.length > 0) return list(json.entries, cuts);
  if (json.kind === "array" && json.items.some((item) => item.kind === "object" || item.kind === "array")) {
    return list(json.items.map((item, index) => [String(index), item]), cuts);
  }
  if (json.kind === "string") {
    const element = cuts.value(json.value);
    if (element.localName === "span") element.classList.add("nbas-string");
    return element;
  }
  if (json.kind === "literal") return h("span", "value-line literal", {}, ...visible(json.text));
  return h("span", "value-line literal", {}, ...visible(compact(json)));
}

function list(entries: [string, Json][], cuts: Cuts): HTMLElement {
  const element = h("dl", "args");
  for (const [key, item] of entries) {
    element.append(h("dt", "", {}, ...visible(key)), h("dd", "", {}, value(item, cuts)));
  }
  return element;
}

/** Exactly what will run; raw text where it is no JSON object. */
export function exactArgs(input: string, cuts: Cuts): HTMLElement {
  const json = readWholeJson(input);
  if (input.trim() === "" || (json?.kind === "object" && json.entries.length === 0)) return h("p", "none", {}, "no arguments");
  return json?.kind === "object" ? list(json.entries, cuts) : cuts.value(input);
}

/** Arguments as far as they have streamed. */
export function liveArgs(input: string): HTMLElement {
  if (input.length > LIVE_LIMIT) {
    return h("pre", "value-block", {}, `… ${count(input.length)} characters so far\n`, ...visible(input.slice(-LONG_CHARS)));
  }
  const json = readJson(input);
  const cuts = new Cuts(() => undefined);
  return json?.kind === "object" ? list(json.entries, cuts) : cuts.value(input);
}

/** One line for the head of a card: the first scalar arguments. */
export function summary(input: string): string {
  if (input.length > LIVE_LIMIT) return `${count(input.length)} characters of arguments`;
  const json = readJson(input);
  if (json?.kind !== "object") return input.trim().slice(0, 120);
  const scalars = json.entries.filter(([, item]) => item.kind === "string" || item.kind === "literal").slice(0, 3);
  const words = scalars.map(([, item]) => inline(item).replace(/\s+/g, " ").trim().slice(0, 80));
  return words.join(" · ") || (json.entries.length > 0 ? json.entries.map(([key]) => key).join(", ") : "");
}
