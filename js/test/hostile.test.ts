import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerMessage, WireEvent } from "../src/protocol";
import { mount } from "../src/render/root";
import { Store } from "../src/store";
import { FakeClock } from "./fake_clock";
import { FakeKernel } from "./fake_kernel";
import { ask, call, end, event, result, start, text } from "./streams";

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (action: () => void) => frames.push(action));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  document.body.replaceChildren();
});
afterEach(() => vi.unstubAllGlobals());

/** The same stream by batches and by a snapshot. */
function shown(events: WireEvent[], by: "batches" | "snapshot") {
  const clock = new FakeClock();
  const kernel: FakeKernel = new FakeKernel(events, (message: ServerMessage, buffers) => store.receive(JSON.parse(JSON.stringify(message)), buffers));
  const store: Store = new Store((message) => kernel.receive(message), clock, "s");
  const host = document.createElement("div");
  document.body.append(host);
  mount(host, store);
  if (by === "batches") store.start();
  kernel.advance(events.length);
  if (by === "snapshot") store.start();
  for (const action of frames.splice(0)) action();
  return { kernel, store, host };
}

const decided = (id: string, confirmed: boolean) => event("USER_CONFIRM_RESULT", 6, {
  confirm_results: [{ confirmed, rules: null, tool_call: { type: "tool_call", id, name: "rm", input: "{}", state: "asking", suggested_rules: [], created_at: "", finished_at: null } }],
});

const IDS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "", "x".repeat(100_000), "c1/../c2", "a\"b'c>"];
const BY = ["batches", "snapshot"] as const;

for (const by of BY) {
  test.each(IDS)(`%#: an id is only an id, by ${by}`, (id) => {
    const running = event("CUSTOM", 6, { name: "mcp_progress", value: { tool_call_id: id, progress: 1, total: 2, message: "half" } });
    const before = shown([start(), ...call(id, "rm", "{}")], by);
    expect(before.host.querySelector(".nbas-record")).toBeNull();
    expect(before.store.state.progress.decisions[id]).toBeUndefined();
    expect(before.store.state.progress.tool_progress[id]).toBeUndefined();
    const events = [start(), ...call(id, "rm", "{}"), ask([id, "rm", "{}"]), decided(id, false), running, ...text("hi", id), ...result(id, "rm", "no", "denied"), end()];
    const { store, host } = shown(events, by);
    expect(store.state.progress.decisions[id]?.decision).toBe("denied");
    expect(store.state.progress.asked[id]).toBeTruthy();
    expect(store.state.progress.tool_progress[id]?.message).toBe("half");
    expect(host.querySelector(".nbas-record")?.textContent).toContain("Denied");
  });

  test(`what is no message is not shown as one, by ${by}`, () => {
    const bad = [5, "x", null, [5], [null], [{}], [{ role: "user", name: "x" }], [{ role: "user", name: "x", content: [null] }],
      [{ role: "user", name: "x", content: [{ type: "data" }] }], [{ role: "user", name: "x", content: [{ type: "text" }] }]];
    const inputs = bad.map((messages) => event("CUSTOM", 0, { name: "nb_agentscope.input", value: { messages } }));
    const { host, store } = shown([start(), ...inputs, ...text("hi"), ...call("c1", "rm", "{}"), ask(["c1", "rm", "{}"])], by);
    expect(store.state.progress.inputs).toEqual([]);
    expect(host.textContent).toContain("hi");
  });
}
