// Times of the newest model call, from the events themselves; a snapshot does not carry them.
import type { WireEvent } from "../protocol";
import { seconds } from "./progress";

export interface Timing {
  modelStart: string | null;
  firstContent: string | null;
  /** Time to first token of the newest model call, seconds. */
  ttft: number | null;
  /** Output tokens per second of the newest model call that ended. */
  tokensPerSecond: number | null;
}

export function emptyTiming(): Timing {
  return { modelStart: null, firstContent: null, ttft: null, tokensPerSecond: null };
}

/** The text of a content delta; an empty one is no content. */
function content(event: WireEvent): string {
  switch (event.type) {
    case "TEXT_BLOCK_DELTA":
    case "THINKING_BLOCK_DELTA":
    case "TOOL_CALL_DELTA":
      return event.delta;
    default:
      return "";
  }
}

export function pushTiming(timing: Timing, event: WireEvent): void {
  if (event.type === "MODEL_CALL_START") {
    timing.modelStart = event.created_at;
    timing.firstContent = null;
  } else if (event.type === "MODEL_CALL_END") {
    const span = seconds(timing.firstContent, event.created_at);
    timing.tokensPerSecond = span !== null && span > 0 && event.output_tokens > 0 ? event.output_tokens / span : null;
    timing.modelStart = null;
  } else if (timing.modelStart !== null && timing.firstContent === null && content(event) !== "") {
    timing.firstContent = event.created_at;
    timing.ttft = seconds(timing.modelStart, event.created_at);
  }
}
