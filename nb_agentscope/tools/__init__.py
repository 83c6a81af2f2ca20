"""Tools: typed functions with a JSON schema, and what they give."""

from nb_agentscope.tools._chunk import ToolChunk
from nb_agentscope.tools._decorator import tool
from nb_agentscope.tools._errors import ToolError, ToolInputError, ToolOutputError
from nb_agentscope.tools._progress import progress
from nb_agentscope.tools._tool import Tool
from nb_agentscope.tools._toolkit import Toolkit

__all__ = [
    "Tool",
    "ToolChunk",
    "ToolError",
    "ToolInputError",
    "ToolOutputError",
    "Toolkit",
    "progress",
    "tool",
]
