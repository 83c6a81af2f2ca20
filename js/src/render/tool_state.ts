// Where a call stands, in one word with one icon.
import type { Decision } from "../reducer/progress";
import type { IconName } from "./icons";
import type { ToolItem } from "./items";

/** Key in a result's metadata: it was running when it was interrupted. */
const BEGUN_KEY = "nb_agentscope.begun";

export interface ToolState {
  /** Value of data-state, for colours. */
  kind: "pending" | "asking" | "running" | "outside" | "done" | "failed" | "denied" | "interrupted" | "begun";
  word: string;
  icon: IconName;
}

export const STATES: Record<string, ToolState> = {
  pending: { kind: "pending", word: "pending", icon: "dots" },
  writing: { kind: "running", word: "writing arguments", icon: "ring" },
  asking: { kind: "asking", word: "needs approval", icon: "hand" },
  allowed: { kind: "running", word: "approved", icon: "check" },
  running: { kind: "running", word: "running", icon: "ring" },
  submitted: { kind: "outside", word: "waiting outside", icon: "out" },
  success: { kind: "done", word: "done", icon: "check" },
  error: { kind: "failed", word: "failed", icon: "cross" },
  denied: { kind: "denied", word: "denied", icon: "ban" },
  interrupted: { kind: "interrupted", word: "interrupted", icon: "stop" },
  begun: { kind: "begun", word: "interrupted, may still take effect", icon: "stop" },
};

/** A call that goes on while its sub-agent waits for a person. */
export const SUB_AGENT_WAITS: ToolState = { kind: "asking", word: "waiting for you", icon: "hand" };

/** @param ended whether the reply is over, so that nothing can go on */
export function toolState({ call, result }: ToolItem, decision: Decision | undefined, ended: boolean): ToolState {
  return STATES[nameOf(call, result, decision, ended)]!;
}

function nameOf(call: ToolItem["call"], result: ToolItem["result"], decision: Decision | undefined, ended: boolean): string {
  if (result && result.state !== "running") return result.state === "interrupted" && BEGUN_KEY in result.metadata ? "begun" : result.state;
  if (ended) return "interrupted";
  if (call?.state === "submitted") return "submitted";
  if (result) return "running";
  if (call?.state === "finished") return decision?.decision === "denied" ? "denied" : "success";
  if (call?.state === "pending" && call.finished_at === null) return "writing";
  return call?.state ?? "pending";
}
