import { expect, test, vi } from "vitest";
import type { ServerMessage } from "../src/protocol";
import { mount } from "../src/render/root";
import factory from "../src/widget";
import { FakeKernel } from "./fake_kernel";
import { EVIL, frame, framesDue, show, usesFrames } from "./stage";
import { ask, call, end, event, recorded, result, start, text } from "./streams";

usesFrames();

const oneCall = (input = '{"path": "a.txt"}', name = "delete_file") => [start(), ...call("c1", name, input), ask(["c1", name, input])];

test("foreign text is only ever text", () => {
  const hint = event("HINT_BLOCK", 1, { block_id: "h", source: JSON.stringify({ label: EVIL, sublabel: EVIL }), hint: EVIL });
  const args = JSON.stringify({ [EVIL]: EVIL });
  const events = [
    start(EVIL), event("MODEL_CALL_START", 0, { model_name: EVIL }), hint, ...text(`${EVIL}\n\n\`\`\`${EVIL}\n${EVIL}\n\`\`\`\n`),
    event("THINKING_BLOCK_START", 1, { block_id: "k" }), event("THINKING_BLOCK_DELTA", 1, { block_id: "k", delta: EVIL }),
    ...call("c1", EVIL, args), ...result("c1", EVIL, EVIL, "error"), ...call("c2", EVIL, args), ask(["c2", EVIL, args]),
  ];
  const { host, all, kernel } = show(events);
  for (const details of all("details")) (details as HTMLDetailsElement).open = true;
  frame();
  expect(all("img, script, iframe, object, [onerror], [onclick]")).toEqual([]);
  expect(host.textContent?.split("<script>").length).toBeGreaterThan(8);
  kernel.events.push(end({ finished_reason: "error", error: { type: EVIL, message: EVIL } }));
  kernel.advance(1);
  frame();
  expect(all("img, script")).toEqual([]);
  expect(host.querySelector(".nbas-error-text")?.textContent).toBe(EVIL);
});

test.each([
  ["[a](javascript:alert(1))", null], ["[a](data:text/html,x)", null], ["[a](vbscript:x)", null], ["[a](file:///etc/passwd)", null],
  ["[a]( jAvAsCrIpT:alert(1))", null], ["[a](//evil.example)", null], ["[a](https://ok.example/x)", "https://ok.example/x"],
  ["[a](mailto:a@ok.example)", "mailto:a@ok.example"], ["see https://ok.example/y now", "https://ok.example/y"],
])("link %j leads to %j", (markdown, href) => {
  const { one } = show([start(), ...text(markdown)]);
  const link = one("a");
  expect(link.getAttribute("href")).toBe(href);
  if (href) expect(link.getAttribute("rel")).toContain("noopener");
});

test("a link says where it leads, a picture is not loaded", () => {
  const { one, all } = show([start(), ...text("[my bank](https://evil.example/login) ![chart](https://t.example/p.png)")]);
  expect(one(".nbas-host").textContent).toBe("evil.example");
  expect(all("img")).toEqual([]);
  expect(one(".nbas-remote").textContent).toBe("chart");
});

test("notes and what was no event stand after the last block, as text, and stay there", () => {
  const note = (name: string, value: object) => event("CUSTOM", 1, { name: `nb_agentscope.${name}`, value });
  const events = [
    start(), ...text("first", "t1"), note("note", { text: EVIL }), note("unknown", { raw: {}, problem: "no\u202eevent" }), note("note", { text: 7 }),
    ...text("second", "t2"), note("note", { text: "last" }), end(),
  ];
  const { all, one, kernel } = show(events, 7);
  const lines = () => all(".nbas-item.nbas-notes > p.nbas-dim > span").map((line) => line.textContent);
  expect(lines()).toEqual([EVIL, "noU+202Eevent"]);
  expect(all(".nbas-notes svg[data-icon=info]").length).toBe(2);
  expect(all("img, script")).toEqual([]);
  const notes = one(".nbas-notes");
  kernel.advance(4);
  frame();
  expect(lines()).toEqual([EVIL, "noU+202Eevent", "last"]);
  expect(one(".nbas-notes")).toBe(notes);
  expect(one(".nbas-items").lastElementChild).toBe(notes);
  expect(one(".nbas-items").textContent).toContain("second");
  kernel.snapshot();
  frame();
  expect(lines().length).toBe(3);
  expect(one(".nbas-foot").textContent).toContain("1 other event");
});

