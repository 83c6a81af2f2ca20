// Base64 as Python's base64.b64decode reads it: what is outside the alphabet is skipped, what follows the padding is ignored.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIX_BITS = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i += 1) SIX_BITS[ALPHABET.charCodeAt(i)] = i;

/** The bytes of `text`, or null if it is no base64 (not ASCII, or cut in the middle of a group). */
export function decode(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let size = 0;
  let place = 0;
  let left = 0;
  let pads = 0;
  let ended = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127) return null;
    if (ended) continue;
    if (code === 61) {
      if (place >= 2 && place + ++pads >= 4) ended = true;
      continue;
    }
    const value = SIX_BITS[code] ?? -1;
    if (value < 0) continue;
    pads = 0;
    if (place > 0) bytes[size++] = ((left << (place * 2)) | (value >> (6 - place * 2))) & 255;
    left = value;
    place = (place + 1) % 4;
  }
  return ended || place === 0 ? bytes.subarray(0, size) : null;
}

/** Standard alphabet, padded. */
export function encode(bytes: Uint8Array): string {
  const parts: string[] = [];
  const step = 24_573; // a multiple of three, so that the pieces join without padding, and few enough arguments for a call
  for (let i = 0; i < bytes.length; i += step) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + step))));
  }
  return parts.join("");
}

/** Whether the last group ends cleanly and nothing is skipped, so that appending needs only the last group. */
function isCanonical(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Base64 text that grows by decoded bytes; only the last group of four is decoded again. */
export class GrowingBase64 {
  private pending: Uint8Array[] = [];
  private checked = false;

  constructor(private text: string) {}

  get(): string {
    if (this.pending.length > 0) {
      const keep = this.text.length - (this.text.endsWith("=") ? 4 : 0);
      const tail = decode(this.text.slice(keep)) ?? new Uint8Array();
      this.text = this.text.slice(0, keep) + encode(concat([tail, ...this.pending]));
      this.pending = [];
    }
    return this.text;
  }

  set(text: string): void {
    this.text = text;
    this.pending = [];
    this.checked = false;
  }

  /** Append what `chunk` decodes to; false, and nothing changed, if the chunk or what is there is no base64. */
  append(chunk: string): boolean {
    const bytes = decode(chunk);
    if (bytes === null || !this.tidy()) return false;
    this.pending.push(bytes);
    return true;
  }

  /** The first chunk of a tool result is kept as it came; it becomes standard base64 when the second arrives. */
  private tidy(): boolean {
    if (this.checked) return true;
    if (!isCanonical(this.text)) {
      const bytes = decode(this.text);
      if (bytes === null) return false;
      this.text = encode(bytes);
    }
    this.checked = true;
    return true;
  }
}

function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
