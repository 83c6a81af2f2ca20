"""Calls of a model as who makes them tells them: what events do not say of retries, and calls that have no events at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Literal, NamedTuple

from nb_agentscope.event import CustomEvent

MODEL_CALL_NAME = "nb_agentscope.model_call"
"""Name of the CUSTOM events that tell of one call of a watched model, logged when it ends.

Value: `{model, reply_id, kind, started, ended, status, error, tokens}`. `started` and `ended` are `{at, mono}` as in `recorded`;
`status` is completed, interrupted or error, `error` the class of the exception; `tokens` are as in MODEL_CALL_END, null if
the model did not tell. `reply_id` and `kind` (as `CallKind`) are null where only the place in the log tells.
"""
CallKind = Literal["visible", "hidden"]
"""visible: an attempt of the model call whose events stand around it; hidden: a call without events."""

_COUNTS = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")


class CallListener(NamedTuple):
    """Who is told of calls that are made in a context."""

    tell: Callable[[CustomEvent], None]
    """Called on whatever thread the call ends; does not raise."""
    reply_id: str | None = None
    """The reply that they are made for, if known."""
    kind: CallKind | None = None


_listener: ContextVar[CallListener | None] = ContextVar("nb_agentscope_calls", default=None)


def listen(tell: Callable[[CustomEvent], None]) -> None:
    """From here on, in this context and those made from it, `tell` is told of calls of watched models."""
    _listener.set(CallListener(tell))


@contextmanager
def calls_of(reply_id: str, kind: CallKind, tell: Callable[[CustomEvent], None] | None = None) -> Iterator[None]:
    """Calls that begin inside are of this reply and kind; nothing happens if nobody listens.

    Args:
        reply_id: The reply.
        kind: What they are.
        tell: Who is told instead of who listens now.
    """
    outer = _listener.get()
    token = _listener.set(outer and CallListener(tell or outer.tell, reply_id, kind))
    try:
        yield
    finally:
        _listener.reset(token)


class ObservedCall:
    """One call of a model, from now on."""

    def __init__(self, listener: CallListener, model: str) -> None:
        self._listener = listener
        self._model = model
        self._started = _now()
        self._ended = False

    def end(self, usage: Any = None, error: BaseException | None = None, *, interrupted: bool = False) -> None:
        """It has ended, however; only the first end counts.

        Args:
            usage: An object with counts of tokens, if the model gave one.
            error: What it raised.
            interrupted: Whether it was stopped.
        """
        if self._ended:
            return
        self._ended = True
        status = "interrupted" if interrupted else "completed" if error is None else "error"
        value = {
            "model": self._model,
            "reply_id": self._listener.reply_id,
            "kind": self._listener.kind,
            "started": self._started,
            "ended": _now(),
            "status": status,
            "error": None if error is None else type(error).__name__,
            "tokens": None if usage is None else {name: _count(getattr(usage, name, None)) for name in _COUNTS},
        }
        self._listener.tell(CustomEvent(name=MODEL_CALL_NAME, value=value))


def begin_call(model: str) -> ObservedCall | None:
    """A call of this model begins; None if nobody listens."""
    listener = _listener.get()
    return None if listener is None else ObservedCall(listener, model)


def _now() -> dict[str, Any]:
    return {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "mono": monotonic()}


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
