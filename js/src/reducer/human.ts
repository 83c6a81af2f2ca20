// What a reply asks of people and programs outside, and their answers.
import { addBlock, findBlock, type Handlers } from "./lookup";
import { growingResult } from "./blocks";

type Types = "REQUIRE_USER_CONFIRM" | "USER_CONFIRM_RESULT" | "REQUIRE_EXTERNAL_EXECUTION" | "EXTERNAL_EXECUTION_RESULT";

export const humanHandlers: Handlers<Types> = {
  REQUIRE_USER_CONFIRM: (msg, event) => {
    for (const asked of event.tool_calls) {
      const call = findBlock(msg, "tool_call", asked.id);
      if (!call) continue;
      call.state = "asking";
      call.suggested_rules = structuredClone(asked.suggested_rules);
    }
  },

  // An answer to a call that is no longer asking is stale.
  USER_CONFIRM_RESULT: (msg, event) => {
    for (const result of event.confirm_results) {
      const call = findBlock(msg, "tool_call", result.tool_call.id);
      if (call?.state === "asking") call.state = result.confirmed ? "allowed" : "finished";
    }
  },

  REQUIRE_EXTERNAL_EXECUTION: (msg, event) => {
    for (const asked of event.tool_calls) {
      const call = findBlock(msg, "tool_call", asked.id);
      if (call) call.state = "submitted";
    }
  },

  // Only results that nobody has begun are taken; two with one id in one event are both new.
  EXTERNAL_EXECUTION_RESULT: (msg, event) => {
    const added = event.execution_results.filter((result) => !findBlock(msg, "tool_result", result.id));
    for (const result of added) {
      addBlock(msg, { ...growingResult(result), finished_at: result.finished_at ?? event.created_at });
    }
  },
};
