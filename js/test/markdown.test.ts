// @vitest-environment happy-dom
import { describe, expect, it, test } from "vitest";
import { Markdown } from "../src/render/markdown";

function render(text: string, size = text.length): HTMLElement {
  const root = document.createElement("div");
  const markdown = new Markdown(root);
  for (let i = 0; i < text.length; i += size) markdown.write(text.slice(i, i + size));
  markdown.end();
  return root;
}

function depth(element: Element): number {
  let deepest = 0;
  for (let walk = [{ element, at: 0 }]; walk.length > 0; ) {
    const { element: next, at } = walk.pop()!;
    deepest = Math.max(deepest, at);
    walk = [...walk, ...[...next.children].map((child) => ({ element: child, at: at + 1 }))];
  }
  return deepest;
}

test.each(["> ", ">", "- ", "  - x\n", "**a ", "[a", "![", "1. "])("%j many times does not nest without end", (part) => {
  expect(depth(render(part.repeat(1500)))).toBeLessThan(60);
});

test.each(["*", "`", "_", "$", "|", "~", "[a](http://x.example/", "<", "\\["])("%j without end gives the same in any pieces", (part) => {
  const text = `before ${part.repeat(1500)}\n\n**after**`;
  const whole = render(text).innerHTML;
  expect(render(text, 7).innerHTML).toBe(whole);
  expect(render(text, 1000).innerHTML).toBe(whole);
  expect(whole).toContain("after");
});

test("a link that never ended is shown as it stands", () => {
  expect(render("see [docs](https://x.example/a").textContent).toBe("see docs](https://x.example/a");
});

test.each(["*", "`"])("%j: four times the text costs about four times the work", (part) => {
  const best = (length: number) => Math.min(...[0, 1, 2].map(() => {
    const began = process.cpuUsage();
    render(part.repeat(length));
    return process.cpuUsage(began).user; // not the clock: others may use the machine
  }));
  best(2000);
  expect(best(80_000) / best(20_000)).toBeLessThan(10);
});

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
