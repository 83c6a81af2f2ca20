// Numbers for people.

const group = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** 1 204 */
export function count(value: number): string {
  return group(String(Math.floor(value + 0.5)));
}

/** 0.5 · 9.9 · 42: small rates need their tenths. */
export function tenths(value: number): string {
  return value < 9.95 ? (Math.floor(value * 10 + 0.5) / 10).toFixed(1) : count(value);
}

const two = (n: number) => String(n).padStart(2, "0");

/** 40 ms · 1.4 s · 12 s · 3 min 05 s · 2 h 10 min. Counted in whole milliseconds, halves up, so that Python's is the same. */
export function duration(seconds: number): string {
  const ms = Math.max(0, Math.floor(seconds * 1000 + 0.5));
  if (ms < 1000) return `${ms} ms`;
  if (ms < 9950) return `${(Math.floor((ms + 50) / 100) / 10).toFixed(1)} s`;
  const s = Math.floor((ms + 500) / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
  return `${Math.floor(s / 3600)} h ${two(Math.floor((s % 3600) / 60))} min`;
}

/** Whole seconds: for clocks that tick beside text. */
export function clock(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(s / 3600);
  return hours > 0 ? `${hours}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** 840 B · 12 kB · 3.4 MB */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${Math.floor((size + 500) / 1000)} kB`;
  return `${(Math.floor((size + 50_000) / 100_000) / 10).toFixed(1)} MB`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Whole seconds in words, for what still runs: 4 s · 3 min 05 s */
export function clockWords(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  return s < 60 ? `${s} s` : duration(s);
}
