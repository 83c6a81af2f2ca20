// Reads JSON that may be cut anywhere (arguments as they stream), and keeps numbers and duplicate keys as they were written:
// a person who approves a call must see what is there, not what a parser made of it.
import { escapeHidden } from "./visible";

export type Json =
  | { kind: "object"; entries: [string, Json][]; open: boolean }
  | { kind: "array"; items: Json[]; open: boolean }
  | { kind: "string"; value: string; open: boolean }
  | { kind: "literal"; text: string };

const LITERAL = /[^\s,:{}[\]"]+/y;
const STRING_PART = /[^"\\]+/y;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const MAX_DEPTH = 40;

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  skip(): string {
    while (" \n\r\t".includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at += 1;
    return this.text.charAt(this.at);
  }

  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  value(depth: number): Json | null {
    const next = this.skip();
    if (depth > MAX_DEPTH || next === "") return null;
    if (next === "{") return this.object(depth);
    if (next === "[") return this.array(depth);
    if (next === '"') return this.string();
    const text = this.take(LITERAL);
    return text ? { kind: "literal", text } : null;
  }

  string(): Json & { kind: "string" } {
    const parts: string[] = [];
    this.at += 1;
    while (this.at < this.text.length) {
      const char = this.text.charAt(this.at);
      if (char === '"') {
        this.at += 1;
        return { kind: "string", value: parts.join(""), open: false };
      }
      parts.push(char === "\\" ? this.escape() : this.take(STRING_PART));
    }
    return { kind: "string", value: parts.join(""), open: true };
  }

  private escape(): string {
    const char = this.text.charAt(this.at + 1);
    const hex = char === "u" ? this.text.slice(this.at + 2, this.at + 6) : "";
    this.at += char === "u" ? 6 : 2;
    if (char !== "u") return ESCAPES[char] ?? char;
    return /^[0-9a-fA-F]{4}$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : "";
  }

  private object(depth: number): Json | null {
    const entries: [string, Json][] = [];
    this.at += 1;
    for (;;) {
      const next = this.skip();
      if (next === "}") return this.closed({ kind: "object", entries, open: false });
      if (next === ",") {
        this.at += 1;
        continue;
      }
      if (next !== '"') return next === "" ? { kind: "object", entries, open: true } : null;
      const key = this.string();
      if (this.skip() !== ":") return this.at >= this.text.length ? { kind: "object", entries, open: true } : null;
      this.at += 1;
      const value = this.value(depth + 1);
      if (value) entries.push([key.value, value]);
      if (this.at >= this.text.length) return { kind: "object", entries, open: true };
      if (!value) return null;
    }
  }

  private array(depth: number): Json | null {
    const items: Json[] = [];
    this.at += 1;
    for (;;) {
      const next = this.skip();
      if (next === "]") return this.closed({ kind: "array", items, open: false });
      if (next === "") return { kind: "array", items, open: true };
      if (next === ",") {
        this.at += 1;
        continue;
      }
      const value = this.value(depth + 1);
      if (!value) return this.at >= this.text.length ? { kind: "array", items, open: true } : null;
      items.push(value);
    }
  }

  private closed<T>(value: T): T {
    this.at += 1;
    return value;
  }
}

/** The value that `text` holds or begins; null if it is no JSON so far. */
export function readJson(text: string): Json | null {
  const reader = new Reader(text);
  const value = reader.value(0);
  return reader.skip() === "" ? value : null;
}

/** Read complete JSON only: what is cut, trailed or malformed is not shown as if it were what runs. */
export function readWholeJson(text: string): Json | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return readJson(text);
}

/** One line: what stands in the text, without its white space. */
export function inline(json: Json): string {
  switch (json.kind) {
    case "object":
      return `{${json.entries.map(([key, value]) => `${key}: ${inline(value)}`).join(", ")}}`;
    case "array":
      return `[${json.items.map(inline).join(", ")}]`;
    case "string":
      return json.value;
    default:
      return json.text;
  }
}

/** As JSON on one line, with numbers and duplicate keys as they were written. */
export function compact(json: Json): string {
  switch (json.kind) {
    case "object":
      return `{${json.entries.map(([key, value]) => `${quote(key)}: ${compact(value)}`).join(", ")}}`;
    case "array":
      return `[${json.items.map(compact).join(", ")}]`;
    case "string":
      return quote(json.value);
    default:
      return json.text;
  }
}

/** As JSON to be edited: one entry a line. */
export function pretty(json: Json, indent = ""): string {
  const inner = `${indent}  `;
  const lines = (open: string, items: string[], close: string) => `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
  if (json.kind === "object" && json.entries.length > 0) {
    return lines("{", json.entries.map(([key, value]) => `${quote(key)}: ${pretty(value, inner)}`), "}");
  }
  const deep = json.kind === "array" && json.items.some((item) => item.kind === "object" || item.kind === "array");
  return deep ? lines("[", json.items.map((item) => pretty(item, inner)), "]") : compact(json);
}

/** A JSON string in which no character hides. */
function quote(text: string): string {
  return escapeHidden(JSON.stringify(text));
}
