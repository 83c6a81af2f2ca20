// What every part of the transcript has: an element, and an update that does nothing where nothing changed.
import type { Store } from "../store";

export interface Context {
  store: Store;
  /** Milliseconds of the store's clock at this frame. */
  now: number;
  /** Ask for another frame, e.g. after a click. */
  redraw: () => void;
}

export interface View<T> {
  readonly el: HTMLElement;
  update(item: T, context: Context): void;
}
