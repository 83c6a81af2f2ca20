"""`tool`: the decorator that makes a tool of a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict, Unpack, overload

from nb_agentscope.tools._tool import Tool


class ToolOptions(TypedDict, total=False):
    """The options of `tool`."""

    name: str | None
    description: str | None
    read_only: bool
    concurrent: bool | None
    external: bool
    parameters: Mapping[str, Any] | None
    path: str | None
    command: str | None
    result_schema: Mapping[str, Any] | None


@overload
def tool(function: Callable[..., Any], /, **options: Unpack[ToolOptions]) -> Tool: ...


@overload
def tool(**options: Unpack[ToolOptions]) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(
    function: Callable[..., Any] | None = None, /, **options: Unpack[ToolOptions]
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function: `@tool`, `@tool(read_only=True)` or `tool(function, name="...")`.

    The model is told the first paragraph of the docstring, and for each parameter its type, its default and its entry under
    "Args:". Every parameter needs an annotation that pydantic knows; the function gets what the annotation says, e.g. an instance
    of a pydantic model. A plain function runs in a thread, an async one on the event loop; a generator streams.

    A function may give str, None, text and data blocks or a list with them, the bytes of an image, an object that a notebook
    shows as one, a ToolChunk, or what JSON can hold. It may raise `ToolError` to say that it failed.

    Args:
        function: Plain or async, a generator or not; None in a decorator with options.
        name: What the model calls; None is the function's name.
        description: What the model is told; None is the docstring's.
        read_only: It changes nothing, so it may run unasked.
        concurrent: It may run beside its neighbours; None is the same as `read_only`.
        external: Someone outside runs it, and the function's body is never used.
        parameters: JSON schema of the arguments, instead of annotations; the function gets them as JSON has them.
        path: The parameter that holds the path of a file: rules are patterns like `src/**`, and the mode accept_edits applies.
        command: The parameter that holds a shell command: rules are patterns like `git commit:*`.
        result_schema: JSON schema of the metadata that the result of an external tool must bring.

    Raises:
        TypeError: It is no function, a parameter cannot be described to a model, an option is unknown, or is no bool where
            it must be one.
        ValueError: The name, a schema, `path` or `command` is wrong.
    """
    unknown = [name for name in options if name not in ToolOptions.__annotations__]
    if unknown:
        raise TypeError(f"tool() has no option {unknown[0]!r}; choose from {', '.join(ToolOptions.__annotations__)}.")
    if function is None:
        return lambda decorated: Tool(decorated, **options)
    return Tool(function, **options)
