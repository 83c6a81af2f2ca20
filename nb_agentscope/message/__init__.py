"""Messages and their content blocks, wire-compatible with AgentScope 2.0.x."""

from nb_agentscope.message._block import (
    ContentBlock,
    DataBlock,
    HintBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from nb_agentscope.message._enums import (
    ErrorType,
    FinishedReason,
    ReplyFinishedReason,
    ToolCallState,
    ToolResultState,
)
from nb_agentscope.message._factories import AssistantMsg, SystemMsg, UserMsg
from nb_agentscope.message._msg import Msg
from nb_agentscope.message._source import Base64Source, URLSource
from nb_agentscope.message._usage import ErrorInfo, Usage
from nb_agentscope.permission import PermissionRule

__all__ = [
    "AssistantMsg",
    "Base64Source",
    "ContentBlock",
    "DataBlock",
    "ErrorInfo",
    "ErrorType",
    "FinishedReason",
    "HintBlock",
    "Msg",
    "PermissionRule",
    "ReplyFinishedReason",
    "SystemMsg",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "ToolCallState",
    "ToolResultBlock",
    "ToolResultState",
    "URLSource",
    "Usage",
    "UserMsg",
]
