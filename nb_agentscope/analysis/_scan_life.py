"""Handlers of the life of replies and model calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._scan_state import ModelCall, Reply
from nb_agentscope.analysis._tokens import read_tokens
from nb_agentscope.analysis._values import mapping, text

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan


def reply_start(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    """A reply begins, or a service says that it goes on."""
    if reply.start is not None:
        return
    reply.start = stamp
    reply.agent = text(row, "name")
    reply.session_id = text(row, "session_id")
    reply.role = text(row, "role") or "assistant"
    if reply.source is None:
        reply.input_t, scan.input_t = scan.input_t, None


def reply_end(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    """A reply ends; what is open in it never will."""
    if reply.end is not None:
        scan.problem("second_end", f"The reply {reply.id!r:.60} ends again; its first end counts.")
        return
    reply.end = stamp
    reply.finished_reason = text(row, "finished_reason") or "completed"
    error = mapping(row, "error")
    reply.error_type, reply.error_message = text(error, "type"), text(error, "message")
    failed = reply.finished_reason == "error"
    if reply.call is not None:
        reply.call.status = "interrupted" if reply.finished_reason == "interrupted" else "error"
        reply.call = None
    elif failed and reply.calls and reply.calls[-1].status == "interrupted":
        reply.calls[-1].status = "error"  # who ran the agent ended it, because it raised
    for ask in reply.asks:
        if ask.is_open:
            ask.decision = "interrupted" if reply.finished_reason == "interrupted" else "expired"


def resume(reply: Reply) -> None:
    """The agent goes on after an answer from outside."""
    reply.answered = False
    reply.segments += 1


def model_start(_scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    """A model call begins; one that is open has raised."""
    if reply.call is not None:
        reply.call.status = "error"
    _new_call(reply, text(row, "model_name"), stamp.seq, stamp)


def _new_call(reply: Reply, model: str | None, seq: int, start: Stamp | None) -> ModelCall:
    call = ModelCall(reply, len(reply.calls), seq, model, start)
    reply.calls.append(call)
    reply.call = call
    return call


def model_end(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    """A model call ends, with what it used."""
    call = reply.call
    if call is None:
        scan.problem("no_model_start", f"A model call of the reply {reply.id!r:.60} ends that did not begin.")
        call = _new_call(reply, None, stamp.seq, None)
    reply.call = None
    call.end = stamp
    call.status = text(row, "finished_reason") or "completed"
    call.tokens, bad = read_tokens(
        row.get("input_tokens"),
        row.get("output_tokens"),
        row.get("cache_input_tokens", 0),
        row.get("cache_creation_input_tokens", 0),
    )
    if bad:
        scan.problem("bad_number", bad)


def nothing(_scan: Scan, _reply: Reply, _row: dict[str, Any], _stamp: Stamp) -> None:
    """An event that no table needs."""


def finish(scan: Scan) -> None:
    """After the last event: a reply is as new as its sub-agents are, and waits if they do."""
    for reply in reversed(scan.replies.values()):
        reply.waits = reply.end is None and (reply.waits or any(ask.is_open for ask in reply.asks))
        if reply.parent is not None:
            reply.parent.waits = reply.parent.waits or reply.waits
            times = [t for t in (reply.last_t, reply.parent.last_t) if t is not None]
            reply.parent.last_t = max(times, default=None)


HANDLERS = {
    "REPLY_START": reply_start,
    "REPLY_END": reply_end,
    "MODEL_CALL_START": model_start,
    "MODEL_CALL_END": model_end,
    "EXCEED_MAX_ITERS": nothing,
}
