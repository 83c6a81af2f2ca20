// Text, thinking and hints.
import { addBlock, findBlock, type Handlers } from "./lookup";
import { textBlock } from "./blocks";
import { growingOf, makeGrowing } from "./growing";

type Types =
  | "TEXT_BLOCK_START" | "TEXT_BLOCK_DELTA" | "TEXT_BLOCK_END"
  | "THINKING_BLOCK_START" | "THINKING_BLOCK_DELTA" | "THINKING_BLOCK_END"
  | "HINT_BLOCK";

export const textHandlers: Handlers<Types> = {
  TEXT_BLOCK_START: (msg, event) => addBlock(msg, textBlock(event.block_id, "", event.created_at)),

  TEXT_BLOCK_DELTA: (msg, event) => {
    const block = findBlock(msg, "text", event.block_id);
    if (block) growingOf(block).append(event.delta);
  },

  TEXT_BLOCK_END: (msg, event) => {
    const block = findBlock(msg, "text", event.block_id);
    if (!block) return;
    if (event.text !== null && event.text !== undefined) block.text = event.text;
    block.finished_at = event.created_at;
  },

  THINKING_BLOCK_START: (msg, event) => {
    const block = { type: "thinking", thinking: "", id: event.block_id, created_at: event.created_at, finished_at: null } as const;
    addBlock(msg, makeGrowing({ ...block }, "thinking"));
  },

  THINKING_BLOCK_DELTA: (msg, event) => {
    const block = findBlock(msg, "thinking", event.block_id);
    if (block) growingOf(block).append(event.delta);
  },

  THINKING_BLOCK_END: (msg, event) => {
    const block = findBlock(msg, "thinking", event.block_id);
    if (block) block.finished_at = event.created_at;
  },

  HINT_BLOCK: (msg, event) => {
    addBlock(msg, {
      type: "hint",
      hint: structuredClone(event.hint),
      id: event.block_id,
      source: event.source,
      created_at: event.created_at,
      finished_at: event.created_at,
    });
  },
};
