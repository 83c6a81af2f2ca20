// The end of a reply, and what its model calls used.
import type { Handlers } from "./lookup";

export const replyHandlers: Handlers<"REPLY_END" | "MODEL_CALL_END"> = {
  REPLY_END: (msg, event) => {
    msg.finished_at = event.created_at;
    msg.finished_reason = event.finished_reason;
    msg.error = event.error === null ? null : { ...event.error };
  },

  MODEL_CALL_END: (msg, event) => {
    const sum = msg.usage ?? { input_tokens: 0, output_tokens: 0, cache_input_tokens: 0, cache_creation_input_tokens: 0 };
    msg.usage = {
      input_tokens: sum.input_tokens + event.input_tokens,
      output_tokens: sum.output_tokens + event.output_tokens,
      cache_input_tokens: sum.cache_input_tokens + event.cache_input_tokens,
      cache_creation_input_tokens: sum.cache_creation_input_tokens + event.cache_creation_input_tokens,
    };
  },
};
