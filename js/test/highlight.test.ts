import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { highlight } from "../src/render/highlight";

function colours(text: string, language: string): string[] {
  const code = document.createElement("code");
  code.textContent = text;
  highlight(code, language);
  expect(code.textContent).toBe(text);
  return [...code.children].map((span) => `${span.className.replace("nbas-tok-", "")} ${span.textContent}`);
}

test("strings, comments, numbers and words are told apart, the text stays", () => {
  expect(colours('def f(x):  # note\n    return "a#b" * 2', "python")).toEqual(["word def", "comment # note", "word return", 'string "a#b"', "number 2"]);
  expect(colours("const a = 1; // c", "js")).toEqual(["word const", "number 1", "comment // c"]);
  expect(colours("SELECT a -- c", "sql")).toEqual(["word SELECT", "comment -- c"]);
  expect(colours("x // y", "python")).toEqual([]);
  expect(colours("def x", "text")).toEqual([]);
});

const shared: [string, string, [string, string][]][] = JSON.parse(readFileSync(`${import.meta.dirname}/../../tests/fixtures/format/code.json`, "utf8"));

test.each(shared)("the static transcript has the same colours: %s %j", (language, code, marked) => {
  expect(colours(code, language)).toEqual(marked.map((mark) => mark.join(" ")));
});

test.each(["'", '"'.repeat(5000), "`".repeat(4999), "/*".repeat(9000), '\\"'.repeat(9000), "'''".repeat(3001)])("odd code stays as it is and is quick", (text) => {
  colours(text, "py");
});
