// Shows recorded streams in the widget without a kernel: dev/build.mjs puts widget.js, this and a page together.
import type { ClientMessage, ServerMessage, WireEvent } from "../src/protocol";
import { FakeKernel } from "../test/fake_kernel";

interface Scene {
  title: string;
  events: WireEvent[];
  /** How many events have arrived. */
  upTo: number;
  elapsed: number;
  patch?: Partial<FakeKernel>;
  /** The kernel is gone. */
  dead?: boolean;
}
type Listener = (message: unknown, buffers: DataView[]) => void;
interface Definition {
  initialize(props: { model: unknown }): unknown;
  render(props: { model: unknown; el: HTMLElement }): unknown;
}

/** A model as anywidget hands it to the module. */
function fakeModel(scene: Scene) {
  let hear: Listener = () => undefined;
  let alive = true;
  const kernel = new FakeKernel(scene.events, (message: ServerMessage, buffers = []) => hear(message, buffers));
  kernel.elapsed = scene.elapsed;
  const model = {
    get: () => "",
    on: (name: string, listener: Listener) => { if (name === "msg:custom") hear = listener; },
    off: () => undefined,
    send: (message: ClientMessage) => {
      if (!alive) throw new Error("Cannot send");
      kernel.receive(message);
    },
  };
  return { model, kernel, kill: () => { alive = false; } };
}

export async function showScenes(factory: () => Definition, scenes: Scene[], into: HTMLElement): Promise<void> {
  for (const scene of scenes) {
    const { model, kernel, kill } = fakeModel(scene);
    const widget = factory();
    const title = document.createElement("h2");
    const el = document.createElement("div");
    title.textContent = scene.title;
    el.className = "scene";
    into.append(title, el);
    await widget.initialize({ model });
    await widget.render({ model, el });
    kernel.advance(scene.upTo);
    Object.assign(kernel, scene.patch ?? {});
    if (scene.patch) kernel.snapshot();
    if (scene.dead) {
      kill();
      el.querySelector<HTMLButtonElement>(".nbas-stop")?.click();
    }
  }
}
