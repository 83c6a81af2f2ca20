"""Rules that a person may accept together with a call."""

from __future__ import annotations

from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule


def suggest_tool(tool_name: str) -> list[PermissionRule]:
    """One rule: every call of the tool."""
    return [_allow(tool_name, None)]


def suggest_paths(tool_name: str, path: object, *, root: str | None = None) -> list[PermissionRule]:
    """The file, and its directory."""
    raise NotImplementedError


def suggest_commands(tool_name: str, command: object) -> list[PermissionRule]:
    """The command itself, and its program and subcommand with any arguments where that is sensible."""
    raise NotImplementedError


def _allow(tool_name: str, content: str | None) -> PermissionRule:
    return PermissionRule(
        tool_name=tool_name, rule_content=content, behavior=PermissionBehavior.ALLOW, source="suggested"
    )
