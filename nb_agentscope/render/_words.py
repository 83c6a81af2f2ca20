"""The words and numbers that a reader sees; the same ones that the live widget uses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from nb_agentscope.message import Msg, ToolCallBlock, ToolResultBlock, Usage

CALL_WORDS = {
    "pending": "pending",
    "asking": "needs approval",
    "allowed": "approved",
    "submitted": "waiting outside",
    "finished": "done",
}
RESULT_WORDS = {
    "success": "done",
    "error": "failed",
    "interrupted": "interrupted",
    "denied": "denied",
    "running": "running",
}
ENDED = {
    "completed": ("done", "Done"),
    "interrupted": ("stopped", "Stopped"),
    "exceed_max_iters": ("limit", "Stopped at the round limit"),
    "error": ("failed", "Failed"),
}
ERROR_WORDS = {
    "authentication": "The provider did not accept the key",
    "permission": "The provider does not allow this",
    "rate_limit": "Too many requests",
    "invalid_request": "The provider refused the request",
    "upstream": "The provider failed",
    "connection": "No connection",
    "internal": "The agent failed",
    "setup": "Something is not set up",
    "unknown": "The reply failed",
}
DECISION_WORDS = {"approved": "Approved once", "denied": "Denied", "answered": "Answered", "interrupted": "Interrupted"}
BY_WORDS = {"user": "you", "rule": "a rule", "policy": "policy", "code": "code"}


def phase(msgs: list[Msg], status: str) -> tuple[str, str]:
    """Kind and label of what the agent is doing or how it ended."""
    if status == "waiting":
        return "confirm", "Waiting for you"
    if status == "running":
        return "working", "Working"
    reason = msgs[-1].finished_reason if msgs else None
    return ENDED.get(str(reason), ("done", "Done"))


def call_state(call: ToolCallBlock, result: ToolResultBlock | None) -> tuple[str, str]:
    """State and word of a call, its result counted in."""
    if result is not None:
        return str(result.state), RESULT_WORDS[str(result.state)]
    return str(call.state), CALL_WORDS[str(call.state)]


def duration(seconds: float) -> str:
    """A duration as people read it."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def between(start: str | None, end: str | None) -> float | None:
    """Seconds between two ISO times; None if one is missing or they cannot be compared."""
    try:
        span = (datetime.fromisoformat(end or "") - datetime.fromisoformat(start or "")).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, span)


def size(count: int) -> str:
    """A number of bytes as people read it."""
    if count < 1_000:
        return f"{count} bytes"
    return f"{count / 1_000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def usage_words(usage: Usage | None, progress: Any) -> list[str]:
    """Tokens and calls; unknown usage makes the sums lower bounds."""
    calls = progress.model_calls
    if usage is None:
        return [f"{calls} model calls"] if calls else []
    least = "≥ " if progress.unknown_usage else ""
    words = [f"{least}{usage.input_tokens:,} in"]
    if usage.cache_input_tokens:
        words.append(f"{usage.cache_input_tokens:,} cached")
    words.append(f"{least}{usage.output_tokens:,} out")
    if calls:
        words.append(f"{calls} model call{'s' if calls != 1 else ''}")
    return words


def decision_words(decision: Any) -> str:
    """Who decided what after how long, e.g. `Approved once by you · waited 12 s · edited`."""
    words = [DECISION_WORDS.get(decision.decision, str(decision.decision))]
    if decision.by:
        words[0] += f" by {BY_WORDS.get(decision.by, decision.by)}"
    if decision.waited_s is not None:
        words.append(f"waited {duration(decision.waited_s)}")
    if decision.edited_input is not None:
        words.append("edited")
    return " · ".join(words)
