"""The outcome of a permission check."""

from __future__ import annotations

from dataclasses import dataclass

from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a call runs, is refused, or waits for a person."""

    behavior: PermissionBehavior
    """Allow, deny or ask; never passthrough."""
    message: str
    """What the model is told when denied, what a person is told when asked."""
    reason: str
    """What decided, in few words: `deny rule`, `read-only call`, `mode explore`."""
    suggested_rules: tuple[PermissionRule, ...] = ()
    """What a person may accept together with the call; empty for calls that are allowed."""