test("a run without notes has no place for them", () => {
  expect(show([start(), ...text("x"), end()]).all(".nbas-notes")).toEqual([]);
});

test("text in pieces gives the same DOM as the whole, and what is shown is not made again", () => {
  const markdown = "# Title\n\nSome **bold** and `code`.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```py\nprint(1)\n```\n\nlast?";
  const whole = show([start(), ...text(markdown)]);
  const deltas = [...markdown].map((delta) => event("TEXT_BLOCK_DELTA", 1, { block_id: "t1", delta }));
  const pieces = show([start(), event("TEXT_BLOCK_START", 1, { block_id: "t1" }), ...deltas, event("TEXT_BLOCK_END", 2, { block_id: "t1", text: null })], 12);
  const title = pieces.one("h3");
  for (let i = 0; i < deltas.length; i += 3) {
    pieces.kernel.advance(3);
    frame();
  }
  expect(pieces.one(".nbas-md-body").innerHTML).toBe(whole.one(".nbas-md-body").innerHTML);
  expect(pieces.one("h3")).toBe(title);
  pieces.kernel.snapshot();
  frame();
  expect(pieces.one("h3")).toBe(title);
});

test("a final text replaces what had streamed", () => {
  const { one } = show([start(), ...text("draft that is long", "t1", false), event("TEXT_BLOCK_END", 2, { block_id: "t1", text: "short" })]);
  expect(one(".nbas-md-body").textContent).toBe("short");
});

test("many messages between two frames are one redraw", () => {
  const { kernel } = show([start(), ...text("x".repeat(50))], 1);
  for (let i = 0; i < 3; i += 1) kernel.advance(1);
  expect(framesDue()).toBe(1);
});

test("an approval shows what will run, hidden characters included, and takes no focus", () => {
  document.body.append(document.createElement("input"));
  document.querySelector("input")!.focus();
  const { one, named } = show(oneCall('{"path": "a\u202etxt.exe", "n": 12345678901234567890, "sql": "SELECT 1;\\nDROP TABLE x"}'));
  expect(one(".nbas-ask .nbas-args").textContent).toContain("aU+202Etxt.exe");
  expect(one(".nbas-ask .nbas-args").textContent).toContain("12345678901234567890");
  expect(one(".nbas-ask pre").textContent).toBe("SELECT 1;\nDROP TABLE x");
  expect(document.activeElement?.localName).toBe("input");
  expect(named("Deny: delete_file").disabled).toBe(false);
  expect(named("Approve once: delete_file").textContent).toBe("Approve once");
});

test("raw JSON is one click away, exactly as it will be sent", () => {
  const input = '{"a":  1, "a": 2}';
  const { one } = show(oneCall(input));
  one(".nbas-ask-head button").click();
  expect(one(".nbas-ask-args").textContent).toBe(input);
});

test("nothing can be approved while a part of it is hidden", () => {
  const { one, named, kernel } = show(oneCall(JSON.stringify({ content: "x\n".repeat(400) })));
  const approve = named("Approve once: delete_file");
  expect(approve.disabled).toBe(true);
  expect(one(".nbas-more").textContent).toContain("(401 lines in all)");
  one(".nbas-more").click();
  expect(approve.disabled).toBe(false);
  approve.click();
  expect(kernel.decisions.length).toBe(1);
});

test("a double click, and a click in a second view, send one decision", () => {
  const first = show(oneCall());
  const host = document.createElement("div");
  document.body.append(host);
  const view = mount(host, first.store);
  first.kernel.receive = (message) => void first.kernel.got.push(message); // the answer takes its time
  const approve = first.named("Approve once: delete_file");
  approve.click();
  approve.click();
  host.querySelector<HTMLButtonElement>('[aria-label="Deny: delete_file"]')!.click();
  frame();
  expect(first.kernel.got.filter((message) => message.type === "decide").length).toBe(1);
  expect(approve.disabled).toBe(true);
  expect(first.one(".nbas-ask-status").textContent).toBe("sent…");
  view.dispose();
});

test("after a decision the focus goes to the next question, then to the record", () => {
  const events = [start(), ...call("c1", "one", "{}"), ...call("c2", "two", "{}"), ask(["c1", "one", "{}"], ["c2", "two", "{}"])];
  const { named } = show(events);
  named("Deny: one").focus();
  named("Deny: one").click();
  frame();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Approval needed: two");
  named("Approve once: two").click();
  frame();
  expect(document.activeElement?.localName).toBe("summary");
});

