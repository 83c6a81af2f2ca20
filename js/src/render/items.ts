// What the transcript shows, in order: a pure function of the messages. Results stand in the card of their call.
import type { Block, BlockOf, Msg } from "../protocol";
import type { Lane } from "../reducer/view";

export interface ToolItem {
  call: BlockOf<"tool_call"> | null;
  result: BlockOf<"tool_result"> | null;
  replyId: string;
}

export type Item =
  | { kind: "user"; key: string; msg: Msg }
  | { kind: "tool"; key: string; tool: ToolItem }
  | { kind: "block"; key: string; block: Exclude<Block, BlockOf<"tool_call"> | BlockOf<"tool_result">>; replyId: string }
  | { kind: "end"; key: string; msg: Msg }
  | { kind: "notes"; key: string; notes: readonly string[] }
  | { kind: "lane"; key: string; lane: Lane };

const cache = new WeakMap<Msg, { length: number; items: Item[] }>();

/** Items of one reply; content only grows at its end, so they are made again only when it did. */
function itemsOf(msg: Msg): Item[] {
  const known = cache.get(msg);
  if (known?.length === msg.content.length) return known.items;
  const items = pair(msg);
  cache.set(msg, { length: msg.content.length, items });
  return items;
}

function pair(msg: Msg): Item[] {
  const items: Item[] = [];
  const waiting = new Map<string, ToolItem[]>();
  for (const [index, block] of msg.content.entries()) {
    const key = `${msg.id}/${index}/${block.type}/${block.id}`;
    if (block.type === "tool_call") {
      const tool: ToolItem = { call: block, result: null, replyId: msg.id };
      waiting.set(block.id, [...(waiting.get(block.id) ?? []), tool]);
      items.push({ kind: "tool", key, tool });
    } else if (block.type === "tool_result") {
      const call = waiting.get(block.id)?.shift();
      if (call) call.result = block;
      else items.push({ kind: "tool", key, tool: { call: null, result: block, replyId: msg.id } });
    } else {
      items.push({ kind: "block", key, block, replyId: msg.id });
    }
  }
  return items;
}

/** All items: what was asked, each reply, and how it ended; last, what was remarked on the run, and sub-agents of unknown calls. */
export function listItems(inputs: readonly Msg[], msgs: readonly Msg[], notes: readonly string[], loose: readonly Lane[] = []): Item[] {
  const items: Item[] = inputs.map((msg, index) => ({ kind: "user", key: `input/${index}/${msg.id}`, msg }));
  for (const msg of msgs) {
    for (const item of itemsOf(msg)) items.push(item);
    if (msg.error || (msg.finished_at !== null && msg.content.length === 0)) items.push({ kind: "end", key: `${msg.id}/end`, msg });
  }
  if (notes.length > 0) items.push({ kind: "notes", key: "notes", notes });
  for (const lane of loose) items.push({ kind: "lane", key: `lane/${lane.key}`, lane });
  return items;
}
