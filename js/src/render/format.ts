// Numbers for people.

const group = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** 1 204 */
export function count(value: number): string {
  return group(String(Math.round(value)));
}

/** 40 ms · 1.4 s · 12 s · 3 min 05 s · 2 h 10 min */
export function duration(seconds: number): string {
  const s = Math.max(0, seconds);
  if (s < 0.9995) return `${Math.round(s * 1000)} ms`;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  if (s < 59.5) return `${Math.round(s)} s`;
  const whole = Math.round(s);
  const two = (n: number) => String(n).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** Whole seconds: for clocks that tick beside text. */
export function clock(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(s / 3600);
  return hours > 0 ? `${hours}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** 840 B · 12 kB · 3.4 MB */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${Math.round(size / 1000)} kB`;
  return `${(size / 1e6).toFixed(1)} MB`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** As precise as people ask: 0.4 s · 4 s · 3 min 05 s */
export function roughly(seconds: number): string {
  return seconds < 0.95 ? `${Math.max(0, seconds).toFixed(1)} s` : clockWords(Math.round(seconds));
}

/** Whole seconds in words: 4 s · 3 min 05 s */
export function clockWords(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  return s < 60 ? `${s} s` : duration(s);
}
