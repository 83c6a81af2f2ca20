// One view of a run: parts in order, at most one redraw per animation frame, everything gone when the view is.
import type { Store } from "../store";
import { Announcer } from "./announcer";
import { h, setData, setText, show } from "./dom";
import { Footer } from "./footer";
import { Header } from "./header";
import { place } from "./placement";
import { type ThemeChoice, watchTheme } from "./theme";
import { Transcript } from "./transcript";
import { Tray } from "./tray";
import type { Context } from "./view";

const TICK_MS = 250;

export interface Settings {
  theme: ThemeChoice;
  /** Pixels at which the transcript scrolls. */
  maxHeight: number;
}

/** Show `store` in `host`. */
export function mount(host: HTMLElement, store: Store, settings?: Settings): RootView {
  const view = new RootView(store, settings);
  host.append(view.el);
  view.start();
  return view;
}

export class RootView {
  readonly el = h("section", "root", { "aria-label": "Agent run" });
  private readonly header: Header;
  private readonly notice = h("p", "notice", { role: "status" });
  private readonly transcript: Transcript;
  private readonly tray: Tray;
  private readonly footer = new Footer();
  private readonly announcer = new Announcer();
  private readonly ends: (() => void)[] = [];
  private frame: number | null = null;
  private cancelTick: () => void = () => undefined;
  private endTheme: () => void = () => undefined;

  constructor(private readonly store: Store, settings: Settings = { theme: "auto", maxHeight: 600 }) {
    this.configure(settings);
    const redraw = () => this.schedule();
    this.header = new Header(() => store.stop());
    this.transcript = new Transcript(redraw);
    this.tray = new Tray((call) => this.transcript.headOf(call.reply_id, call.tool_call_id));
    this.el.append(this.header.el, this.notice, this.tray.el, this.transcript.el, this.footer.el, this.announcer.el);
  }

  start(): void {
    this.ends.push(this.store.subscribe(() => this.schedule()));
    this.draw();
    this.tick();
  }

  configure({ theme, maxHeight }: Settings): void {
    this.endTheme();
    this.endTheme = watchTheme(this.el, theme);
    this.el.style.setProperty("--nbas-max-height", `${maxHeight}px`);
  }

  dispose(): void {
    this.endTheme();
    for (const end of this.ends) end();
    this.cancelTick();
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.transcript.dispose();
    this.tray.dispose();
    this.el.remove();
  }

  /** Clocks go on while something may still happen. */
  private tick(): void {
    this.cancelTick = this.store.clock.after(TICK_MS, () => {
      if (this.store.state.status !== "finished" && this.store.state.live) this.schedule();
      this.tick();
    });
  }

  private schedule(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  private draw(): void {
    const { store } = this;
    const { main, lanes } = store.state;
    const context: Context = { store, track: main, placement: place(main, lanes), now: store.clock.now(), redraw: () => this.schedule() };
    const { phase } = store;
    setData(this.el, "phase", phase.kind);
    this.header.update(phase, context);
    this.drawNotice();
    this.transcript.update(context);
    this.tray.update(context);
    this.footer.update(store.state);
    this.announcer.update(store, phase.label, context.now);
  }

  private drawNotice(): void {
    const text = noticeOf(this.store);
    show(this.notice, text !== "");
    setText(this.notice, text);
  }
}

function noticeOf(store: Store): string {
  const { loaded, status } = store.state;
  if (status === "finished") return "";
  const stop = store.request("stop");
  if (!store.connected && !loaded) return "No kernel answers, and nothing was saved with the notebook. Run the cell again.";
  if (!store.connected) return "Kernel gone: this view can only be read. Run the cell again to go on.";
  if (store.silent) return "The kernel has not answered for a while; it may be busy.";
  return stop?.state === "refused" || stop?.state === "silent" ? `Not stopped: ${stop.reason}` : "";
}
