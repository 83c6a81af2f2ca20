// A decision as one line: who, what, how long it waited.
import type { Decision } from "../reducer/progress";
import { h } from "./dom";
import { roughly } from "./format";
import { icon } from "./icons";
import { visible } from "./visible";

const WORDS = { approved: "Approved once", denied: "Denied", answered: "Answered", interrupted: "Interrupted" };
const BY: Record<string, string> = { user: "by you", rule: "by a rule", policy: "by the policy for runs without a page", code: "by code" };

export function recordLine(decision: Decision): HTMLElement {
  const words = [
    [WORDS[decision.decision], decision.by && (BY[decision.by] ?? `by ${decision.by}`)].filter(Boolean).join(" "),
    decision.waited_s !== null && `waited ${roughly(decision.waited_s)}`,
    decision.edited_input !== null && "arguments edited",
  ].filter(Boolean);
  const symbol = icon(decision.decision === "approved" || decision.decision === "answered" ? "check" : "ban");
  const note = decision.note && h("span", "record-note", {}, "“", ...visible(decision.note), "”");
  return h("p", "record", { "data-decision": decision.decision }, symbol, h("span", "", {}, words.join(" · ")), note);
}