test("a decision becomes a record: who, what, how long it waited", () => {
  const confirm = event("USER_CONFIRM_RESULT", 17, { confirm_results: [{ confirmed: true, rules: null, tool_call: { id: "c1", input: '{"path": "a.txt"}' } }] });
  confirm.recorded = { seq: 6, at: confirm.created_at, mono: null, dir: "in", by: "user" };
  const { one, all } = show([...oneCall(), confirm, ...result("c1", "delete_file", "gone")]);
  expect(one(".nbas-record").textContent).toBe("Approved once by you · waited 12 s");
  expect(all(".nbas-ask")).toEqual([]);
});

test("a refusal is told on the card", () => {
  const { named, one, kernel } = show(oneCall());
  kernel.receive = (message) => {
    if (message.type === "decide") kernel.deliver({ v: 1, type: "refused", n: 0, id: message.id, reason: EVIL, earlier: null });
  };
  named("Approve once: delete_file").click();
  frame();
  expect(one(".nbas-ask-reason").textContent).toBe(EVIL);
  expect(named("Approve once: delete_file").disabled).toBe(false);
});

test("Shift+Enter on a button does not press it", () => {
  const { named } = show(oneCall());
  const key = new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, cancelable: true, bubbles: true });
  named("Approve once: delete_file").dispatchEvent(key);
  expect(key.defaultPrevented).toBe(true);
});

test("thinking counts while it lasts and says how long it was", () => {
  const events = [start(), event("THINKING_BLOCK_START", 10, { block_id: "k" }), event("THINKING_BLOCK_DELTA", 11, { block_id: "k", delta: "hm" }), event("THINKING_BLOCK_END", 14, { block_id: "k" })];
  const { one, clock, kernel } = show(events, 3);
  clock.pass(4200);
  frame();
  expect(one(".nbas-think-label").textContent).toBe("Thinking · 4 s");
  kernel.advance(1);
  frame();
  expect(one(".nbas-think-label").textContent).toBe("Thought for 4.0 s");
  expect((one(".nbas-think") as HTMLDetailsElement).open).toBe(false);
});

test("a tool card is open while it runs or after it failed, closed after success, and as the reader left it", () => {
  const done = [start(), ...call("c1", "one", "{}"), ...result("c1", "one", "fine")];
  const { one, kernel } = show([...done, ...call("c2", "two", "{}"), ...result("c2", "two", "bad", "error")], 5);
  const box = () => one(".nbas-tool details") as HTMLDetailsElement;
  expect(box().open).toBe(true);
  kernel.advance(2);
  frame();
  expect(box().open).toBe(false);
  kernel.advance(9);
  frame();
  expect([...document.querySelectorAll(".nbas-tool details")].map((d) => (d as HTMLDetailsElement).open)).toEqual([false, true]);
});

test("long output is cut, and shown on request", () => {
  const output = Array.from({ length: 1204 }, (_, i) => `line ${i}`).join("\n");
  const { one } = show([start(), ...call("c1", "one", "{}"), ...result("c1", "one", output, "error")]);
  expect(one(".nbas-output pre").textContent?.split("\n").length).toBe(20);
  expect(one(".nbas-output button").textContent).toBe("Show all (1\u202f204 lines)");
  one(".nbas-output button").click();
  frame();
  expect(one(".nbas-output pre").textContent).toBe(output);
});

test("unknown usage is not a zero", () => {
  const model = (input_tokens: number) => [
    event("MODEL_CALL_START", 1, { model_name: "m" }),
    event("MODEL_CALL_END", 2, { input_tokens, output_tokens: input_tokens, cache_input_tokens: 0, cache_creation_input_tokens: 0, finished_reason: "completed" }),
  ];
  expect(show([start(), ...model(0)]).one(".nbas-foot").textContent).toContain("usage unknown");
  expect(show([start(), ...model(0), ...model(7)]).one(".nbas-foot").textContent).toContain("≥ 7 in");
});

test("an empty reply says so", () => {
  expect(show([start(), end()]).one(".nbas-empty").textContent).toBe("(empty reply · completed)");
});

test("when the kernel is gone the view can be read and nothing pressed", () => {
  const info = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const { named, one, kill, clock } = show(oneCall());
  kill();
  named("Deny: delete_file").click();
  clock.pass(100);
  frame();
  expect(one(".nbas-notice").textContent).toContain("Kernel gone");
  expect(named("Deny: delete_file").disabled).toBe(true);
  info.mockRestore();
});

