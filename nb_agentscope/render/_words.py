"""The words and numbers that a reader sees; the live view has the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from nb_agentscope.message import Msg, ToolCallBlock, ToolResultBlock


class State(NamedTuple):
    """Where something stands: value of `data-*`, one word, one icon."""

    kind: str
    word: str
    icon: str


CALL_STATES = {
    "pending": State("pending", "pending", "dots"),
    "asking": State("asking", "needs approval", "hand"),
    "allowed": State("running", "approved", "check"),
    "running": State("running", "running", "ring"),
    "submitted": State("outside", "waiting outside", "out"),
    "success": State("done", "done", "check"),
    "error": State("failed", "failed", "cross"),
    "denied": State("denied", "denied", "ban"),
    "interrupted": State("interrupted", "interrupted", "stop"),
}
PHASES = {
    "completed": State("done", "Done", "check"),
    "interrupted": State("stopped", "Stopped", "stop"),
    "exceed_max_iters": State("limit", "Stopped at the round limit", "warn"),
    "error": State("failed", "Failed", "warn"),
    "running": State("working", "Working", "ring"),
    "waiting": State("confirm", "Waiting for you", "hand"),
}
ERRORS = {
    "authentication": ("The model refused the credentials", "Check the API key."),
    "permission": ("Not permitted", "Check what the key or the account may use."),
    "rate_limit": ("Too many requests", "Wait a little, then run the cell again."),
    "invalid_request": (
        "The model did not accept the request",
        "Check the messages and the settings of the model.",
    ),
    "upstream": (
        "The model's service failed",
        "Run the cell again; if it stays, look at the provider's status page.",
    ),
    "connection": ("No connection to the model", "Check the network and the address, then run the cell again."),
    "internal": ("Something failed inside the agent", ""),
    "setup": ("The agent is not set up rightly", ""),
    "unknown": ("The reply failed", ""),
}
ENDINGS = {"exceed_max_iters": "round limit reached"}
_DECISIONS = {"approved": "Approved once", "denied": "Denied", "answered": "Answered", "interrupted": "Interrupted"}
_BY = {
    "user": "by you",
    "rule": "by a rule",
    "policy": "by the policy for runs without a page",
    "code": "by code",
}


def phase(msgs: Sequence[Msg], status: str) -> State:
    """What the agent is doing, or how it ended."""
    if status != "finished":
        return PHASES[status]
    return PHASES.get(str(msgs[-1].finished_reason) if msgs else "", PHASES["completed"])


def call_state(call: ToolCallBlock | None, result: ToolResultBlock | None, decision: Any, *, ended: bool) -> State:
    """Where a call stands, its result counted in; `ended`: the reply is over, so nothing can go on."""
    if result is not None and result.state != "running":
        return CALL_STATES[str(result.state)]
    if ended:
        return CALL_STATES["interrupted"]
    if result is not None:
        return CALL_STATES["running"]
    state = str(call.state) if call is not None else "pending"
    if state == "finished":
        return CALL_STATES["denied" if decision is not None and decision.decision == "denied" else "success"]
    return CALL_STATES[state]


def decision_words(decision: Any) -> str:
    """Who decided what after how long, e.g. `Approved once by you · waited 12 s · arguments edited`."""
    by = _BY.get(decision.by, f"by {decision.by}") if decision.by else None
    words = [" ".join(filter(None, [_DECISIONS[decision.decision], by]))]
    if decision.waited_s is not None:
        words.append(f"waited {duration(decision.waited_s)}")
    if decision.edited_input is not None:
        words.append("arguments edited")
    return " · ".join(words)


def stats(msgs: Sequence[Msg], progress: Any) -> list[str]:
    """Tokens and calls; what a provider did not say is not shown as a zero."""
    usages = [msg.usage for msg in msgs if msg.usage is not None]
    given, cached, out = (
        sum(getattr(usage, name) for usage in usages)
        for name in ("input_tokens", "cache_input_tokens", "output_tokens")
    )
    least = "≥ " if progress.unknown_usage else ""
    known = given > 0 or out > 0
    words = [
        f"{least}{count(given)} in" if known else "",
        f"{least}{count(cached)} cached" if known and cached else "",
        f"{least}{count(out)} out" if known else "",
        "usage unknown" if not known and progress.unknown_usage else "",
        plural(progress.model_calls, "model call") if progress.model_calls else "",
        plural(progress.other_events, "other event") if progress.other_events else "",
    ]
    return [word for word in words if word]


def count(value: int) -> str:
    """1 204, with narrow spaces."""
    return f"{value:,}".replace(",", "\u202f")


def plural(value: int, one: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count(value)} {one}{'' if value == 1 else 's'}"


def duration(seconds: float) -> str:
    """0.4 s · 12 s · 3 min 05 s · 2 h 10 min."""
    if seconds < 9.95:
        return f"{max(0.0, seconds):.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def clock(seconds: float) -> str:
    """0:07 · 1:02:03."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def size(value: int) -> str:
    """840 B · 12 kB · 3.4 MB."""
    if value < 1_000:
        return f"{value} B"
    return f"{value / 1e3:.0f} kB" if value < 999_500 else f"{value / 1e6:.1f} MB"


def between(start: str | None, end: str | None) -> float | None:
    """Seconds between two ISO times; None if one is missing or they cannot be compared."""
    try:
        return (datetime.fromisoformat(end or "") - datetime.fromisoformat(start or "")).total_seconds()
    except (TypeError, ValueError):
        return None
