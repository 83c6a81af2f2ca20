"""An exception as the error of a reply."""

from __future__ import annotations

from nb_agentscope.message import ErrorInfo, ErrorType

_BY_STATUS = {
    400: ErrorType.INVALID_REQUEST,
    401: ErrorType.AUTHENTICATION,
    403: ErrorType.PERMISSION,
    404: ErrorType.INVALID_REQUEST,
    422: ErrorType.INVALID_REQUEST,
    429: ErrorType.RATE_LIMIT,
}


def error_info(error: BaseException) -> ErrorInfo:
    """The error of a REPLY_END: its kind where the exception tells, and its text."""
    text = _text_of(error)
    return ErrorInfo(type=_kind(error), message=f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _text_of(error: BaseException) -> str:
    try:
        return str(error).strip()
    except Exception:  # noqa: BLE001 - an exception that cannot say what it is must not keep the reply from ending
        return "(its text cannot be read)"


def _kind(error: BaseException) -> ErrorType:
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _BY_STATUS.get(status, ErrorType.UPSTREAM if status >= 500 else ErrorType.UNKNOWN)
    return ErrorType.CONNECTION if isinstance(error, ConnectionError | TimeoutError) else ErrorType.UNKNOWN
