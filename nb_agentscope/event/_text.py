"""A block of text, streamed."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType


class TextBlockStartEvent(EventBase):
    """A text block begins, empty."""

    type: Literal[EventType.TEXT_BLOCK_START] = EventType.TEXT_BLOCK_START
    reply_id: str
    block_id: str


class TextBlockDeltaEvent(EventBase):
    """More text for a block."""

    type: Literal[EventType.TEXT_BLOCK_DELTA] = EventType.TEXT_BLOCK_DELTA
    reply_id: str
    block_id: str
    delta: str


class TextBlockEndEvent(EventBase):
    """A text block is complete."""

    type: Literal[EventType.TEXT_BLOCK_END] = EventType.TEXT_BLOCK_END
    reply_id: str
    block_id: str
    text: str | None = None
    """The final text where it is not the sum of the deltas."""
