// The anywidget module: connection and state live with the model, DOM with each view.
import type { AnyModel } from "@anywidget/types";
import { realClock } from "./clock";
import type { ServerMessage } from "./protocol";
import { mount, type Settings } from "./render/root";
import { Store } from "./store";

interface Traits {
  /** JSON of the finished run, "" while it is live. */
  final: string;
  theme?: Settings["theme"];
  max_height?: number;
  [name: string]: unknown;
}
type Model = AnyModel<Traits>;

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Open the connection of a model; `close` ends it. */
function connect(model: Model): { store: Store; close: () => void } {
  const store = new Store((message) => model.send(message), realClock, randomName());
  const onMessage = (message: ServerMessage, buffers: DataView[]) => store.receive(message, buffers);
  const onFinal = () => store.loadFinal(model.get("final") ?? "");
  model.on("msg:custom", onMessage);
  model.on("change:final", onFinal);
  onFinal();
  store.start();
  const close = () => {
    model.off("msg:custom", onMessage);
    model.off("change:final", onFinal);
    store.close();
  };
  return { store, close };
}

const SETTINGS = ["change:theme", "change:max_height"] as const;

function settingsOf(model: Model): Settings {
  return { theme: model.get("theme") || "auto", maxHeight: model.get("max_height") || 600 };
}

/** Called once per model: what `initialize` opens is what each `render` shows. */
export default () => {
  let store: Store | null = null;
  return {
    initialize({ model }: { model: Model }): () => void {
      const connection = connect(model);
      store = connection.store;
      return connection.close;
    },
    render({ model, el }: { model: Model; el: HTMLElement }): () => void {
      if (!store) throw new Error("nb_agentscope: render was called before initialize");
      store.hello(randomName());
      Object.defineProperty(el, "__nbas", { value: store, configurable: true }); // for tests and debugging
      const view = mount(el, store, settingsOf(model));
      const onSettings = () => view.configure(settingsOf(model));
      for (const name of SETTINGS) model.on(name, onSettings);
      return () => {
        for (const name of SETTINGS) model.off(name, onSettings);
        view.dispose();
      };
    },
  };
};
