// append_event of AgentScope: what each event changes in a message. One table, one small function per event type.
import type { Msg, WireEvent } from "../protocol";
import { dataHandlers } from "./data";
import { humanHandlers } from "./human";
import { replyHandlers } from "./reply";
import { textHandlers } from "./text";
import { toolHandlers } from "./tool";

// Types that are not in the table change no message: REPLY_START, MODEL_CALL_START, EXCEED_MAX_ITERS, USER_INTERRUPT, CUSTOM.
const HANDLERS: Partial<Record<string, (msg: Msg, event: never) => void>> = {
  ...replyHandlers,
  ...textHandlers,
  ...dataHandlers,
  ...toolHandlers,
  ...humanHandlers,
};

/** Apply one event to the message; events of other replies and unknown types leave it as it is. */
export function appendEvent(msg: Msg, event: WireEvent): Msg {
  const handler = HANDLERS[event.type];
  if (handler && "reply_id" in event && event.reply_id === msg.id) handler(msg, event as never);
  return msg;
}
