// Blocks of a message by type and id.
import type { Block, BlockOf, EventOf, EventType, Msg, WireEvent } from "../protocol";

export type Wired<T extends EventType> = EventOf<T> & Pick<WireEvent, "recorded" | "withheld">;
export type Handlers<T extends EventType> = { [K in T]: (msg: Msg, event: Wired<K>) => void };

const indexes = new WeakMap<Msg, Map<string, number>>();

/** Position of the first block with each (type, id): a repeated START adds a block that no later event reaches. */
function indexOf(msg: Msg): Map<string, number> {
  let index = indexes.get(msg);
  if (!index) {
    index = new Map();
    for (const [position, block] of msg.content.entries()) note(index, block, position);
    indexes.set(msg, index);
  }
  return index;
}

function note(index: Map<string, number>, block: Block, position: number): void {
  const key = `${block.type}:${block.id}`;
  if (!index.has(key)) index.set(key, position);
}

export function addBlock(msg: Msg, block: Block): void {
  note(indexOf(msg), block, msg.content.push(block) - 1);
}

export function findBlock<T extends Block["type"]>(msg: Msg, type: T, id: string): BlockOf<T> | undefined {
  const position = indexOf(msg).get(`${type}:${id}`);
  return position === undefined ? undefined : (msg.content[position] as BlockOf<T>);
}
