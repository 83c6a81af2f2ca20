"""What permission rules with a pattern look at in a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nb_agentscope.permission import (
    PermissionMode,
    PermissionRule,
    Verdict,
    match_glob,
    match_prefix,
    path_verdict,
    suggest_commands,
    suggest_paths,
    suggest_tool,
)


class Subject:
    """Nothing: only rules about every call of the tool match."""

    has_patterns = False
    """Whether a rule with a pattern can be about a call at all."""

    def __init__(self, tool_name: str, argument: str | None = None, default: Any = None) -> None:
        self._tool_name = tool_name
        self._argument = argument
        self._default = default

    def verdict(self, input: Mapping[str, Any], mode: PermissionMode, working_dirs: Sequence[str]) -> Verdict | None:  # noqa: ARG002 - it looks at nothing
        """The tool's own opinion of a call."""
        return None

    def match(self, rule_content: str, input: Mapping[str, Any], *, loose: bool = False) -> bool:  # noqa: ARG002 - it looks at nothing
        """Whether the pattern is about the call."""
        return False

    def suggest(self, input: Mapping[str, Any]) -> list[PermissionRule]:  # noqa: ARG002 - it looks at nothing
        """Allow rules that would let the call pass."""
        return suggest_tool(self._tool_name)

    def _value(self, input: Mapping[str, Any]) -> Any:
        """The argument that the function will get."""
        return input.get(self._argument or "", self._default)


class PathSubject(Subject):
    """The argument that holds the path of a file."""

    has_patterns = True

    def verdict(self, input: Mapping[str, Any], mode: PermissionMode, working_dirs: Sequence[str]) -> Verdict | None:
        """As every tool that edits files; one that only reads is never asked."""
        return path_verdict(self._value(input), mode, working_dirs)

    def match(self, rule_content: str, input: Mapping[str, Any], *, loose: bool = False) -> bool:
        """Patterns like `src/**`."""
        return match_glob(rule_content, self._value(input), loose=loose)

    def suggest(self, input: Mapping[str, Any]) -> list[PermissionRule]:
        """The file, and its folder."""
        return suggest_paths(self._tool_name, self._value(input))


class CommandSubject(Subject):
    """The argument that holds a shell command."""

    has_patterns = True

    def match(self, rule_content: str, input: Mapping[str, Any], *, loose: bool = False) -> bool:
        """Patterns like `git commit:*`."""
        return match_prefix(rule_content, self._value(input), loose=loose)

    def suggest(self, input: Mapping[str, Any]) -> list[PermissionRule]:
        """The command, and its beginning."""
        return suggest_commands(self._tool_name, self._value(input))