test("old blocks stay out of the page until they are asked for", () => {
  const many = Array.from({ length: 450 }, (_, i) => text(`t${i}`, `b${i}`)).flat();
  const { all, one } = show([start(), ...many]);
  expect(all(".nbas-item.nbas-md").length).toBe(200);
  one(".nbas-earlier").click();
  frame();
  expect(all(".nbas-item.nbas-md").length).toBe(400);
  expect(one(".nbas-items").firstElementChild?.textContent).toBe("t50");
});

test("three views, two closed: one listener, one tick, one set of observers is left", () => {
  const disconnect = vi.spyOn(MutationObserver.prototype, "disconnect");
  const { store, clock, close, host } = show(recorded("hitl_confirm"), 5);
  const timers = clock.waiting;
  const listeners = () => (store as unknown as { listeners: Set<unknown> }).listeners.size;
  const others = [0, 1].map(() => mount(host, store));
  expect([listeners(), clock.waiting]).toEqual([3, timers + 2]);
  for (const view of others) view.dispose();
  expect([listeners(), clock.waiting, host.childElementCount]).toEqual([1, timers, 1]);
  expect(disconnect).toHaveBeenCalledTimes(2);
  close();
  expect(listeners()).toBe(0);
  frame();
  expect(host.childElementCount).toBe(0);
  disconnect.mockRestore();
});

test("the anywidget module listens once per model and takes everything back", async () => {
  const handlers = new Map<string, Set<unknown>>();
  const sent: { type: string }[] = [];
  const set = (name: string) => handlers.get(name) ?? handlers.set(name, new Set()).get(name)!;
  const model = {
    get: () => "",
    on: (name: string, handler: unknown) => set(name).add(handler),
    off: (name: string, handler: unknown) => set(name).delete(handler),
    send: (message: { type: string }) => sent.push(message),
  };
  const widget = factory() as { initialize(o: unknown): () => void; render(o: unknown): () => void };
  const close = widget.initialize({ model });
  const els = [0, 1, 2].map(() => document.body.appendChild(document.createElement("div")));
  const ends = els.map((el) => widget.render({ model: { ...model }, el }));
  expect(sent.map((message) => message.type)).toEqual(["sync", "hello", "hello", "hello"]);
  for (const end of ends.slice(1)) end();
  const kernel = new FakeKernel([start(), ...text("hello there")], (message: ServerMessage) => {
    for (const handler of set("msg:custom")) (handler as (m: unknown, b: unknown[]) => void)(message, []);
  });
  kernel.advance(9);
  frame();
  expect(els.map((el) => el.textContent?.includes("hello there"))).toEqual([true, false, false]);
  ends[0]!();
  close();
  expect([...handlers.values()].map((list) => list.size)).toEqual([0, 0, 0, 0]);
});

test("numbers in tables stand at the right, with the head of their column", () => {
  const { all } = show([start(), ...text("| a | n | **m** |\n|---|---|---|\n| x | 1,204.5 | **-3 %** |\n| y | n/a | 2026-01-01 |\n\nend")]);
  expect(all("th, td").filter((cell) => cell.className === "nbas-num").map((cell) => cell.textContent?.trim())).toEqual(["n", "m", "1,204.5", "-3 %"]);
});

test("time to first token and speed are there after a reload", () => {
  const model = event("MODEL_CALL_START", 0, { model_name: "m" });
  const stop = event("MODEL_CALL_END", 5, { input_tokens: 10, output_tokens: 80, cache_input_tokens: 0 });
  const { all, kernel } = show([start(), model, ...text("hello"), stop]);
  const stats = () => all(".nbas-stat").map((stat) => stat.textContent);
  expect(stats()).toContain("first token 1.0 s");
  expect(stats()).toContain("20 tok/s");
  const later = show(kernel.events, 0);
  later.kernel.seq = kernel.seq;
  later.kernel.snapshot();
  frame();
  expect(later.all(".nbas-stat").map((stat) => stat.textContent)).toEqual(stats());
});

test("a hint shows its picture", () => {
  const source = { type: "base64", data: "QQ==", media_type: "image/png" };
  const hint = event("HINT_BLOCK", 1, { block_id: "h", source: "camera", hint: [{ type: "text", id: "t", text: "look" }, { type: "data", id: "d", source, name: "p.png" }] });
  const { one } = show([start(), hint]);
  expect(one(".nbas-hint .nbas-md").textContent).toBe("look");
  expect(one(".nbas-hint img").getAttribute("alt")).toContain("p.png");
});
