// Names for what crosses the wire. Python's models are the source (src/generated/wire.ts); what it adds to dumped events and
// sources on the way is written down here.
import type { Base64Source, Final, Recorded, Wire } from "./generated/wire";

export type {
  Base64Source, Batch, DataBlock, ErrorInfo, Final, HintBlock, Msg, Pending, PermissionRule, Recorded, Snapshot, TextBlock, ThinkingBlock,
  ToolCallBlock, ToolResultBlock, URLSource, Usage,
} from "./generated/wire";

export type AgentEvent = Wire["event"];
export type EventType = AgentEvent["type"];
export type EventOf<T extends EventType> = Extract<AgentEvent, { type: T }>;
/** `withheld`: number of decoded bytes that were left out of a data delta. */
export type WireEvent = AgentEvent & { recorded?: Recorded | null; withheld?: number };
/** `withheld`: bytes that are not in `data`; the whole block has to be fetched. */
export type InlineSource = Base64Source & { withheld?: number };

export type ClientMessage = Wire["from_browser"];
export type ServerMessage = Wire["from_kernel"];
export type Status = Final["status"];
export type Block = Wire["msg"]["content"][number];
export type BlockOf<T extends Block["type"]> = Extract<Block, { type: T }>;

export const VERSION = 1;
