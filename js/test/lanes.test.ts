// Sub-agents: folded apart, shown in the card of the call that began them.
import { expect, test } from "vitest";
import type { ServerMessage, WireEvent } from "../src/protocol";
import { foldAll } from "../src/reducer/fold";
import { View } from "../src/reducer/view";
import { place } from "../src/render/placement";
import { namesOf } from "../src/render/path";
import { EVIL, frame, show, usesFrames } from "./stage";
import { ask, call, end, event, nested, result, start, text } from "./streams";

usesFrames();

const begun = (id: string, name = "researcher") => [...call(id, name, "{}"), event("TOOL_RESULT_START", 4, { tool_call_id: id, tool_call_name: name })];
const over = (id: string, state = "success") => event("TOOL_RESULT_END", 9, { tool_call_id: id, state, metadata: {} });
const said = (words: string, own = "r2", ...where: [string?, (string | null)?, (string | null)?]) => nested([start("researcher"), ...text(words)], own, ...where);
const done = (own = "r2", ...where: [string?, (string | null)?, (string | null)?]) => nested([end()], own, ...where);
const asks = (own = "r2", id = "n1") => nested([...call(id, "rm", '{"x": 1}'), ask([id, "rm", '{"x": 1}'])], own);
const folds = (events: WireEvent[]) => {
  const view = new View();
  for (const one of structuredClone(events)) view.push(one);
  return view;
};
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const open = (element: Element) => (element as HTMLDetailsElement).open;

test("each lane folds by itself, whatever order the events come in", () => {
  const main = [start(), ...text("main"), ...begun("c1"), ...begun("c2")];
  const one = said("one");
  const two = said("two", "r3", "Friday/researcher", "r1", "c2");
  const mixed = [...main, ...one.flatMap((first, i) => [first, two[i]!]), over("c1")];
  const view = folds(mixed);
  expect(plain(view.main.msgs)).toEqual(plain(foldAll([...main, over("c1")])));
  expect(plain(foldAll(mixed))).toEqual(plain(view.main.msgs));
  expect(view.lanes.map((lane) => [lane.source, lane.parent_tool_call_id, lane.nth])).toEqual([["Friday/researcher", "c1", 1], ["Friday/researcher", "c2", 2]]);
  expect(view.lanes.map((lane) => (lane.track.msg!.content[0] as { text: string }).text)).toEqual(["one", "two"]);
  expect(view.lanes.map((lane) => lane.track.progress.agent)).toEqual(["researcher", "researcher"]);
  expect(view.main.progress.agent).toBe("Friday");
});

test("a tool's own metadata about a source is no lane", () => {
  const end = event("TOOL_RESULT_END", 5, { tool_call_id: "c1", state: "success", metadata: { source: "https://a.example" } });
  const view = folds([start(), ...begun("c1"), { ...end, metadata: { source: "https://a.example" } } as WireEvent]);
  expect(view.lanes).toEqual([]);
  expect(plain(view.main.msg!.content.at(-1)).state).toBe("success");
});

test("a snapshot brings the lanes, and batches go on in them", () => {
  const events = [start(), ...begun("c1"), ...said("half", "r2"), ...nested(text("rest", "t2"), "r2"), ...done()];
  for (let cut = 0; cut <= events.length; cut += 1) {
    const { kernel, store } = show(events, cut);
    kernel.snapshot();
    kernel.advance(events.length);
    expect(plain(store.state.lanes.map(({ track }) => track.msgs))).toEqual(plain(folds(events).lanes.map(({ track }) => track.msgs)));
  }
});

test("a lane stands in its call's card with its own transcript, and folds when it is done", () => {
  const events = [start(), ...text("first"), ...begun("c1"), ...said("looking"), ...nested([...call("n1", "list", "{}"), ...result("n1", "list", "a.csv")], "r2"), ...done(), over("c1")];
  const { one, all, kernel } = show(events, events.length - 2);
  expect(one(".nbas-tool .nbas-lane .nbas-lane-name").textContent).toBe("researcher");
  expect(one(".nbas-tool .nbas-lane .nbas-md").textContent).toBe("looking");
  expect(all(".nbas-lane .nbas-tool .nbas-name").map((name) => name.textContent)).toEqual(["list"]);
  expect(all(".nbas-log > .nbas-items-box > .nbas-items > .nbas-item").length).toBe(2);
  expect(open(one(".nbas-lane-fold"))).toBe(true);
  kernel.advance(1);
  frame();
  expect([open(one(".nbas-lane-fold")), one(".nbas-lane").dataset.phase]).toEqual([false, "done"]);
  kernel.advance(1);
  frame();
  expect(open(one(".nbas-tool-fold"))).toBe(false);
});

