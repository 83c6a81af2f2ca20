"""The words and numbers that a reader sees; the live view has the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor
from typing import Any, NamedTuple

from nb_agentscope.message import Msg, ThinkingBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.stream import BEGUN_KEY, seconds_between


class State(NamedTuple):
    """Where something stands: value of `data-*`, one word, one icon."""

    kind: str
    word: str
    icon: str


CALL_STATES = {
    "pending": State("pending", "pending", "dots"),
    "writing": State("running", "writing arguments", "ring"),
    "asking": State("asking", "needs approval", "hand"),
    "allowed": State("running", "approved", "check"),
    "running": State("running", "running", "ring"),
    "submitted": State("outside", "waiting outside", "out"),
    "success": State("done", "done", "check"),
    "error": State("failed", "failed", "cross"),
    "denied": State("denied", "denied", "ban"),
    "interrupted": State("interrupted", "interrupted", "stop"),
    "begun": State("begun", "interrupted, may still take effect", "stop"),
}
OPEN_CALLS = frozenset({"running", "failed", "asking", "outside", "begun"})
"""Kinds of calls whose card is open: there is something to see or to do."""
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
_ENDINGS = {"completed": "completed", "interrupted": "interrupted", "exceed_max_iters": "round limit reached"}
_DECISIONS = {"approved": "Approved once", "denied": "Denied", "answered": "Answered", "interrupted": "Interrupted"}
_WITH_RULES = "Approved and always allowed"
_BY = {
    "user": "by you",
    "rule": "by a rule",
    "policy": "by policy",
    "code": "by code",
}


def phase(msgs: Sequence[Msg], status: str) -> State:
    """What the agent is doing, or how it ended."""
    if status != "finished":
        return PHASES[status]
    return PHASES.get(str(msgs[-1].finished_reason) if msgs else "", PHASES["completed"])


def lane_phase(msg: Msg | None, *, ended: bool) -> State:
    """What a sub-agent is doing, or how it ended; one that the run left without an end does nothing any more."""
    if msg is not None and msg.finished_at is not None:
        return phase([msg], "finished")
    return PHASES["interrupted" if ended else "running"]


def call_state(call: ToolCallBlock | None, result: ToolResultBlock | None, decision: Any, *, ended: bool) -> State:
    """Where a call stands, its result counted in; `ended`: the reply is over, so nothing can go on."""
    return CALL_STATES[_call_state(call, result, decision, ended=ended)]


def _call_state(call: ToolCallBlock | None, result: ToolResultBlock | None, decision: Any, *, ended: bool) -> str:
    if result is not None and result.state != "running":
        begun = result.state == "interrupted" and BEGUN_KEY in result.metadata
        return "begun" if begun else str(result.state)
    if ended:
        return "interrupted"
    state = str(call.state) if call is not None else "pending"
    if state == "submitted":
        return state
    if result is not None:
        return "running"
    if state == "finished":
        return "denied" if decision is not None and decision.decision == "denied" else "success"
    return "writing" if call is not None and state == "pending" and call.finished_at is None else state


def empty_words(msg: Msg) -> str:
    """What stands in the place of a reply without content."""
    return f"(empty reply · {_ENDINGS.get(str(msg.finished_reason), 'ended')})"


def thinking_words(block: ThinkingBlock) -> str:
    """How long was thought."""
    if block.finished_at is None:
        return "Thinking"
    if not block.thinking:
        return "Thought, not shown by the provider"
    took = seconds_between(block.created_at, block.finished_at)
    return "Thought" if took is None else f"Thought for {duration(took)}"


def by_words(decision: Any) -> str:
    """`by you`, or nothing where the log does not say who."""
    return _BY.get(decision.by, f"by {decision.by}") if decision.by else ""


def decision_words(decision: Any) -> str:
    """Who decided what after how long, e.g. `Approved once by you · waited 12 s · arguments edited`."""
    word = _WITH_RULES if decision.rules else _DECISIONS[decision.decision]
    words = [" ".join(filter(None, [word, by_words(decision)]))]
    if decision.waited_s is not None:
        words.append(f"waited {duration(decision.waited_s)}")
    if decision.edited_input is not None:
        words.append("arguments edited")
    return " · ".join(words)


def edit_words(decision: Any) -> str:
    """What stands before the arguments that the model had asked for, where others ran."""
    return f"{' '.join(filter(None, ['edited', by_words(decision)]))}; the model asked: "


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
        *_speed(progress),
        plural(progress.other_events, "other event") if progress.other_events else "",
    ]
    return [word for word in words if word]


def _speed(progress: Any) -> Iterator[str]:
    """Of the newest model call: time to its first token, and output tokens per second from there to its end."""
    first = seconds_between(progress.model_started_at, progress.first_content_at)
    rest = seconds_between(progress.first_content_at, progress.model_ended_at)
    if first is not None:
        yield f"first token {duration(first)}"
    if rest is not None and rest > 0 and progress.model_output_tokens > 0:
        yield f"{tenths(progress.model_output_tokens / rest)} tok/s"


# Numbers are rounded half up on integers, so that JavaScript's are the same.


def count(value: float) -> str:
    """1 204, with narrow spaces."""
    return f"{floor(value + 0.5):,}".replace(",", "\u202f")


def tenths(value: float) -> str:
    """0.5 · 9.9 · 42: small rates need their tenths."""
    return f"{floor(value * 10 + 0.5) / 10:.1f}" if value < 9.95 else count(value)


def plural(value: int, one: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count(value)} {one}{'' if value == 1 else 's'}"


def duration(seconds: float) -> str:
    """40 ms · 1.4 s · 12 s · 3 min 05 s · 2 h 10 min."""
    ms = max(0, floor(seconds * 1000 + 0.5))
    if ms < 1_000:
        return f"{ms} ms"
    if ms < 9_950:
        return f"{(ms + 50) // 100 / 10:.1f} s"
    whole = (ms + 500) // 1_000
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def clock(seconds: float) -> str:
    """0:07 · 1:02:03."""
    whole = max(0, floor(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def size(value: int) -> str:
    """840 B · 12 kB · 3.4 MB."""
    if value < 1_000:
        return f"{value} B"
    return f"{(value + 500) // 1_000} kB" if value < 999_500 else f"{(value + 50_000) // 100_000 / 10:.1f} MB"
