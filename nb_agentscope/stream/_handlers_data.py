"""Handlers of top-level data blocks, and how payloads are read and joined."""

from __future__ import annotations

import base64
from typing import Any

from pydantic import ValidationError

from nb_agentscope.event import DataBlockDeltaEvent, DataBlockEndEvent, DataBlockStartEvent, EventType
from nb_agentscope.message import Base64Source, DataBlock, Msg, URLSource
from nb_agentscope.stream._complain import bad_data, unknown_block
from nb_agentscope.stream._handler import Handler
from nb_agentscope.stream._index import append_block, find_block


def url_source(event: Any, id: str) -> URLSource | None:
    """The event's URL as a source; None, with a warning, if it is not one."""
    try:
        return URLSource(url=event.url, media_type=event.media_type)
    except ValidationError:
        bad_data(event, id, f"{event.url!r} is not an absolute URL")
        return None


def grow_source(source: Base64Source, event: Any, id: str) -> bool:
    """Join the event's bytes to the source; False, with a warning, if either is not base64."""
    try:
        # Every chunk is encoded for itself, padding included, so it is the bytes that are joined.
        source.grow(base64.b64decode(event.data))
    except ValueError as error:
        bad_data(event, id, f"the payload is not base64 ({error})")
        return False
    return True


def data_start(msg: Msg, event: DataBlockStartEvent) -> None:
    """Bytes are expected until a URL comes."""
    source = Base64Source(data="", media_type=event.media_type)
    append_block(msg, DataBlock(id=event.block_id, source=source, name=event.name, created_at=event.created_at))


def data_delta(msg: Msg, event: DataBlockDeltaEvent) -> None:
    """A URL is the whole content and replaces what was there; the media type of bytes is the START's."""
    block = find_block(msg, "data", event.block_id)
    if block is None:
        return unknown_block(event, "data block", event.block_id)
    if event.url:
        block.source = url_source(event, event.block_id) or block.source
    elif event.data and block.source.type == "url":
        bad_data(event, event.block_id, "it has a URL already, and bytes cannot follow one")
    elif event.data:
        grow_source(block.source, event, event.block_id)
    return None


def data_end(msg: Msg, event: DataBlockEndEvent) -> None:
    """The block is complete."""
    block = find_block(msg, "data", event.block_id)
    if block is None:
        return unknown_block(event, "data block", event.block_id)
    block.finished_at = event.created_at
    return None


HANDLERS: dict[EventType, Handler] = {
    EventType.DATA_BLOCK_START: data_start,
    EventType.DATA_BLOCK_DELTA: data_delta,
    EventType.DATA_BLOCK_END: data_end,
}
