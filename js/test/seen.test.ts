// That a card was seen: told once a question, only while it stands in the window of a page that is not hidden.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mount } from "../src/render/root";
import { frame, show, usesFrames } from "./stage";
import { ask, call, end, result, start } from "./streams";

usesFrames();

class FakeObserver {
  static all: FakeObserver[] = [];
  el: Element | null = null;
  constructor(private readonly callback: IntersectionObserverCallback) { FakeObserver.all.push(this); }
  observe(el: Element): void { this.el = el; }
  disconnect(): void { this.el = null; }
  tell(isIntersecting: boolean): void {
    if (this.el) this.callback([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
}

let visibility: DocumentVisibilityState;
const tell = (within: boolean) => FakeObserver.all.forEach((observer) => observer.tell(within));
const watched = () => FakeObserver.all.filter((observer) => observer.el).length;
const page = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => {
  FakeObserver.all = [];
  visibility = "visible";
  vi.stubGlobal("IntersectionObserver", FakeObserver);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(() => void vi.restoreAllMocks());

const INPUT = "{}";
const asking = (...ids: string[]) => [start(), ...ids.flatMap((id) => call(id, "rm", INPUT)), ...ids.map((id) => ask([id, "rm", INPUT]))];
const told = (shown: ReturnType<typeof show>) => shown.kernel.got.flatMap((message) => (message.type === "shown" ? [message] : []));

test("it is told when the card is in the window, with what names the question", () => {
  const shown = show(asking("c1"));
  expect(told(shown)).toEqual([]);
  tell(false);
  expect(told(shown)).toEqual([]);
  tell(true);
  const { reply_id, tool_call_id, digest } = shown.kernel.pending[0]!;
  expect(told(shown)).toMatchObject([{ v: 1, type: "shown", reply_id, tool_call_id, digest }]);
});

test("a hidden page tells nothing until it is looked at", () => {
  visibility = "hidden";
  const shown = show(asking("c1"));
  tell(true);
  expect(told(shown)).toEqual([]);
  page("hidden");
  expect(told(shown)).toEqual([]);
  page("visible");
  expect(told(shown).length).toBe(1);
});

test("a card that has left the window meanwhile was not seen", () => {
  visibility = "hidden";
  const shown = show(asking("c1"));
  tell(true);
  tell(false);
  page("visible");
  expect(told(shown)).toEqual([]);
});

test("once for each question, however often it is looked at and in however many views", () => {
  const shown = show(asking("c1", "c2"));
  const view = mount(shown.host, shown.store);
  for (let round = 0; round < 3; round += 1) {
    tell(true);
    page("hidden");
    page("visible");
    frame();
  }
  expect(told(shown).map((message) => message.tool_call_id)).toEqual(["c1", "c2"]);
  expect(watched()).toBe(0);
  view.dispose();
});

test("lost on the way, it is told again under the same id", () => {
  const shown = show(asking("c1"));
  const receive = shown.kernel.receive.bind(shown.kernel);
  shown.kernel.receive = (message) => { if (message.type !== "shown") receive(message); else shown.kernel.got.push(message); };
  tell(true);
  shown.clock.pass(2000);
  shown.kernel.receive = receive;
  shown.clock.pass(60_000);
  expect(new Set(told(shown).map((message) => message.id)).size).toBe(1);
  expect(told(shown).length).toBe(3);
});

test("what is decided is told no more", () => {
  const shown = show(asking("c1"));
  const receive = shown.kernel.receive.bind(shown.kernel);
  shown.kernel.receive = (message) => { if (message.type !== "shown") receive(message); else shown.kernel.got.push(message); };
  tell(true);
  shown.named("Deny: rm").click();
  shown.clock.pass(60_000);
  expect(told(shown).length).toBe(1);
});

test.each([
  ["a log that was loaded", (shown: ReturnType<typeof show>) => { shown.kernel.live = false; shown.kernel.snapshot(); shown.store.state.live = false; }],
  ["a run that has ended", (shown: ReturnType<typeof show>) => { shown.kernel.events.push(...result("c1", "rm", "x"), end()); shown.kernel.advance(9); }],
  ["a page without a kernel", (shown: ReturnType<typeof show>) => { shown.kill(); shown.store.stop(); }],
])("%s tells nothing", (_, happen) => {
  const shown = show(asking("c1"));
  happen(shown);
  frame();
  tell(true);
  page("visible");
  expect(told(shown)).toEqual([]);
});

test("a view that is gone watches nothing, and neither does a card", () => {
  const shown = show(asking("c1", "c2"));
  expect(watched()).toBe(2);
  shown.named("Deny: rm").click();
  frame();
  expect(watched()).toBe(1);
  shown.close();
  expect(watched()).toBe(0);
  page("visible");
  tell(true);
  expect(told(shown)).toEqual([]);
});
