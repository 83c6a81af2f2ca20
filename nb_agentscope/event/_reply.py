"""The life of a reply."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.message import ErrorInfo, ReplyFinishedReason


class ReplyStartEvent(EventBase):
    """First event of a reply; sent again with the same `reply_id` by services that resume one."""

    type: Literal[EventType.REPLY_START] = EventType.REPLY_START
    session_id: str
    reply_id: str
    """Id of the assistant message that the reply folds into."""
    name: str
    """Name of the agent."""
    role: Literal["user", "assistant", "system"] = "assistant"


class ReplyEndEvent(EventBase):
    """Last event of a reply; a parked reply has none yet."""

    type: Literal[EventType.REPLY_END] = EventType.REPLY_END
    session_id: str
    reply_id: str
    finished_reason: ReplyFinishedReason = ReplyFinishedReason.COMPLETED
    error: ErrorInfo | None = None
    """Set when `finished_reason` is `error`."""


class ExceedMaxItersEvent(EventBase):
    """The agent reached its limit of rounds; sent before REPLY_END, kept for older readers."""

    type: Literal[EventType.EXCEED_MAX_ITERS] = EventType.EXCEED_MAX_ITERS
    reply_id: str
    name: str
    """Name of the agent."""
