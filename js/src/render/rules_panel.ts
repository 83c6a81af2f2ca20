// The rules that an approval may bring with it. Nothing is ticked beforehand: each one lets calls run that nobody will see.
import type { Pending, PermissionRule } from "../protocol";
import { add, checkbox, h } from "./dom";
import { icon } from "./icons";
import { coversAll, ruleWords } from "./rule_words";

export class RulesPanel {
  readonly el = h("div", "ask-panel", { role: "group", "aria-label": "Calls to allow from now on" });
  private readonly choices: { box: HTMLInputElement; rule: PermissionRule }[] = [];

  constructor(call: Pending, rules: readonly PermissionRule[], changed: () => void) {
    add(this.el, h("p", "", {}, "Run this call, and from now on without asking:"));
    for (const rule of rules) {
      const { el, box } = checkbox("rule", [...ruleWords(rule), ...warnings(rule, call)], changed);
      this.choices.push({ box, rule });
      add(this.el, el);
    }
    add(this.el, h("p", "dim", {}, "Holds for this agent until the kernel restarts, longer if its state is saved."));
  }

  get chosen(): PermissionRule[] {
    return this.choices.filter(({ box }) => box.checked).map(({ rule }) => rule);
  }

  focus(): void {
    this.choices[0]?.box.focus();
  }

  draw(frozen: boolean): void {
    for (const { box } of this.choices) box.disabled = frozen;
  }
}

/** The suggestions that an approval may accept. */
export function offeredRules(call: Pending): PermissionRule[] {
  return call.suggested_rules.filter((rule) => rule.behavior === "allow");
}

function warnings(rule: PermissionRule, call: Pending): HTMLElement[] {
  const words = [
    coversAll(rule) && "You will not be asked about this tool again.",
    rule.tool_name !== call.name && "This is another tool than the one that asks now.",
  ];
  return words.filter((text) => text !== false).map((text) => h("span", "ask-warn", {}, icon("warn"), text));
}
