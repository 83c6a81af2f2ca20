// Tool calls and their results.
import type { BlockOf, DataBlock, InlineSource, TextBlock } from "../protocol";
import { addBlock, findBlock, type Handlers, type Wired } from "./lookup";
import { dataBlock, inlineSource, textBlock, urlSource } from "./blocks";
import { growData } from "./data";
import { growingOf, makeGrowing } from "./growing";

type Types =
  | "TOOL_CALL_START" | "TOOL_CALL_DELTA" | "TOOL_CALL_END"
  | "TOOL_RESULT_START" | "TOOL_RESULT_TEXT_DELTA" | "TOOL_RESULT_DATA_DELTA" | "TOOL_RESULT_END";

export const toolHandlers: Handlers<Types> = {
  TOOL_CALL_START: (msg, event) => {
    const block: BlockOf<"tool_call"> = {
      type: "tool_call", id: event.tool_call_id, name: event.tool_call_name, input: "", state: "pending",
      suggested_rules: [], created_at: event.created_at, finished_at: null,
    };
    addBlock(msg, makeGrowing(block, "input"));
  },

  TOOL_CALL_DELTA: (msg, event) => {
    const block = findBlock(msg, "tool_call", event.tool_call_id);
    if (block) growingOf(block).append(event.delta);
  },

  TOOL_CALL_END: (msg, event) => {
    const block = findBlock(msg, "tool_call", event.tool_call_id);
    if (block) block.finished_at = event.created_at;
  },

  TOOL_RESULT_START: (msg, event) =>
    addBlock(msg, {
      type: "tool_result", id: event.tool_call_id, name: event.tool_call_name, output: [], state: "running",
      metadata: {}, created_at: event.created_at, finished_at: null,
    }),

  TOOL_RESULT_TEXT_DELTA: (msg, event) => {
    const block = findBlock(msg, "tool_result", event.tool_call_id);
    if (!block) return;
    const parts = outputParts(block, event);
    const last = parts.at(-1);
    if (last?.type === "text") growingOf(last).append(event.delta);
    else parts.push(textBlock(`${event.id}:text`, event.delta, event.created_at));
  },

  TOOL_RESULT_DATA_DELTA: (msg, event) => {
    const block = findBlock(msg, "tool_result", event.tool_call_id);
    if (block) addData(block, event);
  },

  TOOL_RESULT_END: (msg, event) => {
    const block = findBlock(msg, "tool_result", event.tool_call_id);
    if (!block) return;
    block.state = event.state;
    block.metadata = structuredClone(event.metadata);
    block.finished_at = event.created_at;
    const call = findBlock(msg, "tool_call", event.tool_call_id);
    if (call) call.state = "finished";
  },
};

type Part = TextBlock | DataBlock;

/** The output as a list; a plain text (from an external result) becomes its first part. */
function outputParts(block: BlockOf<"tool_result">, event: { id: string; created_at: string }): Part[] {
  if (typeof block.output === "string") block.output = [textBlock(`${event.id}:text`, block.output, event.created_at)];
  return block.output;
}

/** Base64 chunks with one id are one payload; all else is a new part. */
function addData(block: BlockOf<"tool_result">, event: Wired<"TOOL_RESULT_DATA_DELTA">): void {
  if (event.data === null || event.data === undefined) {
    const source = urlSource(event.url ?? "", event.media_type);
    if (source) outputParts(block, event).push(dataBlock(event.block_id, source, null, event.created_at));
    return;
  }
  const withheld = event.withheld ?? 0;
  const parts = outputParts(block, event);
  const known = inlineSources(parts);
  const target = known.get(event.block_id);
  if (!target) {
    const source = inlineSource(event.data, event.media_type, withheld);
    known.set(event.block_id, source);
    parts.push(dataBlock(event.block_id, source, null, event.created_at));
  } else if (growData(target, event.data, withheld) && event.media_type) target.media_type = event.media_type;
}

const inlineOf = new WeakMap<Part[], Map<string, InlineSource>>();

function inlineSources(parts: Part[]): Map<string, InlineSource> {
  let known = inlineOf.get(parts);
  if (!known) {
    known = new Map();
    for (const { source, id } of parts.filter((part) => part.type === "data")) {
      if (source.type === "base64" && !known.has(id)) known.set(id, source);
    }
    inlineOf.set(parts, known);
  }
  return known;
}
