// Blocks as the reducer holds them: plain JSON objects whose long fields grow in place.
import type { Block, BlockOf, DataBlock, InlineSource, Msg, TextBlock, URLSource } from "../protocol";
import { GrowingBase64 } from "./base64";
import { makeGrowing } from "./growing";

type Part = TextBlock | DataBlock;
const BASE64 = Symbol("base64");

export function textBlock(id: string, text: string, createdAt: string): TextBlock {
  return makeGrowing({ type: "text", text, id, created_at: createdAt, finished_at: null }, "text");
}

export function dataBlock(id: string, source: InlineSource | URLSource, name: string | null, createdAt: string): DataBlock {
  return { type: "data", id, source, name, created_at: createdAt, finished_at: null };
}

/** A base64 source whose `data` reads as a string and grows by `appendBase64`. */
export function inlineSource(data: string, mediaType: string, withheld = 0): InlineSource {
  const growing = new GrowingBase64(data);
  const source: InlineSource = { type: "base64", data, media_type: mediaType };
  if (withheld > 0) source.withheld = withheld;
  Object.defineProperty(source, "data", { enumerable: true, get: () => growing.get(), set: (text: string) => growing.set(text) });
  Object.defineProperty(source, BASE64, { value: growing });
  return source;
}

/** False, and nothing changed, if one of the two is no base64. */
export function appendBase64(source: InlineSource, chunk: string): boolean {
  const growing = (source as unknown as Record<symbol, unknown>)[BASE64];
  if (!(growing instanceof GrowingBase64)) throw new TypeError("This source cannot grow; make it with inlineSource().");
  return growing.append(chunk);
}

/** An absolute URL in its normal form, or null. */
export function urlSource(url: string, mediaType: string): URLSource | null {
  try {
    return { type: "url", url: new URL(url).href, media_type: mediaType };
  } catch {
    return null;
  }
}

function growingPart(part: Part): Part {
  if (part.type === "text") return makeGrowing({ ...part }, "text");
  const { source } = part;
  if (source.type === "url") return { ...part, source: { ...source } };
  return { ...part, source: inlineSource(source.data, source.media_type, (source as InlineSource).withheld) };
}

/** A block from JSON as one that can grow; the JSON is copied, never shared. */
export function growingBlock(block: Block): Block {
  switch (block.type) {
    case "text":
    case "data":
      return growingPart(block);
    case "thinking":
      return makeGrowing({ ...block }, "thinking");
    case "tool_call":
      return makeGrowing(structuredClone(block), "input");
    case "tool_result":
      return growingResult(block);
    default:
      return structuredClone(block);
  }
}

export function growingResult(block: BlockOf<"tool_result">): BlockOf<"tool_result"> {
  const output = typeof block.output === "string" ? block.output : block.output.map(growingPart);
  return { ...block, output, metadata: structuredClone(block.metadata) };
}

/** A message from JSON (a snapshot, the trait `final`) as one that events can be appended to. */
export function growingMsg(msg: Msg): Msg {
  return { ...structuredClone({ ...msg, content: [] }), content: msg.content.map(growingBlock) };
}
