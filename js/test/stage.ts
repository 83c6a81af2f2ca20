// A view of a store on a perfect line to a fake kernel, in a page whose frames are drawn when the test says so.
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { WireEvent } from "../src/protocol";
import { mount } from "../src/render/root";
import { Store } from "../src/store";
import { FakeClock } from "./fake_clock";
import { FakeKernel } from "./fake_kernel";

let frames: Map<number, () => void>;

/** To be called once by a test file. */
export function usesFrames(): void {
  beforeEach(() => {
    frames = new Map();
    let next = 0;
    vi.stubGlobal("requestAnimationFrame", (action: () => void) => { frames.set((next += 1), action); return next; });
    vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
    document.body.replaceChildren();
  });
  afterEach(() => void vi.unstubAllGlobals());
}

/** Number of frames that were asked for. */
export const framesDue = () => frames.size;

/** Draw what was asked for. */
export function frame(): void {
  const due = [...frames.values()];
  frames.clear();
  for (const action of due) action();
}

export function show(events: WireEvent[], upTo = events.length) {
  const clock = new FakeClock();
  let alive = true;
  const kernel: FakeKernel = new FakeKernel(events, (message, buffers) => store.receive(structuredClone(message), buffers));
  const store: Store = new Store((message) => {
    if (!alive) throw new Error("Cannot send");
    kernel.receive(message);
  }, clock, "s");
  const host = document.createElement("div");
  document.body.append(host);
  const view = mount(host, store);
  const close = () => view.dispose();
  store.start();
  kernel.advance(upTo);
  frame();
  const all = (selector: string) => [...host.querySelectorAll<HTMLElement>(selector)];
  const one = (selector: string) => all(selector)[0] ?? expect.fail(`nothing is ${selector}`);
  const named = (label: string) => one(`[aria-label="${label}"]`) as HTMLButtonElement;
  return { clock, kernel, store, host, close, all, one, named, kill: () => { alive = false; } };
}

/** What a hostile text would do if it were taken for markup. */
export const EVIL = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