test("a lane that failed stays open, one that the run left without an end is stopped", () => {
  const failed = nested([end({ finished_reason: "error", error: { type: "connection", message: EVIL } })], "r2");
  const bad = show([start(), ...begun("c1"), ...said("x"), ...failed]);
  expect([open(bad.one(".nbas-lane-fold")), bad.one(".nbas-lane .nbas-error-text").textContent]).toEqual([true, EVIL]);
  const left = show([start(), ...begun("c1"), ...said("x"), end({ finished_reason: "interrupted" })]);
  left.one(".nbas-tool-fold > summary").click();
  frame();
  expect(left.one(".nbas-lane").dataset.phase).toBe("stopped");
});

test("lanes without a known parent stand at the end under their whole path", () => {
  const { all } = show([start(), ...text("main"), ...said("lost", "r8", "a/b", null, null), ...said("lost too", "r9", "a/b", "r1", "nobody")]);
  const items = all(".nbas-items > .nbas-item");
  expect(items.slice(1, 2).concat(items.slice(3, 4)).map((item) => item.querySelector(".nbas-lane-name")?.textContent)).toEqual(["a › b", "a › b #2"]);
  expect(all(".nbas-tool")).toEqual([]);
});

test("a sub-agent of a sub-agent is two groups deep", () => {
  const inner = said("deep", "r3", "Friday/researcher/reader", "r2", "n1");
  const { one } = show([start(), ...begun("c1"), ...said("x"), ...nested(begun("n1", "reader"), "r2"), ...inner]);
  expect(one(".nbas-tool .nbas-lane .nbas-tool .nbas-lane .nbas-md").textContent).toBe("deep");
});

test("ids that lead in a circle, to themselves or far down lose no lane and hang nothing", () => {
  const circle = [...said("a", "ra", "x/a", "rb", "n"), ...nested(begun("n"), "ra", "x/a", "rb", "n"), ...said("b", "rb", "x/b", "ra", "n"), ...nested(begun("n"), "rb", "x/b", "ra", "n")];
  const self = [...said("s", "rs", "x/s", "rs", "n"), ...nested(begun("n"), "rs", "x/s", "rs", "n")];
  const twin = [...said("t", "r1b", "x/t", "r1", "c1")];
  const deep = Array.from({ length: 60 }, (_, i) => {
    const where = [`x/${i}`, i === 0 ? "r1" : `d${i - 1}`, i === 0 ? "c1" : "n"] as const;
    return [...said(`deep ${i}`, `d${i}`, ...where), ...nested(begun("n"), `d${i}`, ...where)];
  }).flat();
  const events = [start(), ...begun("c1"), ...circle, ...self, ...twin, ...deep];
  const { all, store } = show(events);
  const { loose, under } = place(store.state.main, store.state.lanes);
  expect(loose.filter((lane) => /[abs]$/.test(lane.source)).length).toBe(3);
  expect(under(store.state.main, "r1", "c1").map((lane) => lane.source)).toEqual(["x/t", "x/0"]);
  expect(all(".nbas-lane").length).toBe(store.state.lanes.length);
});

test("names of agents are only text, wherever they stand", () => {
  const source = `Friday/${EVIL}`;
  const events = [start(), ...begun("c1", EVIL), ...nested([start(EVIL), ...text(EVIL), ...call("n1", EVIL, "{}"), ask(["n1", EVIL, "{}"])], "r2", source)];
  const { all, one } = show(events);
  for (const details of all("details")) (details as HTMLDetailsElement).open = true;
  frame();
  expect(all("img, script, [onerror]")).toEqual([]);
  expect(one(".nbas-ask-path").textContent).toContain("<img src=x");
  expect(namesOf("a\u202e/").length).toBe(2);
  expect(one(".nbas-ask").getAttribute("aria-label")).toContain("Approval needed: Friday › ");
});

test("a path of names is cut where it is too long to read", () => {
  expect(namesOf("assistant/researcher", 2)).toEqual(["assistant", "researcher #2"]);
  expect(namesOf("x".repeat(100_000))[0]!.length).toBe(61);
  expect(namesOf("a/b/c/d/e/f/g/h")).toEqual(["a", "b", "c", "… 2 more …", "f", "g", "h"]);
  expect(namesOf("/")).toEqual(["agent", "agent"]);
});

test("a card in the tray shows the path, and its decision names the sub-agent's reply", () => {
  const { one, named, kernel, all } = show([start(), ...begun("c1"), ...said("x"), ...asks(), ...call("c9", "own", "{}"), ask(["c9", "own", "{}"])]);
  expect(one(".nbas-chip").textContent).toBe("Waiting for you (2)");
  expect(all(".nbas-ask-title").map((title) => title.textContent)).toEqual(["Friday › researcher › rm wants to run", "own wants to run"]);
  expect(one(".nbas-sr [aria-live=assertive]").textContent).toBe("Approval needed: own");
  expect([one(".nbas-lane").dataset.phase, open(one(".nbas-lane-fold"))]).toEqual(["confirm", true]);
  named("Approve once: rm").click();
  expect(kernel.decisions.map(({ reply_id, tool_call_id }) => [reply_id, tool_call_id])).toEqual([["r2", "n1"]]);
});

