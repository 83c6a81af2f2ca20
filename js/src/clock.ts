// Time as something that is handed in, so that tests need not wait.

export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  /** Call `action` once after `ms`; gives a function that cancels it. */
  after(ms: number, action: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
