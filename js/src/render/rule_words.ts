// A permission rule in a plain sentence: which future calls it lets run.
import type { PermissionRule } from "../protocol";
import { type Child, h } from "./dom";
import { visible } from "./visible";

/** Patterns that leave nothing out. */
const ALL = new Set(["", "*", "**", "**/*", "/**", ":*", "*:*"]);

/** Whether the rule covers every call of its tool. */
export function coversAll({ rule_content }: PermissionRule): boolean {
  return rule_content === null || ALL.has(rule_content.trim());
}

/** The sentence; patterns and names are foreign text. */
export function ruleWords(rule: PermissionRule): Child[] {
  const name = h("bdi", "name", {}, ...visible(rule.tool_name));
  const pattern = rule.rule_content ?? "";
  if (coversAll(rule)) return ["Every call of ", name, ", whatever its arguments", pattern && " (", pattern && code(pattern), pattern && ")"];
  if (pattern.endsWith(":*")) return ["Calls of ", name, " whose command is ", code(pattern.slice(0, -2)), ", alone or with more behind it"];
  if (/^[^*?[\]{}]+\/\*\*$/.test(pattern)) return ["Calls of ", name, " on anything below ", code(pattern.slice(0, -2))];
  return ["Calls of ", name, " that match the pattern ", code(pattern)];
}

function code(text: string): HTMLElement {
  return h("code", "pattern", {}, ...visible(text));
}
