"""What a decision needs to know of a tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from nb_agentscope.permission._mode import PermissionMode
from nb_agentscope.permission._rule import PermissionRule
from nb_agentscope.permission._verdict import Verdict


class Checked(Protocol):
    """A tool as `decide` sees it. `input` holds the call's arguments, with defaults filled in."""

    @property
    def name(self) -> str:
        """The name that rules use."""

    def is_read_only(self, input: Mapping[str, Any]) -> bool:
        """Whether this call changes nothing."""

    def verdict(self, input: Mapping[str, Any], mode: PermissionMode, working_dirs: Sequence[str]) -> Verdict | None:
        """The tool's own opinion; None is passthrough."""

    def match(self, rule_content: str, input: Mapping[str, Any], *, loose: bool = False) -> bool:
        """Whether a rule with this (never empty) content is about this call; a generic tool says False.

        Args:
            rule_content: The tool's own pattern.
            input: The arguments.
            loose: False for allow rules: in doubt it does not match. True for deny and ask rules: in doubt it does.
        """

    def suggest(self, input: Mapping[str, Any]) -> Sequence[PermissionRule]:
        """Allow rules that a person may accept together with this call; see `suggest_tool`."""
