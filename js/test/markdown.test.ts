// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { Markdown } from "../src/render/markdown";

const TEXTS = ["First words", "# Title\n\n- one\n- two **bold**", "a | b\n--|--\n1 | 2", "`code` and 3 * 4", "1. first\n2. second"];

function shownAfter(pieces: string[], end: boolean): HTMLElement {
  const root = document.createElement("div");
  const markdown = new Markdown(root);
  for (const piece of pieces) markdown.write(piece);
  if (end) markdown.end();
  return root;
}

describe("Markdown", () => {
  it("shows the last letter before the next one comes", () => {
    expect(shownAfter(["First wor", "ds"], false).textContent).toBe("First words");
  });

  it.each(TEXTS)("ends the same whole and letter by letter: %j", (text) => {
    expect(shownAfter([...text], true).innerHTML).toBe(shownAfter([text], true).innerHTML);
  });

  it("never shows a letter twice or a mark that may become markup", () => {
    const root = document.createElement("div");
    const markdown = new Markdown(root);
    for (const letter of "say **no** more") {
      markdown.write(letter);
      expect("say no more".startsWith(root.textContent!.replaceAll("*", "")), root.textContent!).toBe(true);
    }
  });
});
