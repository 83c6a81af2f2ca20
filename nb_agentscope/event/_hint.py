"""A hint to the agent."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.message import DataBlock, TextBlock


class HintBlockEvent(EventBase):
    """The agent was told something beside the user's messages; complete in one event."""

    type: Literal[EventType.HINT_BLOCK] = EventType.HINT_BLOCK
    reply_id: str
    block_id: str
    source: str | None = None
    """Who gave it; may be JSON text with `label` and `sublabel`."""
    hint: str | list[TextBlock | DataBlock]
