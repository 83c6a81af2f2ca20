"""All 28 events as one type."""

from __future__ import annotations

from nb_agentscope.event._custom import CustomEvent
from nb_agentscope.event._data import DataBlockDeltaEvent, DataBlockEndEvent, DataBlockStartEvent
from nb_agentscope.event._hint import HintBlockEvent
from nb_agentscope.event._human import (
    ExternalExecutionResultEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.event._model_call import ModelCallEndEvent, ModelCallStartEvent
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

AgentEvent = (
    ReplyStartEvent
    | ReplyEndEvent
    | ModelCallStartEvent
    | ModelCallEndEvent
    | TextBlockStartEvent
    | TextBlockDeltaEvent
    | TextBlockEndEvent
    | ThinkingBlockStartEvent
    | ThinkingBlockDeltaEvent
    | ThinkingBlockEndEvent
    | DataBlockStartEvent
    | DataBlockDeltaEvent
    | DataBlockEndEvent
    | HintBlockEvent
    | ToolCallStartEvent
    | ToolCallDeltaEvent
    | ToolCallEndEvent
    | ToolResultStartEvent
    | ToolResultTextDeltaEvent
    | ToolResultDataDeltaEvent
    | ToolResultEndEvent
    | ExceedMaxItersEvent
    | RequireUserConfirmEvent
    | RequireExternalExecutionEvent
    | UserConfirmResultEvent
    | ExternalExecutionResultEvent
    | UserInterruptEvent
    | CustomEvent
)
"""Any event: a plain union, so that `typing.get_args` lists the 28 classes; parse with `parse_event`."""
