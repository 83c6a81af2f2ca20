"""Which events begin, feed and end which block: the grammar START / DELTA / END as a table."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from nb_agentscope.event import (
    AgentEvent,
    DataBlockEndEvent,
    DataBlockStartEvent,
    EventType,
    TextBlockEndEvent,
    TextBlockStartEvent,
    ThinkingBlockEndEvent,
    ThinkingBlockStartEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
)
from nb_agentscope.message import ToolResultState

Kind = Literal["text", "thinking", "call", "data", "result"]
Phase = Literal["start", "delta", "end"]

MODEL_KINDS: tuple[Kind, ...] = ("text", "thinking", "call", "data")
"""Blocks that a model call makes, in the order in which an agent ends them."""


class Part(NamedTuple):
    """What an event is to its block."""

    kind: Kind
    phase: Phase
    field: str
    """Name of the event's field with the id of the block."""


PARTS: dict[EventType, Part] = {
    EventType.TEXT_BLOCK_START: Part("text", "start", "block_id"),
    EventType.TEXT_BLOCK_DELTA: Part("text", "delta", "block_id"),
    EventType.TEXT_BLOCK_END: Part("text", "end", "block_id"),
    EventType.THINKING_BLOCK_START: Part("thinking", "start", "block_id"),
    EventType.THINKING_BLOCK_DELTA: Part("thinking", "delta", "block_id"),
    EventType.THINKING_BLOCK_END: Part("thinking", "end", "block_id"),
    EventType.DATA_BLOCK_START: Part("data", "start", "block_id"),
    EventType.DATA_BLOCK_DELTA: Part("data", "delta", "block_id"),
    EventType.DATA_BLOCK_END: Part("data", "end", "block_id"),
    EventType.TOOL_CALL_START: Part("call", "start", "tool_call_id"),
    EventType.TOOL_CALL_DELTA: Part("call", "delta", "tool_call_id"),
    EventType.TOOL_CALL_END: Part("call", "end", "tool_call_id"),
    EventType.TOOL_RESULT_START: Part("result", "start", "tool_call_id"),
    EventType.TOOL_RESULT_TEXT_DELTA: Part("result", "delta", "tool_call_id"),
    EventType.TOOL_RESULT_DATA_DELTA: Part("result", "delta", "tool_call_id"),
    EventType.TOOL_RESULT_END: Part("result", "end", "tool_call_id"),
}
"""The 16 events that belong to one block; all others are missing here."""

CLIENT_TYPES = frozenset(
    {EventType.USER_CONFIRM_RESULT, EventType.EXTERNAL_EXECUTION_RESULT, EventType.USER_INTERRUPT},
)
"""Events that are handed to the agent, not emitted by it."""


class Stamp(NamedTuple):
    """Id and time of an event that we make ourselves, and the reply it belongs to."""

    id: str
    created_at: str
    reply_id: str

    @property
    def fields(self) -> dict[str, str]:
        """As keyword arguments of an event."""
        return self._asdict()


def start_event(kind: Kind, block_id: str, stamp: Stamp, *, media_type: str, tool_name: str) -> AgentEvent:
    """The START of a block; `media_type` is used for data, `tool_name` for calls and results."""
    common: dict[str, Any] = stamp.fields
    match kind:
        case "text":
            return TextBlockStartEvent(**common, block_id=block_id)
        case "thinking":
            return ThinkingBlockStartEvent(**common, block_id=block_id)
        case "data":
            return DataBlockStartEvent(**common, block_id=block_id, media_type=media_type)
        case "call":
            return ToolCallStartEvent(**common, tool_call_id=block_id, tool_call_name=tool_name)
        case "result":
            return ToolResultStartEvent(**common, tool_call_id=block_id, tool_call_name=tool_name)


def end_event(kind: Kind, block_id: str, stamp: Stamp) -> AgentEvent:
    """The END of a block; a result ends interrupted."""
    common: dict[str, Any] = stamp.fields
    match kind:
        case "text":
            return TextBlockEndEvent(**common, block_id=block_id)
        case "thinking":
            return ThinkingBlockEndEvent(**common, block_id=block_id)
        case "data":
            return DataBlockEndEvent(**common, block_id=block_id)
        case "call":
            return ToolCallEndEvent(**common, tool_call_id=block_id)
        case "result":
            return ToolResultEndEvent(**common, tool_call_id=block_id, state=ToolResultState.INTERRUPTED)
