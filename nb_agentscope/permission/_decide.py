"""Allow, deny or ask: the order in which rules, tool and mode are heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nb_agentscope.permission._checked import Checked
from nb_agentscope.permission._decision import Decision
from nb_agentscope.permission._match import first_match
from nb_agentscope.permission._mode import PermissionMode, checked_mode
from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule
from nb_agentscope.permission._verdict import Verdict

_ALLOW, _ASK, _DENY = PermissionBehavior.ALLOW, PermissionBehavior.ASK, PermissionBehavior.DENY


def decide(
    rules: Sequence[PermissionRule],
    mode: PermissionMode | str,
    tool: Checked,
    input: Mapping[str, Any],
    *,
    working_dirs: Sequence[str] = (),
) -> Decision:
    """What becomes of a call.

    The first that speaks decides: deny rules, ask rules, a call that only reads (allow), explore (deny), the tool's own
    verdict, allow rules, the mode. In dont_ask every ask is a denial.

    Args:
        rules: The rules in force, of all tools.
        mode: What applies where no rule does.
        tool: The tool that is called.
        input: The arguments.
        working_dirs: Folders inside which accept_edits and dont_ask let files be edited.

    Raises:
        ValueError: There is no such mode, or the tool's verdict is no behavior.
    """
    mode = checked_mode(mode)
    behavior, message, reason = _heard(rules, mode, tool, input, working_dirs)
    if behavior == _ALLOW:
        return Decision(_ALLOW, message or f"Permission granted for {tool.name}", reason)
    if behavior == _DENY:
        return Decision(_DENY, message or f"Permission denied for {tool.name}", reason)
    asked = Decision(_ASK, message or f"Permission required for {tool.name}", reason, tuple(tool.suggest(input)))
    return _unattended(asked, tool) if mode is PermissionMode.DONT_ASK else asked


def _heard(
    rules: Sequence[PermissionRule],
    mode: PermissionMode,
    tool: Checked,
    input: Mapping[str, Any],
    working_dirs: Sequence[str],
) -> tuple[PermissionBehavior, str, str]:
    """Behavior, message (empty: the usual one) and reason of the first that speaks."""
    if first_match(rules, _DENY, tool, input):
        return _DENY, f"Permission denied for {tool.name} (a deny rule forbids this call)", "deny rule"
    if first_match(rules, _ASK, tool, input):
        return _ASK, "", "ask rule"
    if tool.is_read_only(input):
        return _ALLOW, "", "read-only call"
    if mode is PermissionMode.EXPLORE:
        return _DENY, f"Permission denied for {tool.name} (explore mode is read-only)", "mode explore"
    verdict = tool.verdict(input, mode, working_dirs)
    if verdict is not None and _decides(verdict, mode):
        return PermissionBehavior(verdict.behavior), verdict.message, "tool"
    if first_match(rules, _ALLOW, tool, input):
        return _ALLOW, "", "allow rule"
    return _ALLOW if mode is PermissionMode.BYPASS else _ASK, "", f"mode {mode}"


def _decides(verdict: Verdict, mode: PermissionMode) -> bool:
    if verdict.behavior == _ASK:
        return verdict.final and mode is not PermissionMode.BYPASS
    return PermissionBehavior(verdict.behavior) is not PermissionBehavior.PASSTHROUGH


def _unattended(asked: Decision, tool: Checked) -> Decision:
    message = f"Permission denied for {tool.name} (in dont_ask mode nobody is there to ask)"
    reason = asked.reason if asked.reason.startswith("mode") else f"{asked.reason}, mode dont_ask"
    return replace(asked, behavior=_DENY, message=message, reason=reason)
