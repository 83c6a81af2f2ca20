// What every part of the transcript has: an element, and an update that does nothing where nothing changed.
import type { Track } from "../reducer/view";
import type { Store } from "../store";
import type { Placement } from "./placement";

export interface Context {
  store: Store;
  /** Whose messages are shown: the agent's, or a sub-agent's inside its group. */
  track: Track;
  /** Where the sub-agents stand. */
  placement: Placement;
  /** Milliseconds of the store's clock at this frame. */
  now: number;
  /** Ask for another frame, e.g. after a click. */
  redraw: () => void;
}

export interface View<T> {
  readonly el: HTMLElement;
  update(item: T, context: Context): void;
}
