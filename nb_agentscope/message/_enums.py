"""States and reasons, lower-case strings on the wire."""

from __future__ import annotations

from enum import StrEnum


class ToolCallState(StrEnum):
    """Where a tool call stands."""

    PENDING = "pending"
    ASKING = "asking"
    ALLOWED = "allowed"
    SUBMITTED = "submitted"
    FINISHED = "finished"


class ToolResultState(StrEnum):
    """How a tool result ended, or that it has not."""

    SUCCESS = "success"
    ERROR = "error"
    INTERRUPTED = "interrupted"
    DENIED = "denied"
    RUNNING = "running"


class ReplyFinishedReason(StrEnum):
    """Why a reply ended."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    EXCEED_MAX_ITERS = "exceed_max_iters"
    ERROR = "error"


class FinishedReason(StrEnum):
    """Why one model call ended."""

    INTERRUPTED = "interrupted"
    COMPLETED = "completed"


class ErrorType(StrEnum):
    """What kind of failure ended a reply."""

    AUTHENTICATION = "authentication"
    PERMISSION = "permission"
    RATE_LIMIT = "rate_limit"
    INVALID_REQUEST = "invalid_request"
    UPSTREAM = "upstream"
    CONNECTION = "connection"
    INTERNAL = "internal"
    SETUP = "setup"
    UNKNOWN = "unknown"
