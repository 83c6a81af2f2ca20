"""The permission rule that travels with tool calls and approvals."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel


class PermissionBehavior(StrEnum):
    """What a rule says about a matching call."""

    ALLOW = "allow"
    DENY = "deny"
    ASK = "ask"
    PASSTHROUGH = "passthrough"


class PermissionRule(BaseModel):
    """One rule of an agent's permissions; suggested with a prompt and returned with an approval."""

    tool_name: str
    """Name of the tool that the rule is about."""
    rule_content: str | None
    """The tool's own pattern; None or empty matches every call of the tool."""
    behavior: PermissionBehavior
    """Allow, deny, ask, or passthrough."""
    source: str
    """Where the rule comes from, e.g. `suggested` or `session`."""

    @property
    def pattern(self) -> str:
        """The rule as people write it: `delete_file(drafts/**)`, or the tool's name alone for every call."""
        return f"{self.tool_name}({self.rule_content})" if self.rule_content else self.tool_name
