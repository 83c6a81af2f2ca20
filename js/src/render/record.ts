// A decision as one line: who, what, how long it waited.
import type { PermissionRule } from "../protocol";
import type { Decision } from "../reducer/progress";
import { h } from "./dom";
import { duration } from "./format";
import { icon } from "./icons";
import { visible } from "./visible";

const WORDS = { approved: "Approved once", denied: "Denied", answered: "Answered", interrupted: "Interrupted" };
const WITH_RULES = "Approved and always allowed";
const BY: Record<string, string> = { user: "by you", rule: "by a rule", policy: "by policy", code: "by code" };

/** "by you", or nothing where the log does not say who. */
export function byWords(decision: Decision): string {
  return decision.by ? (BY[decision.by] ?? `by ${decision.by}`) : "";
}

export function recordLine(decision: Decision): HTMLElement {
  const words = [
    [decision.rules.length > 0 ? WITH_RULES : WORDS[decision.decision], byWords(decision)].filter(Boolean).join(" "),
    decision.waited_s !== null && `waited ${duration(decision.waited_s)}`,
    decision.edited_input !== null && "arguments edited",
  ].filter(Boolean);
  const symbol = icon(decision.decision === "approved" || decision.decision === "answered" ? "check" : "ban");
  const rules = decision.rules.flatMap((rule) => [" ", h("code", "pattern", {}, ...visible(patternOf(rule)))]);
  const note = decision.note && h("span", "record-note", {}, "“", ...visible(decision.note), "”");
  return h("p", "record", { "data-decision": decision.decision }, symbol, h("span", "", {}, words.join(" · ")), ...rules, note && " ", note);
}

/** As rules are written: `delete_file(drafts/**)`. */
function patternOf({ tool_name, rule_content }: PermissionRule): string {
  return rule_content ? `${tool_name}(${rule_content})` : tool_name;
}
