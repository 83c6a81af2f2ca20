"""How far a tool has got."""

from __future__ import annotations

from nb_agentscope.tools._chunk import ToolChunk


def progress(done: float, total: float | None = None, message: str | None = None) -> ToolChunk:
    """A chunk that says how far a tool has got, to be yielded by a generator; it is shown and not kept.

    Args:
        done: How much is done, in the tool's own unit.
        total: How much there is to do, in the same unit; None if nobody knows.
        message: What is going on.
    """
    return ToolChunk(metadata={"mcp_progress": {"progress": done, "total": total, "message": message}})
