"""Which cell is executing."""

from __future__ import annotations

from nb_agentscope.kernel._host import shell


def current_cell() -> str | None:
    """Id of the cell that is executing, or whose background task this is; None where the front end does not tell."""
    kernel = getattr(shell(), "kernel", None)
    if kernel is None:
        return None
    parent = kernel.get_parent("shell") or {}
    if parent.get("header", {}).get("msg_type") != "execute_request":
        return None
    return (parent.get("metadata") or {}).get("cellId")
