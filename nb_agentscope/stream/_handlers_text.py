"""Handlers of text, thinking and hints."""

from __future__ import annotations

from nb_agentscope.event import (
    EventType,
    HintBlockEvent,
    TextBlockDeltaEvent,
    TextBlockEndEvent,
    TextBlockStartEvent,
    ThinkingBlockDeltaEvent,
    ThinkingBlockEndEvent,
    ThinkingBlockStartEvent,
)
from nb_agentscope.message import HintBlock, Msg, TextBlock, ThinkingBlock
from nb_agentscope.stream._complain import unknown_block
from nb_agentscope.stream._handler import Handler
from nb_agentscope.stream._index import append_block, find_block


def text_start(msg: Msg, event: TextBlockStartEvent) -> None:
    """A START always appends, even under an id that is there."""
    append_block(msg, TextBlock(id=event.block_id, text="", created_at=event.created_at))


def text_delta(msg: Msg, event: TextBlockDeltaEvent) -> None:
    """Deltas count after the END, too."""
    block = find_block(msg, "text", event.block_id)
    if block is None:
        return unknown_block(event, "text block", event.block_id)
    return block.grow(event.delta)  # type: ignore[no-any-return]


def text_end(msg: Msg, event: TextBlockEndEvent) -> None:
    """The END may bring the final text, an empty one as well."""
    block = find_block(msg, "text", event.block_id)
    if block is None:
        return unknown_block(event, "text block", event.block_id)
    if event.text is not None:
        block.text = event.text
    block.finished_at = event.created_at
    return None


def thinking_start(msg: Msg, event: ThinkingBlockStartEvent) -> None:
    """As for text."""
    append_block(msg, ThinkingBlock(id=event.block_id, thinking="", created_at=event.created_at))


def thinking_delta(msg: Msg, event: ThinkingBlockDeltaEvent) -> None:
    """As for text."""
    block = find_block(msg, "thinking", event.block_id)
    if block is None:
        return unknown_block(event, "thinking block", event.block_id)
    return block.grow(event.delta)  # type: ignore[no-any-return]


def thinking_end(msg: Msg, event: ThinkingBlockEndEvent) -> None:
    """The block is complete."""
    block = find_block(msg, "thinking", event.block_id)
    if block is None:
        return unknown_block(event, "thinking block", event.block_id)
    block.finished_at = event.created_at
    return None


def hint(msg: Msg, event: HintBlockEvent) -> None:
    """A hint is complete when it comes."""
    copied = event.hint if isinstance(event.hint, str) else [block.model_copy(deep=True) for block in event.hint]
    append_block(
        msg,
        HintBlock(
            id=event.block_id,
            source=event.source,
            hint=copied,
            created_at=event.created_at,
            finished_at=event.created_at,
        ),
    )


HANDLERS: dict[EventType, Handler] = {
    EventType.TEXT_BLOCK_START: text_start,
    EventType.TEXT_BLOCK_DELTA: text_delta,
    EventType.TEXT_BLOCK_END: text_end,
    EventType.THINKING_BLOCK_START: thinking_start,
    EventType.THINKING_BLOCK_DELTA: thinking_delta,
    EventType.THINKING_BLOCK_END: thinking_end,
    EventType.HINT_BLOCK: hint,
}
