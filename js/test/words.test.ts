// The same words and numbers in Python and here: both read tests/fixtures/format.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { HintBlock, Msg, ThinkingBlock } from "../src/protocol";
import { growingMsg } from "../src/reducer/blocks";
import { ENDED } from "../src/reducer/phase";
import { type Decision, emptyProgress } from "../src/reducer/progress";
import { statsOf } from "../src/render/footer";
import { bytes, clock, count, duration, plural } from "../src/render/format";
import { recordLine } from "../src/render/record";
import { EndView, ERRORS, HintView } from "../src/render/small_views";
import { settled } from "../src/render/thinking_view";
import { STATES } from "../src/render/tool_state";
import { editLine, OPEN, WAITS } from "../src/render/tool_view";

const read = (name: string) => JSON.parse(readFileSync(`${import.meta.dirname}/../../tests/fixtures/format/${name}.json`, "utf8"));
const numbers = read("numbers");
const words = read("words");
const decision = (given: Partial<Decision>): Decision => ({
  decision: "approved", by: null, at: null, waited_s: null, edited_input: null, note: null, rules: [], ...given,
});

test.each([["duration", duration], ["clock", clock], ["size", bytes], ["count", count]] as const)("%s", (name, format) => {
  for (const [value, text] of numbers[name]) expect(format(value), `${value}`).toBe(text);
});

test("plural", () => {
  for (const [value, one, text] of numbers.plural) expect(plural(value, one)).toBe(text);
});

test("phases, calls and errors", () => {
  expect(Object.fromEntries(Object.entries(ENDED).map(([reason, { kind, label }]) => [reason, [kind, label]]))).toEqual(words.phases);
  expect(Object.fromEntries(Object.entries(STATES).map(([name, state]) => [name, [state.kind, state.word, state.icon]]))).toEqual(words.calls);
  expect([...OPEN, ...WAITS].sort()).toEqual(words.open_calls);
  expect(ERRORS).toEqual(words.errors);
});

test("an empty reply", () => {
  for (const [reason, text] of words.empty) {
    const view = new EndView();
    view.update({ error: null, finished_reason: reason } as Msg);
    expect(view.el.textContent).toBe(text);
  }
});

test("decisions and edits", () => {
  for (const [given, text] of words.records) expect(recordLine(decision(given)).textContent).toBe(text);
  for (const [by, text] of words.edited) expect(editLine(decision({ by }), "{}").textContent).toBe(`${text}{}`);
});

test("thinking", () => {
  for (const [thinking, created_at, finished_at, text] of words.thinking) {
    const msg = growingMsg({ id: "m", content: [{ type: "thinking", id: "t", thinking, created_at, finished_at }] } as unknown as Msg);
    expect(settled(msg.content[0] as ThinkingBlock)).toBe(text);
  }
});

test("hints", () => {
  for (const [source, text] of words.hints) {
    const view = new HintView("r");
    view.update({ type: "hint", id: "h", source, hint: "x" } as HintBlock, {} as never);
    expect(view.el.querySelector("summary")?.textContent).toBe(text);
  }
});

test("the footer", () => {
  for (const [usages, progress, stats] of words.stats) {
    const msgs = usages.map((usage: number[] | null) => ({
      usage: usage && { input_tokens: usage[0], cache_input_tokens: usage[1], output_tokens: usage[2] },
    }));
    expect(statsOf(msgs, { ...emptyProgress(), ...progress })).toEqual(stats);
  }
});
