// The approval card: Deny with a note, approve once, approve with rules, run edited.
import { expect, test } from "vitest";
import type { ClientMessage, PermissionRule, ServerMessage } from "../src/protocol";
import { ruleWords } from "../src/render/rule_words";
import { EVIL, frame, show, usesFrames } from "./stage";
import { ask, call, rule, start, text } from "./streams";

usesFrames();

const INPUT = '{"command": "git commit -m x", "n": 12345678901234567890}';
const asking = (rules: PermissionRule[] = [rule("git commit:*"), rule(null)], input = INPUT, name = "Bash") => [start(), ...call("c1", name, input), ask(["c1", name, input, rules])];

function card(events = asking()) {
  const shown = show(events);
  const field = () => shown.one(".nbas-edit-field") as unknown as HTMLTextAreaElement;
  const type = (value: string) => { field().value = value; field().dispatchEvent(new Event("input", { bubbles: true })); };
  const press = (label: string) => { shown.named(label).click(); frame(); };
  const labels = () => shown.all(".nbas-ask-row button").map((button) => button.textContent);
  const boxes = () => shown.all(".nbas-rule input") as HTMLInputElement[];
  const tick = (index: number) => { boxes()[index]!.checked = true; boxes()[index]!.dispatchEvent(new Event("change")); };
  /** Answers of the kernel to decisions from now on; none: it takes its time. */
  const answers = (answer?: (id: string) => ServerMessage) => {
    const sent: Extract<ClientMessage, { type: "decide" }>[] = [];
    shown.kernel.receive = (message) => {
      if (message.type !== "decide") return;
      sent.push(message);
      if (answer) shown.kernel.deliver(answer(message.id));
    };
    return sent;
  };
  return { ...shown, field, type, press, labels, boxes, tick, answers };
}

