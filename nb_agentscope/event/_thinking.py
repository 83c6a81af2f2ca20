"""A block of thinking, streamed."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType


class ThinkingBlockStartEvent(EventBase):
    """A thinking block begins, empty."""

    type: Literal[EventType.THINKING_BLOCK_START] = EventType.THINKING_BLOCK_START
    reply_id: str
    block_id: str


class ThinkingBlockDeltaEvent(EventBase):
    """More thinking for a block."""

    type: Literal[EventType.THINKING_BLOCK_DELTA] = EventType.THINKING_BLOCK_DELTA
    reply_id: str
    block_id: str
    delta: str


class ThinkingBlockEndEvent(EventBase):
    """A thinking block is complete."""

    type: Literal[EventType.THINKING_BLOCK_END] = EventType.THINKING_BLOCK_END
    reply_id: str
    block_id: str
