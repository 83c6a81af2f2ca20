"""What goes wrong around a tool."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any


class ToolError(Exception):
    """Raised by a tool to say that it failed: the model is told exactly this text.

    Attributes:
        metadata: For the result's metadata; the model does not see it.
    """

    def __init__(self, message: str, *, metadata: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.metadata = dict(metadata or {})


class ToolInputError(ValueError):
    """Arguments that a tool cannot take; its text is what the model is told."""


class ToolOutputError(TypeError):
    """A tool gave something that is no result."""


def told(error: BaseException) -> RuntimeError | None:
    """What a reader gets instead of this exception of a tool's function; None if it gets the exception itself.

    A tool that calls sys.exit() must not end who reads, nor may one that waits for something that was cancelled. A cancellation
    of this task and a KeyboardInterrupt on its thread are meant for the reader.
    """
    if isinstance(error, Exception | KeyboardInterrupt | GeneratorExit):
        return None
    if not isinstance(error, asyncio.CancelledError):
        return in_words(error)
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        return None
    return RuntimeError("The tool waited for something that was cancelled.")


def in_words(error: BaseException) -> RuntimeError:
    """An exception that would end who reads, as one that does not."""
    made = RuntimeError(f"The tool raised {type(error).__name__}: {error}".rstrip(": ") + ".")
    made.__cause__ = error
    return made
