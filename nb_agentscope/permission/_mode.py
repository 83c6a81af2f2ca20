"""How much an agent may do without asking."""

from __future__ import annotations

from enum import StrEnum


class PermissionMode(StrEnum):
    """What becomes of a call that no rule speaks about; deny and ask rules hold in every mode."""

    DEFAULT = "default"
    """Calls that only read run, all others ask."""
    ACCEPT_EDITS = "accept_edits"
    """As default, and edits of files inside the working directories run."""
    EXPLORE = "explore"
    """Calls that only read run, all others are denied."""
    BYPASS = "bypass"
    """Everything runs."""
    DONT_ASK = "dont_ask"
    """As accept_edits, but what would ask is denied: nobody is there to answer."""


def checked_mode(mode: PermissionMode | str) -> PermissionMode:
    """The mode of this name.

    Raises:
        ValueError: There is none.
    """
    if mode not in list(PermissionMode):
        raise ValueError(f"There is no permission mode {mode!r}; choose one of {', '.join(PermissionMode)}.")
    return PermissionMode(mode)
