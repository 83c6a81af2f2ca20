"""Rows of the table of model calls."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from nb_agentscope.analysis._columns import MODEL_CALLS
from nb_agentscope.analysis._cost import Price, cost
from nb_agentscope.analysis._latency import Deltas, Latency, latency
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import HiddenCall, ModelCall
from nb_agentscope.analysis._tokens import Tokens, cached_input


def model_call_row(scan: Scan, call: ModelCall, prices: Mapping[str, Price]) -> dict[str, Any]:
    """The row of one model call."""
    scan.place = call.seq
    measured = _measured(scan, call)
    first = call.first
    return {
        "seq": call.seq,
        "model_call_id": call.id,
        "reply_id": call.reply.id,
        "agent": call.reply.agent,
        "kind": "visible",
        "index": call.index,
        "model": call.model,
        "model_is_requested": None if call.model is None else True,
        "started_at": call.start.us if call.start else None,
        "first_delta_at": first.us if first else None,
        "ended_at": call.end.us if call.end else None,
        "status": call.status,
        **measured,
        "ttft_kind": call.first_kind if measured["ttft_s"] is not None else None,
        "n_deltas": len(call.times) + call.joined,
        **_used(scan, call.tokens, prices.get(call.model or "")),
        "text_chars": _chars(call, "text"),
        "thinking_chars": _chars(call, "thinking"),
        "tool_calls": sum(block.kind == "tool_call" for block in call.blocks),
        "attempts": None if call.attempts_unknown else call.attempts or None,
    }


_NOTHING: dict[str, Any] = dict.fromkeys(column.name for column in MODEL_CALLS.columns)


def hidden_call_row(scan: Scan, call: HiddenCall, prices: Mapping[str, Price]) -> dict[str, Any]:
    """The row of a call without events."""
    scan.place = call.seq
    return _NOTHING | {
        "seq": call.seq,
        "model_call_id": call.id,
        "reply_id": None if call.reply is None else call.reply.id,
        "agent": None if call.reply is None else call.reply.agent,
        "kind": "hidden",
        "model": call.model,
        "started_at": call.started_us,
        "ended_at": call.ended_us,
        "status": call.status,
        "duration_s": call.seconds,
        "attempts": 1,
        **_used(scan, call.tokens, prices.get(call.model or "")),
    }


def _used(scan: Scan, tokens: Tokens, price: Price | None) -> dict[str, Any]:
    """Its tokens, and what they cost."""
    cached = cached_input(tokens, price.accounting if price else None)
    if cached.problem:
        scan.problem("cache_accounting", cached.problem)
    return {
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_read_input_tokens": tokens.cache_read,
        "cache_creation_input_tokens": tokens.cache_creation,
        "total_tokens": tokens.total,
        "usage_known": tokens.known,
        "cache_accounting": cached.accounting,
        "input_tokens_total": cached.total,
        "input_tokens_uncached": cached.uncached,
        "cache_hit_ratio": cached.hit_ratio,
        **cost(tokens, cached, price)._asdict(),
    }


def _measured(scan: Scan, call: ModelCall) -> dict[str, Any]:
    """Its latency; each value that the clock makes impossible is None, and a problem."""
    start, end = call.start.t if call.start else None, call.end.t if call.end else None
    deltas = _deltas(call)
    if deltas is None:
        return {**latency(start, end, Deltas(), call.tokens.output)._asdict(), "streamed": None}
    values: Latency = latency(start, end, deltas, call.tokens.output)
    scan.clock.span(start, end, "The model call", call.id)
    if deltas.first is not None:
        scan.clock.span(start, deltas.first, "The first delta of the model call", call.id)
    if values.streamed and deltas.times is not None and values.itl_max_s is None:
        scan.problem("clock_backwards", f"The model call {call.id!r:.60} has deltas that come before earlier ones.")
    return values._asdict()


def _deltas(call: ModelCall) -> Deltas | None:
    """When its deltas came; None if that of the first or the last is not known, which is NaN in `times`."""
    times = call.times
    if not times:
        return Deltas()
    first, last = times[0], times[-1] if call.last is None else call.last[1]
    if isnan(first) or isnan(last):
        return None
    all_known = not call.joined and not isnan(sum(times))
    return Deltas(len(times) + call.joined, first, last, times if all_known else None)


def _chars(call: ModelCall, kind: str) -> int:
    return sum(block.chars for block in call.blocks if block.kind == kind)
