"""Words for what went wrong."""

from __future__ import annotations

from typing import Any

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import NOTE_NAME, UNKNOWN_NAME


class StreamBrokenError(RuntimeError):
    """The agent's stream ended, but neither its reply nor anything to wait for."""


def unknown_item(raw: Any, problem: str) -> CustomEvent:
    """Keep what an agent yielded although it is no event: visible in the log, harmless to every reader."""
    return CustomEvent(name=UNKNOWN_NAME, value={"raw": _plain(raw), "problem": problem})


def note(text: str) -> CustomEvent:
    """A remark in the log."""
    return CustomEvent(name=NOTE_NAME, value={"text": text})


_DEPTH = 50
"""Deeper values, and what contains itself, are kept as text."""


def _plain(raw: Any, depth: int = 0) -> Any:
    """JSON values as they are, all else as its repr."""
    if raw is None or isinstance(raw, str | bool | int):
        return raw
    if isinstance(raw, float):
        return raw if raw == raw and abs(raw) != float("inf") else repr(raw)
    if depth < _DEPTH and isinstance(raw, dict):
        return {str(key): _plain(value, depth + 1) for key, value in raw.items()}
    if depth < _DEPTH and isinstance(raw, list | tuple):
        return [_plain(value, depth + 1) for value in raw]
    try:
        return repr(raw)
    except Exception:  # noqa: BLE001 - the object's own code; it has yielded something, and that is worth a line
        return f"<{type(raw).__name__} that cannot say what it is>"
