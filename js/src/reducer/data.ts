// Data blocks of the message itself.
import type { DataBlock, InlineSource } from "../protocol";
import { addBlock, findBlock, type Handlers } from "./lookup";
import { appendBase64, dataBlock, inlineSource, urlSource } from "./blocks";

/** Add a chunk of bytes, or count them if they were left out; bad base64 changes nothing. */
export function growData(source: InlineSource, data: string, withheld: number): boolean {
  if (withheld > 0) source.withheld = (source.withheld ?? 0) + withheld;
  return data === "" || appendBase64(source, data);
}

function grow(block: DataBlock, data: string, withheld: number): void {
  if (block.source.type === "base64") growData(block.source, data, withheld);
}

export const dataHandlers: Handlers<"DATA_BLOCK_START" | "DATA_BLOCK_DELTA" | "DATA_BLOCK_END"> = {
  DATA_BLOCK_START: (msg, event) =>
    addBlock(msg, dataBlock(event.block_id, inlineSource("", event.media_type), event.name, event.created_at)),

  DATA_BLOCK_DELTA: (msg, event) => {
    const block = findBlock(msg, "data", event.block_id);
    if (!block) return;
    if (event.url) block.source = urlSource(event.url, event.media_type) ?? block.source;
    else grow(block, event.data ?? "", event.withheld ?? 0);
  },

  DATA_BLOCK_END: (msg, event) => {
    const block = findBlock(msg, "data", event.block_id);
    if (block) block.finished_at = event.created_at;
  },
};