const refusing = (reason: string) => (id: string): ServerMessage => ({ v: 1, type: "refused", n: 0, id, reason, earlier: null });
const key = (name: string, more: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
const heard = (element: HTMLElement, event: KeyboardEvent) => {
  let count = 0;
  const listen = () => { count += 1; };
  document.body.addEventListener("keydown", listen);
  element.dispatchEvent(event);
  document.body.removeEventListener("keydown", listen);
  return count > 0;
};

test("the choices stand in their order, and nothing has the focus or is ticked", () => {
  const { labels, boxes, press } = card();
  expect(labels()).toEqual(["Deny", "Approve once", "Approve and always allow…", "Edit…"]);
  expect(document.activeElement).toBe(document.body);
  press("Approve and always allow…: Bash");
  expect(boxes().map((box) => box.checked)).toEqual([false, false]);
});

test.each([["", null], ["  Not on a Friday. ", "Not on a Friday."], [EVIL, EVIL]])("Deny is one click, with the note %j", (typed, note) => {
  const { kernel, one, press } = card();
  (one(".nbas-note") as HTMLInputElement).value = typed;
  press("Deny: Bash");
  expect(kernel.decisions.map(({ approved, note, input, rules }) => ({ approved, note, input, rules }))).toEqual([{ approved: false, note, input: null, rules: null }]);
});

test("Enter in the note denies; what is typed there does not reach the notebook", () => {
  const { one, kernel } = card();
  const note = one(".nbas-note") as HTMLInputElement;
  expect(["a", "d", "Escape"].map((name) => heard(note, key(name)))).toEqual([false, false, false]);
  for (const more of [{ shiftKey: true }, { ctrlKey: true }, { isComposing: true }]) expect(heard(note, key("Enter", more))).toBe(false);
  expect(kernel.decisions).toEqual([]);
  note.value = "no";
  note.dispatchEvent(key("Enter"));
  note.dispatchEvent(key("Enter"));
  expect(kernel.decisions.map(({ note }) => note)).toEqual(["no"]);
});

test("a note is not sent with an approval", () => {
  const { one, kernel, press } = card();
  (one(".nbas-note") as HTMLInputElement).value = "half a thought";
  press("Approve once: Bash");
  expect(kernel.decisions[0]).toMatchObject({ approved: true, note: null, input: null, rules: null });
});

test("rules are told in sentences; those that are ticked are sent", () => {
  const { all, press, named, tick, kernel } = card();
  press("Approve and always allow…: Bash");
  expect(all(".nbas-rule > span").map((one) => one.textContent)).toEqual([
    "Calls of Bash whose command is git commit, alone or with more behind it",
    "Every call of Bash, whatever its argumentsYou will not be asked about this tool again.",
  ]);
  const allow = named("Approve and allow: Bash");
  expect(allow.disabled).toBe(true);
  allow.click();
  tick(0);
  expect(allow.disabled).toBe(false);
  allow.click();
  allow.click();
  expect(kernel.decisions.map(({ approved, rules, input }) => ({ approved, rules, input }))).toEqual([{ approved: true, rules: [rule("git commit:*")], input: null }]);
});

test.each([
  [null, "Every call of Bash, whatever its arguments"], ["", "Every call of Bash, whatever its arguments"], ["**", "Every call of Bash, whatever its arguments (**)"],
  ["git push:*", "Calls of Bash whose command is git push, alone or with more behind it"], ["src/**", "Calls of Bash on anything below src/"],
  ["*/**", "Calls of Bash that match the pattern */**"], [EVIL, `Calls of Bash that match the pattern ${EVIL}`], ["a\u202eb", "Calls of Bash that match the pattern aU+202Eb"],
])("the rule %j covers: %s", (content, words) => {
  const holder = document.createElement("p");
  holder.append(...ruleWords(rule(content)).filter((child): child is Node | string => Boolean(child)));
  expect(holder.textContent).toBe(words);
  expect(holder.querySelector("img, script")).toBeNull();
});

test("only rules that allow are offered, and one about another tool says so", () => {
  const none = card(asking([rule(null, "Bash", "deny"), rule("x", "Bash", "ask")]));
  expect(none.labels()).toEqual(["Deny", "Approve once", "Edit…"]);
  document.body.replaceChildren();
  const other = card(asking([rule("x", EVIL)]));
  other.press("Approve and always allow…: Bash");
  expect(other.one(".nbas-rule").textContent).toContain("This is another tool than the one that asks now.");
  expect(other.all("img, script")).toEqual([]);
});

test("no rule lets a call run of which a part is still hidden", () => {
  const { press, tick, named, one, kernel } = card(asking([rule(null)], JSON.stringify({ content: "x\n".repeat(400) })));
  press("Approve and always allow…: Bash");
  tick(0);
  expect(named("Approve and allow: Bash").disabled).toBe(true);
  one(".nbas-more").click();
  named("Approve and allow: Bash").click();
  expect(kernel.decisions.length).toBe(1);
});

test("the edit begins with what was asked, numbers untouched, and runs only when something is changed", () => {
  const { press, field, type, named, one, kernel, labels } = card();
  press("Edit…: Bash");
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('{\n  "command": "git commit -m x",\n  "n": 12345678901234567890\n}');
  expect(labels()).toEqual(["Back", "Run edited"]);
  expect([named("Run edited: Bash").disabled, one(".nbas-ask-row .nbas-dim").textContent]).toEqual([true, "Nothing is changed yet"]);
  const edited = '{"n": 12345678901234567890, "command": "git status", "dry": true}';
  type(edited);
  expect(one(".nbas-diff").textContent).toBe('The model asked → you will runcommand "git commit -m x" → "git status"dry not there → true');
  press("Run edited: Bash");
  expect(kernel.decisions.map(({ approved, input, rules, note }) => ({ approved, input, rules, note }))).toEqual([{ approved: true, input: edited, rules: null, note: null }]);
});

test.each([
  ["{", "This is not JSON yet: "], ["", "Write a JSON object; {} means no arguments."], ["[1]", "it is an array."], ["null", "it is null."], ["7", "it is a number."],
  ['{"a": NaN}', "This is not JSON yet: "],
])("%j cannot be run", (typed, words) => {
  const { press, type, one, named, field } = card();
  press("Edit…: Bash");
  type(typed);
  expect(one(".nbas-ask-panel .nbas-ask-reason").textContent).toContain(words);
  expect([named("Run edited: Bash").disabled, field().getAttribute("aria-invalid")]).toEqual([true, "true"]);
  expect(document.getElementById(field().getAttribute("aria-describedby")!)).toBe(one(".nbas-ask-panel .nbas-ask-reason"));
});

test("a refused edit is told at the field, keeps what was typed, and gives the focus back once", () => {
  const { press, type, answers, one, field, named, clock } = card();
  press("Edit…: Bash");
  type('{"command": 1}');
  const sent = answers(refusing(EVIL));
  press("Run edited: Bash");
  expect(sent.length).toBe(1);
  const told = one(".nbas-ask-panel .nbas-ask-reason");
  expect([told.textContent, told.hidden, field().value, field().readOnly]).toEqual([EVIL, false, '{"command": 1}', false]);
  expect(document.activeElement).toBe(field());
  expect(document.querySelector("img, script")).toBeNull();
  one(".nbas-ask").focus();
  clock.pass(300);
  frame();
  expect(document.activeElement).toBe(one(".nbas-ask"));
  type('{"command": "ls"}');
  frame();
  expect(told.hidden).toBe(true);
  press("Run edited: Bash");
  expect(sent.map(({ input }) => input)).toEqual(['{"command": 1}', '{"command": "ls"}']);
  expect(named("Run edited: Bash").disabled).toBe(false);
});

test("a refusal of one answer is not told of another", () => {
  const { press, type, answers, one, all } = card();
  press("Edit…: Bash");
  type('{"command": 1}');
  answers(refusing("does not fit the schema"));
  press("Run edited: Bash");
  press("Back: Bash");
  expect(all(".nbas-ask-answers > .nbas-ask-reason").map((told) => told.hidden)).toEqual([true]);
  press("Approve once: Bash");
  expect(one(".nbas-ask-answers > .nbas-ask-reason").textContent).toBe("does not fit the schema");
});

test("while an answer is under way nothing can be pressed or typed, twice pressed is once sent", () => {
  const { press, type, answers, all, field, one, named } = card();
  press("Edit…: Bash");
  type('{"command": "ls"}');
  const sent = answers();
  named("Run edited: Bash").click();
  press("Run edited: Bash");
  expect(sent.length).toBe(1);
  expect(all(".nbas-ask-row button").every((button) => (button as HTMLButtonElement).disabled)).toBe(true);
  expect([field().readOnly, one(".nbas-ask-status").textContent]).toEqual([true, "sent…"]);
});

test("hidden characters show in the field as escapes, and what is typed in is told", () => {
  const { press, field, type, one } = card(asking([], '{"path": "a\u202etxt\u{e0041}"}'));
  press("Edit…: Bash");
  expect(field().value).toContain("a\\u202etxt\\udb40\\udc41");
  type('{"path": "b\u200b"}');
  expect(one(".nbas-ask-panel > .nbas-ask-warn").textContent).toContain("U+200B");
  expect(one(".nbas-change ins").textContent).toBe('"b\\u200b"');
});

test("what is no JSON can still be edited", () => {
  const { press, field, type, one, named } = card(asking([], "rm -rf <b>"));
  press("Edit…: Bash");
  expect(field().value).toBe("rm -rf <b>");
  type("{}");
  expect(one(".nbas-change").textContent).toContain("rm -rf <b>");
  expect(named("Run edited: Bash").disabled).toBe(false);
});

test("Esc leaves the field, Back leaves a panel, and the focus returns to where it came from", () => {
  const { press, field, named } = card();
  press("Edit…: Bash");
  expect(heard(field(), key("Escape"))).toBe(false);
  expect(document.activeElement).toBe(named("Edit…: Bash"));
  press("Approve and always allow…: Bash");
  expect((document.activeElement as HTMLInputElement).type).toBe("checkbox");
  press("Back: Bash");
  expect(document.activeElement).toBe(named("Approve and always allow…: Bash"));
});

test("arrows move between the choices, and Shift+Enter and Esc on them are the notebook's", () => {
  const { named } = card();
  named("Deny: Bash").focus();
  expect(heard(named("Deny: Bash"), key("ArrowRight"))).toBe(false);
  expect(document.activeElement).toBe(named("Approve once: Bash"));
  named("Approve once: Bash").dispatchEvent(key("ArrowLeft"));
  named("Deny: Bash").dispatchEvent(key("ArrowLeft"));
  expect(document.activeElement).toBe(named("Edit…: Bash"));
  expect([key("Enter", { shiftKey: true }), key("Escape"), key("a")].map((event) => heard(named("Deny: Bash"), event))).toEqual([true, true, true]);
});

test("what was typed and ticked stays with its call: the same call asked again has a new card", () => {
  const { press, type, one, kernel, all } = card();
  (one(".nbas-note") as HTMLInputElement).value = "old note";
  press("Edit…: Bash");
  type('{"command": "ls"}');
  kernel.events.push(...text("between", "t9"));
  kernel.pending = kernel.pending.map((pending) => ({ ...pending, asked_at: "2026-03-01T10:00:00Z" }));
  kernel.advance(9);
  frame();
  expect(all(".nbas-ask").length).toBe(1);
  expect((one(".nbas-note") as HTMLInputElement).value).toBe("");
  expect(all(".nbas-edit-field")).toEqual([]);
});