test("one call id in two lanes is two questions", () => {
  const second = nested([start("researcher"), ...call("n1", "rm", '{"x": 1}'), ask(["n1", "rm", '{"x": 1}'])], "r3", "Friday/researcher", "r1", "c2");
  const { all, kernel } = show([start(), ...begun("c1"), ...begun("c2"), ...said("x"), ...asks(), ...second]);
  expect(all(".nbas-ask-title").map((title) => title.textContent)).toEqual(["Friday › researcher › rm wants to run", "Friday › researcher #2 › rm wants to run"]);
  (all('[aria-label="Deny: rm"]')[1] as HTMLButtonElement).click();
  frame();
  expect(kernel.decisions.map(({ reply_id, approved }) => [reply_id, approved])).toEqual([["r3", false]]);
  expect(all(".nbas-ask").length).toBe(1);
});

test("results and bytes are asked for by the sub-agent's reply", () => {
  const external = nested([...call("n1", "ops", "{}"), { ...ask(["n1", "ops", "{}"]), type: "REQUIRE_EXTERNAL_EXECUTION" } as WireEvent], "r2");
  const bytes = nested([event("DATA_BLOCK_START", 1, { block_id: "d", media_type: "text/plain", name: null }), event("DATA_BLOCK_DELTA", 1, { block_id: "d", data: "", url: null, media_type: "text/plain", withheld: 9 }), event("DATA_BLOCK_END", 1, { block_id: "d" })], "r2");
  const { named, kernel } = show([start(), ...begun("c1"), ...said("x"), ...bytes, ...external]);
  frame();
  named("Send result: ops").click();
  const sent = kernel.got.filter((message) => message.type === "fetch" || message.type === "result");
  expect(sent.map((message) => [message.type, message.reply_id])).toEqual([["fetch", "r2"], ["result", "r2"]]);
});

test("after a decision in a lane the focus goes to the call there, and to the lane's head when that folds", () => {
  const { named, kernel, one } = show([start(), ...begun("c1"), ...said("x"), ...asks(), ...nested(result("n1", "rm", "gone"), "r2"), ...done()], 13);
  named("Deny: rm").focus();
  named("Deny: rm").click();
  frame();
  expect(document.activeElement).toBe(one(".nbas-lane .nbas-tool summary"));
  kernel.advance(9);
  frame();
  expect(document.activeElement).toBe(one(".nbas-lane-fold > summary"));
});

test("a saved run shows its lanes, and one from before lanes shows itself", () => {
  const run = show([start(), ...begun("c1"), ...said("kept"), ...done(), over("c1"), end()]);
  const finals: ServerMessage[] = [];
  run.kernel.deliver = (message) => void finals.push(message);
  run.kernel.snapshot();
  const { msgs, progress, status, seq, lanes } = finals[0] as ServerMessage & { type: "snapshot" };
  const saved = { msgs, progress, status, seq, elapsed_s: 1 };
  for (const [final, count] of [[{ ...saved, lanes }, 1], [saved, 0]] as const) {
    const lone = show([], 0);
    lone.store.state.loaded = false;
    lone.store.loadFinal(JSON.stringify(final));
    frame();
    expect([lone.store.state.lanes.length, lone.one(".nbas-tool .nbas-name").textContent]).toEqual([count, "researcher"]);
  }
});

test("what is remarked on while lanes run stays in its lane", () => {
  const { store, all } = show([start(), ...begun("c1"), ...said("x"), ...nested([event("CUSTOM", 1, { name: "mcp_progress", value: { tool_call_id: "n1", progress: 1, total: 2 } })], "r2")]);
  expect(Object.keys(store.state.progress.tool_progress)).toEqual([]);
  expect(Object.keys(store.state.lanes[0]!.track.progress.tool_progress)).toEqual(["n1"]);
  expect(all(".nbas-lane").length).toBe(1);
});

test("a call whose sub-agent waits says so, also when the one that waits is further down", () => {
  const { all } = show([start(), ...begun("c1"), ...said("looking"), ...asks()]);
  expect(all(".nbas-tool > .nbas-tool-fold .nbas-state").map((word) => word.textContent)[0]).toBe("waiting for you");
  const idle = show([start(), ...begun("c1"), ...said("looking")]);
  expect(idle.all(".nbas-tool > .nbas-tool-fold .nbas-state").map((word) => word.textContent)[0]).toBe("running");
});

test("a call that was running when it was stopped says what may come, and stays open", () => {
  const stopped = event("TOOL_RESULT_END", 9, { tool_call_id: "c1", state: "interrupted", metadata: { "nb_agentscope.begun": true } });
  const { one } = show([start(), ...begun("c1"), stopped, end()]);
  expect(one(".nbas-tool .nbas-state").textContent).toBe("interrupted, may still take effect");
  expect(open(one(".nbas-tool details"))).toBe(true);
});
