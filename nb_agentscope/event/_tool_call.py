"""A tool call of the model, its arguments streamed."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType


class ToolCallStartEvent(EventBase):
    """The model begins a tool call."""

    type: Literal[EventType.TOOL_CALL_START] = EventType.TOOL_CALL_START
    reply_id: str
    tool_call_id: str
    tool_call_name: str


class ToolCallDeltaEvent(EventBase):
    """More of the arguments' raw JSON text; may be empty."""

    type: Literal[EventType.TOOL_CALL_DELTA] = EventType.TOOL_CALL_DELTA
    reply_id: str
    tool_call_id: str
    delta: str


class ToolCallEndEvent(EventBase):
    """The arguments are complete; the call has not run yet."""

    type: Literal[EventType.TOOL_CALL_END] = EventType.TOOL_CALL_END
    reply_id: str
    tool_call_id: str
