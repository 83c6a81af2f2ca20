"""One piece of what a tool gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import DataBlock, TextBlock, ToolResultState


@dataclass(frozen=True, slots=True)
class ToolChunk:
    """New output of a running tool; a tool may give any number of them.

    Data blocks with equal ids belong together: their base64 pieces are joined.
    """

    content: Sequence[TextBlock | DataBlock] = ()
    state: ToolResultState = ToolResultState.RUNNING
    """`error` makes the whole result an error; `running` says nothing."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Joined over all chunks into the result's metadata; `mcp_progress` `{progress, total, message}` is shown and not kept."""
