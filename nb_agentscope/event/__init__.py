"""The 28 events of AgentScope 2.0.11, as values."""

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.event._custom import CustomEvent
from nb_agentscope.event._data import DataBlockDeltaEvent, DataBlockEndEvent, DataBlockStartEvent
from nb_agentscope.event._hint import HintBlockEvent
from nb_agentscope.event._human import (
    ConfirmResult,
    ExternalExecutionResultEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.event._model_call import ModelCallEndEvent, ModelCallStartEvent
from nb_agentscope.event._parse import parse_event
from nb_agentscope.event._reply import ExceedMaxItersEvent, ReplyEndEvent, ReplyStartEvent
from nb_agentscope.event._text import TextBlockDeltaEvent, TextBlockEndEvent, TextBlockStartEvent
from nb_agentscope.event._thinking import ThinkingBlockDeltaEvent, ThinkingBlockEndEvent, ThinkingBlockStartEvent
from nb_agentscope.event._tool_call import ToolCallDeltaEvent, ToolCallEndEvent, ToolCallStartEvent
from nb_agentscope.event._tool_result import (
    ToolResultDataDeltaEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
)
from nb_agentscope.event._union import AgentEvent
from nb_agentscope.message import FinishedReason, ReplyFinishedReason

__all__ = [
    "AgentEvent",
    "ConfirmResult",
    "CustomEvent",
    "DataBlockDeltaEvent",
    "DataBlockEndEvent",
    "DataBlockStartEvent",
    "EventBase",
    "EventType",
    "ExceedMaxItersEvent",
    "ExternalExecutionResultEvent",
    "FinishedReason",
    "HintBlockEvent",
    "ModelCallEndEvent",
    "ModelCallStartEvent",
    "ReplyEndEvent",
    "ReplyFinishedReason",
    "ReplyStartEvent",
    "RequireExternalExecutionEvent",
    "RequireUserConfirmEvent",
    "TextBlockDeltaEvent",
    "TextBlockEndEvent",
    "TextBlockStartEvent",
    "ThinkingBlockDeltaEvent",
    "ThinkingBlockEndEvent",
    "ThinkingBlockStartEvent",
    "ToolCallDeltaEvent",
    "ToolCallEndEvent",
    "ToolCallStartEvent",
    "ToolResultDataDeltaEvent",
    "ToolResultEndEvent",
    "ToolResultStartEvent",
    "ToolResultTextDeltaEvent",
    "UserConfirmResultEvent",
    "UserInterruptEvent",
    "parse_event",
]
