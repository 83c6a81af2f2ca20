"""Lanes: the streams of sub-agents inside the stream of the agent that called them."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from nb_agentscope.event import AgentEvent

SOURCE_KEY = "source"
"""Key in an event's metadata: the path of names from the outermost agent to the one that speaks, `assistant/researcher`."""
PARENT_REPLY_KEY = "parent_reply_id"
"""Key in an event's metadata: the reply that called this agent."""
PARENT_CALL_KEY = "parent_tool_call_id"
"""Key in an event's metadata: the tool call that called this agent."""


class Lane(NamedTuple):
    """Whose events these are; the outermost agent's have no lane (None, the main lane)."""

    source: str
    """Path of names; foreign text."""
    parent_reply_id: str | None = None
    """The reply whose call this lane belongs to, if known."""
    parent_tool_call_id: str | None = None

    @property
    def metadata(self) -> dict[str, str]:
        """What marks an event as one of this lane."""
        values = zip((SOURCE_KEY, PARENT_REPLY_KEY, PARENT_CALL_KEY), self, strict=True)
        return {key: value for key, value in values if value is not None}

    @property
    def name(self) -> str:
        """The agent's own name: the last one of the path."""
        return self.source.rpartition("/")[2]


def lane_of(event: AgentEvent, main: Container[str] = ()) -> Lane | None:
    """The lane of an event; None for the main lane.

    A tool's own metadata travels in its TOOL_RESULT_END and may hold a `source` that means something else (where a text was
    found), so an event of a reply that is known to be of the main lane stays there.

    Args:
        event: Any event.
        main: Ids of the replies of the main lane so far.
    """
    metadata = event.metadata
    if not metadata:
        return None
    source = metadata.get(SOURCE_KEY)
    if not isinstance(source, str) or getattr(event, "reply_id", None) in main:
        return None
    return Lane(source, _text(metadata.get(PARENT_REPLY_KEY)), _text(metadata.get(PARENT_CALL_KEY)))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
