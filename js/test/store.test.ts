import { describe, expect, test, vi } from "vitest";
import type { ClientMessage, Pending, ServerMessage, WireEvent } from "../src/protocol";
import { foldAll } from "../src/reducer/fold";
import { callKey, Store } from "../src/store";
import { FakeClock } from "./fake_clock";
import { FakeKernel } from "./fake_kernel";
import { ask, call, end, event, recorded, result, start, text } from "./streams";

/** Small seeded generator, so that a failing seed can be run again. */
function random(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

interface Line {
  clock: FakeClock;
  store: Store;
  kernel: FakeKernel;
  lossy: boolean;
}

/** A store and a kernel with a line between them that loses, doubles and delays messages as long as `lossy`. */
function lossyLine(events: WireEvent[], seed: number): Line {
  const chance = random(seed);
  const clock = new FakeClock();
  const post = (deliver: () => void) => {
    if (!line.lossy) return void clock.after(1, deliver);
    const kind = chance();
    if (kind < 0.25) return;
    clock.after(1 + Math.floor(chance() * 400), deliver);
    if (kind > 0.8) clock.after(1 + Math.floor(chance() * 400), deliver);
  };
  const kernel: FakeKernel = new FakeKernel(events, (message, buffers) => post(() => store.receive(structuredClone(message), buffers)));
  const store: Store = new Store((message) => post(() => kernel.receive(message)), clock, "s");
  const line: Line = { clock, store, kernel, lossy: true };
  return line;
}

function expectEqual({ store, kernel }: Line): void {
  expect(JSON.stringify(store.state.msgs)).toBe(JSON.stringify(foldAll(kernel.events.slice(0, kernel.seq))));
  expect(store.state.status).toBe(kernel.status);
  expect(store.state.pending).toEqual(kernel.pending);
}

describe("a line that loses, doubles and reorders messages", () => {
  const names = ["hitl_partial", "two_replies", "tool_multimodal", "streaming_tool_args", "service_resume", "interrupt_parked"];
  test.each(names)("converges on %s", (name) => {
    for (let seed = 0; seed < 25; seed += 1) {
      const chance = random(seed + 1000);
      const line = lossyLine(recorded(name), seed);
      line.store.start();
      while (line.kernel.seq < line.kernel.events.length) {
        line.kernel.advance(1 + Math.floor(chance() * 6));
        line.clock.pass(Math.floor(chance() * 300));
      }
      line.lossy = false;
      line.clock.pass(60_000);
      expectEqual(line);
    }
  });

  test("a lost last message that carried only the status is found by the next answer", () => {
    const line = lossyLine([start(), ...text("a")], 0);
    line.lossy = false;
    line.store.start();
    line.kernel.advance(4);
    line.clock.pass(10);
    line.kernel.status = "waiting";
    const deliver = vi.spyOn(line.store, "receive").mockImplementation(() => undefined);
    line.kernel.flush();
    line.clock.pass(10);
    deliver.mockRestore();
    expect(line.store.state.status).toBe("running");
    line.clock.pass(10_000);
    expect(line.store.state.status).toBe("waiting");
  });

  test("decisions arrive once however often they have to be sent", () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const line = lossyLine([start(), ...call("c1", "rm", "{}"), ask(["c1", "rm", "{}"])], seed);
      line.store.start();
      line.kernel.advance(9);
      line.lossy = false;
      line.clock.pass(20_000);
      line.lossy = true;
      line.store.decide(line.store.state.pending[0]!, true);
      line.clock.pass(5000);
      line.lossy = false;
      line.clock.pass(60_000);
      expect(line.kernel.decisions.map((decision) => decision.approved)).toEqual([true]);
      expectEqual(line);
    }
  });
});

/** A store on a perfect line. */
function direct(events: WireEvent[]) {
  const clock = new FakeClock();
  let alive = true;
  const kernel: FakeKernel = new FakeKernel(events, (message, buffers) => store.receive(structuredClone(message), buffers));
  const store: Store = new Store((message) => {
    if (!alive) throw new Error("Cannot send");
    kernel.receive(message);
  }, clock, "s");
  store.start();
  return { clock, kernel, store, kill: () => { alive = false; } };
}

const asking = () => [start(), ...call("c1", "rm", '{"x": 1}'), ask(["c1", "rm", '{"x": 1}'])];

test("snapshot and tail are the whole, at every cut", () => {
  const events = recorded("tool_multimodal");
  for (let cut = 0; cut <= events.length; cut += 1) {
    const { kernel, store } = direct(events);
    kernel.advance(cut);
    kernel.snapshot();
    kernel.advance(events.length);
    expect(JSON.stringify(store.state.msgs)).toBe(JSON.stringify(foldAll(events)));
  }
});

