// What the agent is doing, as one word for people: a pure function of what was received, so that it cannot get stuck.
import type { Block, Msg, Pending, Status } from "../protocol";
import type { Progress } from "./progress";

export type PhaseKind =
  | "idle" | "thinking" | "answering" | "calling" | "model" | "working" | "confirm" | "external" | "stopped" | "failed" | "done"
  | "limit" | "disconnected";

export interface Phase {
  kind: PhaseKind;
  label: string;
}

export interface PhaseInput {
  msg: Msg | undefined;
  progress: Progress;
  status: Status;
  pending: readonly Pending[];
  connected: boolean;
}

export const ENDED: Record<string, Phase> = {
  completed: { kind: "done", label: "Done" },
  interrupted: { kind: "stopped", label: "Stopped" },
  exceed_max_iters: { kind: "limit", label: "Stopped at the round limit" },
  error: { kind: "failed", label: "Failed" },
};

export function phaseOf(input: PhaseInput): Phase {
  const { msg, status, pending } = input;
  if (status === "finished") return (msg?.finished_reason && ENDED[msg.finished_reason]) || { kind: "done", label: "Done" };
  if (!input.connected) return { kind: "disconnected", label: "Disconnected" };
  return waiting(pending) ?? working(msg, input.progress);
}

function waiting(pending: readonly Pending[]): Phase | null {
  const confirms = pending.filter((call) => call.kind === "confirm").length;
  const count = pending.length > 1 ? ` (${pending.length})` : "";
  if (confirms > 0) return { kind: "confirm", label: `Waiting for you${count}` };
  return pending.length > 0 ? { kind: "external", label: `Waiting for a result${count}` } : null;
}

function working(msg: Msg | undefined, progress: Progress): Phase {
  if (!msg) return progress.inputs.length > 0 ? { kind: "working", label: "Starting" } : { kind: "idle", label: "Idle" };
  const open = msg.content.filter(isOpen);
  const tool = open.filter((block) => block.type === "tool_result" || block.type === "tool_call").at(-1);
  if (open.some((block) => block.type === "text")) return { kind: "answering", label: "Answering" };
  if (tool) return { kind: "calling", label: `Calling ${"name" in tool ? tool.name : "tool"}` };
  if (open.some((block) => block.type === "thinking")) return { kind: "thinking", label: "Thinking" };
  return progress.model_open ? { kind: "model", label: "Waiting for model" } : { kind: "working", label: "Working" };
}

/** Whether the block is still growing. */
export function isOpen(block: Block): boolean {
  if (block.type === "tool_result") return block.state === "running";
  return block.type !== "hint" && block.finished_at === null;
}
