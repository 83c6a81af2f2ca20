"""What a tool itself says about one of its calls."""

from __future__ import annotations

from typing import NamedTuple

from nb_agentscope.permission._rule import PermissionBehavior


class Verdict(NamedTuple):
    """A tool's own opinion of a call, asked for after the deny and ask rules and before the allow rules."""

    behavior: PermissionBehavior
    """Allow and deny decide, ask and passthrough leave it to the allow rules and the mode."""
    message: str = ""
    """What the model (deny) or the person (ask) is told; empty: words of the decision."""
    final: bool = False
    """An ask that no allow rule may silence, only the mode bypass."""