test("a decision names the call and its digest, and a second one is not sent", () => {
  const { kernel, store } = direct(asking());
  kernel.receive = (message) => void kernel.got.push(message); // no answer yet
  kernel.advance(9);
  const pending = store.state.pending[0]!;
  store.decide(pending, true);
  store.decide(pending, true);
  store.decide(pending, false);
  const sent = kernel.got.filter((message) => message.type === "decide");
  expect(sent).toEqual([{
    v: 1, type: "decide", id: "s-1", reply_id: "r1", tool_call_id: "c1", digest: "digest of c1", approved: true,
    input: null, rules: null, note: null,
  }]);
  expect(store.request(callKey(pending))?.state).toBe("sent");
});

test("a refusal says why, and the person may decide again", () => {
  const { kernel, store } = direct(asking());
  kernel.advance(9);
  const stale: Pending = { ...store.state.pending[0]!, digest: "old" };
  store.state.pending = [stale];
  store.decide(stale, true);
  expect(store.request(callKey(stale))).toEqual({ state: "refused", reason: "The call is not pending any more." });
});

test("an unanswered decision may be sent again after a while", () => {
  const { kernel, store, clock } = direct(asking());
  kernel.advance(9);
  const got: ClientMessage[] = [];
  kernel.receive = (message) => void got.push(message);
  const pending = store.state.pending[0]!;
  store.decide(pending, false);
  clock.pass(30_000);
  expect(store.request(callKey(pending))?.state).toBe("silent");
  const sent = got.filter((message) => message.type === "decide");
  expect(sent.length).toBe(4);
  expect(new Set(sent.map((message) => JSON.stringify(message))).size).toBe(1);
});

test("when sending fails the state is shown as disconnected and nothing can be decided", () => {
  const { kernel, store, kill, clock } = direct(asking());
  kernel.advance(9);
  kill();
  const info = vi.spyOn(console, "info").mockImplementation(() => undefined);
  clock.pass(6000);
  expect(store.phase.kind).toBe("disconnected");
  expect(store.canAct).toBe(false);
  expect(info).toHaveBeenCalledOnce();
  info.mockRestore();
});

test("a finished run asks nothing more, a live one asks when it hears nothing", () => {
  const { kernel, clock } = direct([...asking(), ...result("c1", "rm", "ok"), end()]);
  kernel.advance(5);
  kernel.got.length = 0;
  clock.pass(5001);
  expect(kernel.got).toEqual([{ v: 1, type: "sync", have: 5 }]);
  kernel.advance(99);
  kernel.got.length = 0;
  clock.pass(60_000);
  expect(kernel.got).toEqual([]);
});

test("the saved state is shown until a kernel answers, and never over what it said", () => {
  const saved = direct([start(), ...text("saved"), end()]);
  saved.kernel.advance(9);
  const { msgs, progress, status, seq } = saved.store.state;
  const final = JSON.stringify({ msgs, progress, status, seq, elapsed_s: 3 });
  const info = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const lone = new Store(() => { throw new Error("no comm"); }, new FakeClock(), "s");
  lone.loadFinal(final);
  lone.start();
  expect(lone.phase).toEqual({ kind: "done", label: "Done" });
  expect(lone.state.elapsed(99)).toBe(3);
  const live = direct([start()]);
  live.kernel.advance(1);
  live.store.loadFinal(final);
  expect(live.store.phase.kind).not.toBe("done");
  info.mockRestore();
});

test("bytes that were left out are counted and fetched once", () => {
  const data = (n: number) => event("TOOL_RESULT_DATA_DELTA", 4, { tool_call_id: "c1", block_id: "d", media_type: "text/plain", data: "", url: null, withheld: n });
  const { kernel, store } = direct([start(), event("TOOL_RESULT_START", 4, { tool_call_id: "c1", tool_call_name: "x" }), data(20_000), data(5000)]);
  kernel.advance(9);
  const block = store.state.msg!.content[0] as { output: { source: { withheld?: number; data: string } }[] };
  expect(block.output.map((part) => part.source)).toEqual([expect.objectContaining({ withheld: 25_000, data: "" })]);
  const ref = { reply_id: "r1", block_id: "d", tool_call_id: "c1" };
  store.fetch(ref);
  expect(new TextDecoder().decode(store.fetch(ref)!.bytes)).toBe("fetched");
  expect(kernel.got.filter((message) => message.type === "fetch").length).toBe(1);
});

test("messages of another version change nothing", () => {
  const { store } = direct([start()]);
  const before = JSON.stringify(store.state);
  store.receive({ v: 2, type: "snapshot", n: 99, seq: 99 } as unknown as ServerMessage);
  expect(JSON.stringify(store.state)).toBe(before);
});

test("closing leaves no timer behind", () => {
  const { store, clock, kernel } = direct(asking());
  kernel.advance(9);
  store.stop();
  store.close();
  expect(clock.waiting).toBe(0);
});
