"""Tools: typed functions with a JSON schema, and what they give.

`from nb_agentscope import tool` gives this module, which can be called as its decorator `tool`: `@tool`, `@tool(read_only=True)`.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Unpack

from nb_agentscope.tool._chunk import ToolChunk
from nb_agentscope.tool._decorator import ToolOptions, tool
from nb_agentscope.tool._errors import ToolError, ToolInputError, ToolOutputError
from nb_agentscope.tool._progress import progress
from nb_agentscope.tool._tool import Tool
from nb_agentscope.tool._toolkit import Toolkit

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


class _Room(ModuleType):
    """A module of the same name as its main function takes that function's place in the package, so it must do its work."""

    def __call__(self, function: Callable[..., Any] | None = None, /, **options: Unpack[ToolOptions]) -> Any:
        """Make a tool of a function; see `nb_agentscope.tool.tool`."""
        return tool(function, **options) if function is not None else tool(**options)


sys.modules[__name__].__class__ = _Room
