// Who runs, what it is doing, for how long, and the way to stop it.
import type { Phase } from "../reducer/phase";
import { add, button, h, setData, setText, show } from "./dom";
import { clock } from "./format";
import { icon, swapIcon } from "./icons";
import { PHASE_ICONS } from "./phase_icons";
import type { Context } from "./view";

export class Header {
  readonly el = h("header", "head");
  private readonly agent = h("bdi", "agent");
  private readonly model = h("bdi", "model");
  private readonly chip = h("span", "chip");
  private readonly symbol = h("span", "symbol");
  private readonly word = h("bdi", "");
  private readonly clock = h("span", "clock", { title: "Time since the run began" });
  private readonly stop: HTMLButtonElement;

  constructor(stop: () => void) {
    this.stop = button("button stop", [icon("stop"), "Stop"], stop, "Stop the reply");
    add(this.chip, this.symbol, this.word);
    add(this.el, h("div", "who-box", {}, this.agent, this.model), this.chip, this.clock, this.stop);
  }

  update(phase: Phase, { store, now }: Context): void {
    const { progress, loaded } = store.state;
    setText(this.agent, progress.agent ?? "Agent");
    setText(this.model, progress.model ?? "");
    setData(this.chip, "phase", phase.kind);
    setText(this.word, loaded || phase.kind === "disconnected" ? phase.label : "Connecting");
    swapIcon(this.symbol, PHASE_ICONS[phase.kind], PHASE_ICONS[phase.kind] === "ring" ? "spin" : "");
    setText(this.clock, loaded ? clock(store.state.elapsed(now)) : "");
    this.drawStop(store.canAct, store.request("stop")?.state);
  }

  private drawStop(possible: boolean, state: string | undefined): void {
    const stopping = state === "sent" || state === "done";
    show(this.stop, possible);
    this.stop.disabled = stopping;
    if (this.stop.lastChild && this.stop.lastChild.textContent !== (stopping ? "Stopping…" : "Stop")) {
      this.stop.lastChild.textContent = stopping ? "Stopping…" : "Stop";
    }
  }
}
