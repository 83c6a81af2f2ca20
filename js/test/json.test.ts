import { expect, test } from "vitest";
import { inline, type Json, readJson, readWholeJson } from "../src/render/json";

const WHOLE = '{"path": "a\\n\\u00e9\\"b", "n": 12345678901234567890, "deep": {"list": [1, "two", [true, null]], "e": {}}, "s": ""}';

/** As JSON.parse would give it, numbers as their text. */
function plain(json: Json): unknown {
  if (json.kind === "object") return Object.fromEntries(json.entries.map(([key, value]) => [key, plain(value)]));
  if (json.kind === "array") return json.items.map(plain);
  return json.kind === "string" ? json.value : json.text;
}

test("whole JSON is read as it is, long numbers digit by digit", () => {
  expect(plain(readJson(WHOLE)!)).toEqual({
    path: 'a\né"b', n: "12345678901234567890", deep: { list: ["1", "two", ["true", "null"]], e: {} }, s: "",
  });
});

test("every prefix of an object can be shown, and keys never go away again", () => {
  let keys = 0;
  for (let i = 1; i <= WHOLE.length; i += 1) {
    const json = readJson(WHOLE.slice(0, i));
    expect(json?.kind).toBe("object");
    if (json?.kind !== "object") continue;
    expect(json.entries.length).toBeGreaterThanOrEqual(keys);
    keys = json.entries.length;
  }
  expect(keys).toBe(4);
});

test("duplicate keys are both there, for a person to see", () => {
  const json = readWholeJson('{"path": "a", "path": "b"}');
  expect(json && inline(json)).toBe("{path: a, path: b}");
});

test.each(["{", '{"a": }', '{"a": 1} x', "{'a': 1}", "[1", ""])("%j is not taken for what runs", (text) => {
  expect(readWholeJson(text)).toBeNull();
});

test("deep nesting ends in no result instead of a full stack", () => {
  expect(readJson("[".repeat(100_000))).toBeNull();
});
