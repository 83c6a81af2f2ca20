"""Token counts and the error of a message."""

from __future__ import annotations

from pydantic import BaseModel

from nb_agentscope.message._enums import ErrorType


class Usage(BaseModel):
    """Tokens of one or several model calls, as the provider counted them."""

    input_tokens: int
    """Prompt tokens; whether cached ones are included depends on the provider."""
    output_tokens: int
    """Generated tokens."""
    cache_input_tokens: int = 0
    """Prompt tokens read from a cache."""
    cache_creation_input_tokens: int = 0
    """Prompt tokens written to a cache."""


class ErrorInfo(BaseModel):
    """Why a reply failed, in words a user may see."""

    type: ErrorType = ErrorType.UNKNOWN
    """The kind of failure."""
    message: str
    """One sentence for the user."""
