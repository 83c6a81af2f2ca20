"""A block of data (image, audio, file), streamed."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.event._payload import DataOrUrl


class DataBlockStartEvent(EventBase):
    """A data block begins, empty."""

    type: Literal[EventType.DATA_BLOCK_START] = EventType.DATA_BLOCK_START
    reply_id: str
    block_id: str
    media_type: str
    name: str | None = None
    """File name, if there is one."""


class DataBlockDeltaEvent(EventBase, DataOrUrl):
    """More bytes in base64, or the URL where they are.

    Raises:
        pydantic.ValidationError: Both of `data` and `url` are given, or none.
    """

    type: Literal[EventType.DATA_BLOCK_DELTA] = EventType.DATA_BLOCK_DELTA
    reply_id: str
    block_id: str
    media_type: str
    data: str | None = None
    url: str | None = None


class DataBlockEndEvent(EventBase):
    """A data block is complete."""

    type: Literal[EventType.DATA_BLOCK_END] = EventType.DATA_BLOCK_END
    reply_id: str
    block_id: str
