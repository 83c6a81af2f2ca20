"""Which rules are about a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nb_agentscope.permission._checked import Checked
from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule

_LOOSE = {PermissionBehavior.DENY, PermissionBehavior.ASK}


def first_match(
    rules: Iterable[PermissionRule], behavior: PermissionBehavior, tool: Checked, input: Mapping[str, Any]
) -> PermissionRule | None:
    """The first rule with this behavior that is about the call."""
    return next((rule for rule in rules if rule.behavior == behavior and _matches(rule, tool, input)), None)


def matches(rules: PermissionRule | Iterable[PermissionRule], tool: Checked, input: Mapping[str, Any]) -> bool:
    """Whether any of the rules is about this call: allow rules narrowly, deny and ask rules widely.

    Args:
        rules: One rule or several, of any behavior.
        tool: The tool that is called.
        input: The arguments.
    """
    several = [rules] if isinstance(rules, PermissionRule) else rules
    return any(_matches(rule, tool, input) for rule in several)


def forbids(rules: Iterable[PermissionRule], tool: Checked, input: Mapping[str, Any]) -> PermissionRule | None:
    """The first deny rule that is about this call, or None."""
    return first_match(rules, PermissionBehavior.DENY, tool, input)


def covered(suggested: Iterable[PermissionRule], tool: Checked, input: Mapping[str, Any]) -> bool:
    """Whether an allow rule among these, once accepted, would be about this call, so that asking now may be spared."""
    return first_match(suggested, PermissionBehavior.ALLOW, tool, input) is not None


def _matches(rule: PermissionRule, tool: Checked, input: Mapping[str, Any]) -> bool:
    if rule.tool_name != tool.name:
        return False
    return not rule.rule_content or tool.match(rule.rule_content, input, loose=rule.behavior in _LOOSE)
