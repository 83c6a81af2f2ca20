// What differs between two texts of arguments.
import { expect, test } from "vitest";
import { changesOf, differing } from "../src/render/changes";
import { compact, pretty, readWholeJson } from "../src/render/json";

test.each([
  ['{"a": 1, "b": 2}', '{ "b":2,"a":1 }', []],
  ["", "{}", []],
  ['{"a": 1}', '{"a": 1.0}', [["a", "1", "1.0"]]],
  ['{"a": 1}', '{"a": 1, "a": 2}', [["a", "1", "1, 2"]]],
  ['{"a": "1"}', '{"a": 1}', [["a", '"1"', "1"]]],
  ['{"a": 1}', '{"__proto__": 1}', [["a", "1", null], ["__proto__", null, "1"]]],
  ["not json", '{"a": 1}', [[null, "not json", '{"a": 1}']]],
  ['{"a": [1, {"b": "x\\ny"}]}', '{"a": [1, {"b": "x"}]}', [["a", '[1, {"b": "x\\ny"}]', '[1, {"b": "x"}]']]],
])("%j → %j", (before, after, expected) => {
  expect(changesOf(before, after).map(({ key, before, after }) => [key, before, after])).toEqual(expected);
});

test("of long texts the part that differs is shown, and what is left out is counted", () => {
  const long = "x".repeat(5000);
  const [old, now] = differing(`${long}cat${long}`, `${long}dog${long}`);
  expect([old.includes("cat"), now.includes("dog"), old.length < 80]).toEqual([true, true, true]);
  expect(differing("", long)[1]).toContain("… (4760 more characters)");
  expect(differing("abc", "abd")).toEqual(["abc", "abd"]);
});

test("no character is halved", () => {
  const faces = "😀".repeat(300);
  for (const text of [...differing(`${faces}a${faces}`, `${faces}b${faces}`), ...differing("", faces)]) expect(/\p{Surrogate}/u.test(text)).toBe(false);
});

test.each(['{"a":{"b":[1,2,{"c":null}],"d":{}},"e":1e400,"f":"\\u202e\\n"}', "[]", "{}", "[[1],[]]"])("%s reads the same after it was spread over lines", (text) => {
  const json = readWholeJson(text)!;
  expect(compact(readWholeJson(pretty(json))!)).toBe(compact(json));
  expect(JSON.parse(pretty(json))).toEqual(JSON.parse(text));
});
