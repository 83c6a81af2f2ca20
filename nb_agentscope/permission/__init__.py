"""Permission rules, as values."""

from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule

__all__ = ["PermissionBehavior", "PermissionRule"]
