// Where a call stands, in one word with one icon.
import type { Decision } from "../reducer/progress";
import type { IconName } from "./icons";
import type { ToolItem } from "./items";

export interface ToolState {
  /** Value of data-state, for colours. */
  kind: "pending" | "asking" | "running" | "outside" | "done" | "failed" | "denied" | "interrupted";
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
};

/** @param ended whether the reply is over, so that nothing can go on */
export function toolState({ call, result }: ToolItem, decision: Decision | undefined, ended: boolean): ToolState {
  return STATES[nameOf(call, result, decision, ended)]!;
}

function nameOf(call: ToolItem["call"], result: ToolItem["result"], decision: Decision | undefined, ended: boolean): string {
  if (result && result.state !== "running") return result.state;
  if (ended) return "interrupted";
  if (call?.state === "submitted") return "submitted";
  if (result) return "running";
  if (call?.state === "finished") return decision?.decision === "denied" ? "denied" : "success";
  if (call?.state === "pending" && call.finished_at === null) return "writing";
  return call?.state ?? "pending";
}
