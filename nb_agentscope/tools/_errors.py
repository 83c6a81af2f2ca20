"""What goes wrong around a tool."""

from __future__ import annotations

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
