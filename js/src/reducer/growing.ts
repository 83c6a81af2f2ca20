// Strings that grow by chunks. `block.text += delta` after each read would copy the text so far; chunks are joined when read.

/** A string under construction; `at` says how often it was replaced, so that a reader knows whether its offset still holds. */
export class Growing {
  private chunks: string[];
  length: number;
  replaced = 0;

  constructor(value: string) {
    this.chunks = [value];
    this.length = value.length;
  }

  append(chunk: string): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
  }

  replace(value: string): void {
    this.chunks = [value];
    this.length = value.length;
    this.replaced += 1;
  }

  /** The whole string. */
  read(): string {
    if (this.chunks.length > 1) this.chunks = [this.chunks.join("")];
    return this.chunks[0] ?? "";
  }

  /** What stands after `offset`; costs only what is new. */
  since(offset: number): string {
    const found: string[] = [];
    let start = this.length;
    for (let i = this.chunks.length - 1; i >= 0 && start > offset; i -= 1) {
      const chunk = this.chunks[i] ?? "";
      start -= chunk.length;
      found.push(start < offset ? chunk.slice(offset - start) : chunk);
    }
    return found.reverse().join("");
  }
}

const GROWING = Symbol("growing");

/** Make `object[key]` grow: it still reads, enumerates and serialises as a plain string. */
export function makeGrowing<T extends object>(object: T, key: keyof T & string): T {
  const growing = new Growing(String(object[key]));
  Object.defineProperty(object, key, {
    enumerable: true,
    configurable: true,
    get: () => growing.read(),
    set: (value: string) => growing.replace(value),
  });
  Object.defineProperty(object, GROWING, { value: growing });
  return object;
}

/** The growing string behind a block's text, thinking or input. */
export function growingOf(object: object): Growing {
  const growing = (object as Record<symbol, unknown>)[GROWING];
  if (!(growing instanceof Growing)) throw new TypeError("This block has no growing field; make it with blocks.ts.");
  return growing;
}
