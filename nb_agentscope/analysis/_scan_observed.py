"""Calls of watched models: tries of the model calls that have events, and calls that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._clock import Stamp, is_time
from nb_agentscope.analysis._scan_state import HiddenCall, ModelCall, Reply
from nb_agentscope.analysis._tokens import read_tokens
from nb_agentscope.analysis._values import mapping, text

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan

_STATUS = ("completed", "interrupted", "error")
_TOLERANCE_S = 0.002
"""Times of a plain stream are as coarse as this."""


def observed(scan: Scan, row: dict[str, Any], stamp: Stamp) -> None:
    """A call of a watched model has ended."""
    value = mapping(row, "value")
    if not value:
        scan.problem("bad_event", "A call of a watched model tells nothing; it is left out.")
        return
    seconds = _seconds(scan, value)
    kind, named = text(value, "kind"), text(value, "reply_id")
    reply = scan.replies.get(named or "")
    began = None if stamp.t is None or seconds is None else stamp.t - seconds
    calls = _open_calls(scan, began) if named is None else [reply.call] if reply is not None and reply.call else []
    if kind == "hidden" or (kind is None and not calls):
        scan.hidden.append(_hidden(scan, value, stamp, reply or _only_speaker(scan), seconds))
        return
    if len(calls) > 1:
        calls = [call for call in calls if call.model == text(value, "model")] or calls
    if len(calls) != 1:
        scan.problem(
            "unplaced_model_call", f"A call of the model {text(value, 'model')!r:.60} has {len(calls)} places."
        )
        for call in calls:
            call.attempts_unknown = True
        return
    calls[0].attempts += 1


def _open_calls(scan: Scan, began: float | None) -> list[ModelCall]:
    """The model calls that go on, and did when this one began."""
    calls = [reply.call for reply in scan.speaking.values() if reply.call is not None]
    return [call for call in calls if began is None or _begins(call) <= began + _TOLERANCE_S]


def _begins(call: ModelCall) -> float:
    return call.start.t if call.start is not None and call.start.t is not None else float("-inf")


def _only_speaker(scan: Scan) -> Reply | None:
    """The reply that goes on and does not wait for a sub-agent, if there is one alone."""
    parents = {id(reply.parent) for reply in scan.speaking.values()}
    speakers = [reply for reply in scan.speaking.values() if id(reply) not in parents]
    return speakers[0] if len(speakers) == 1 else None


def _seconds(scan: Scan, value: dict[str, Any]) -> float | None:
    """How long it took, by the clock of the process that made it."""
    start, end = (mapping(value, key).get("mono") for key in ("started", "ended"))
    if not (is_time(start) and is_time(end)):
        return None
    return scan.clock.span(start, end, "The call of the model", text(value, "model") or "")


def _hidden(scan: Scan, value: dict[str, Any], stamp: Stamp, reply: Reply | None, seconds: float | None) -> HiddenCall:
    counts = mapping(value, "tokens")
    tokens, bad = read_tokens(
        counts.get("input_tokens"),
        counts.get("output_tokens"),
        counts.get("cache_input_tokens", 0),
        counts.get("cache_creation_input_tokens", 0),
    )
    if bad:
        scan.problem("bad_number", bad)
    of = "" if reply is None else reply.id
    number, status = scan.n_hidden[of], text(value, "status")
    scan.n_hidden[of] += 1
    return HiddenCall(
        id=f"{of}:hidden:{number}",
        seq=stamp.seq,
        reply=reply,
        model=text(value, "model"),
        started_us=_us(scan, value, "started"),
        ended_us=_us(scan, value, "ended"),
        seconds=seconds,
        status=status if status in _STATUS else "error",
        tokens=tokens,
    )


def _us(scan: Scan, value: dict[str, Any], key: str) -> int | None:
    at = text(mapping(value, key), "at")
    return None if at is None else scan.clock.utc(at)
