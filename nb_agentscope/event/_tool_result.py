"""The result of a tool call, streamed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from nb_agentscope._common import new_id
from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.event._payload import DataOrUrl
from nb_agentscope.message import ToolResultState


class ToolResultStartEvent(EventBase):
    """A local tool begins to run, or an external one is asked for."""

    type: Literal[EventType.TOOL_RESULT_START] = EventType.TOOL_RESULT_START
    reply_id: str
    tool_call_id: str
    tool_call_name: str


class ToolResultTextDeltaEvent(EventBase):
    """More text of a result."""

    type: Literal[EventType.TOOL_RESULT_TEXT_DELTA] = EventType.TOOL_RESULT_TEXT_DELTA
    reply_id: str
    tool_call_id: str
    delta: str


class ToolResultDataDeltaEvent(EventBase, DataOrUrl):
    """Data of a result: bytes in base64 (equal block ids are one payload) or a URL.

    Raises:
        pydantic.ValidationError: Both of `data` and `url` are given, or none.
    """

    type: Literal[EventType.TOOL_RESULT_DATA_DELTA] = EventType.TOOL_RESULT_DATA_DELTA
    reply_id: str
    tool_call_id: str
    block_id: str = Field(default_factory=new_id)
    media_type: str
    data: str | None = None
    url: str | None = None


class ToolResultEndEvent(EventBase):
    """A result is complete; `metadata` is here the tool result's own."""

    type: Literal[EventType.TOOL_RESULT_END] = EventType.TOOL_RESULT_END
    reply_id: str
    tool_call_id: str
    state: ToolResultState
    metadata: dict[str, Any] = Field(default_factory=dict)
