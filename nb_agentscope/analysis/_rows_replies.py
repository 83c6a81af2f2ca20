"""Rows of the table of replies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.analysis._rows_times import spans, split_reply, tool_concurrency
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import Reply

COUNTS = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_creation",
}
"""Column without prefix -> field of `Tokens`."""


@dataclass(slots=True)
class Totals:
    """Tokens of a reply; a count is None if there are calls and no call is known."""

    own: dict[str, int | None] = field(default_factory=dict)
    subtree: dict[str, int | None] = field(default_factory=dict)


def totals(replies: dict[str, Reply]) -> dict[str, Totals]:
    """Own tokens and those of the subtree, of every reply; parents stand before their sub-agents."""
    sums: dict[str, Totals] = {}
    for reply in replies.values():
        own = {column: _sum([getattr(call.tokens, name) for call in reply.calls]) for column, name in COUNTS.items()}
        sums[reply.id] = Totals(own, dict(own))
    calls = {id: len(reply.calls) for id, reply in replies.items()}
    for reply in reversed(replies.values()):
        if reply.parent is not None:
            whole, part = sums[reply.parent.id].subtree, sums[reply.id].subtree
            for column in COUNTS:
                whole[column] = _together(whole[column], calls[reply.parent.id], part[column], calls[reply.id])
            calls[reply.parent.id] += calls[reply.id]
    return sums


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known or not counts else None


def _together(a: int | None, calls_a: int, b: int | None, calls_b: int) -> int | None:
    """The 0 of no calls at all says nothing beside calls that are not known."""
    if a is None:
        return b if calls_b else None
    if b is None:
        return a if calls_a else None
    return a + b


def reply_row(scan: Scan, reply: Reply, sums: Totals) -> dict[str, Any]:
    """The row of one reply."""
    scan.place = reply.seq
    clock = scan.clock
    end = reply.end if reply.end is not None else reply.last_t
    found = spans(reply)
    states = [tool.state for tool in reply.tools]
    return {
        "seq": reply.seq,
        "reply_id": reply.id,
        "session_id": reply.session_id,
        "agent": reply.agent,
        "role": reply.role,
        "parent_reply_id": reply.parent_reply_id,
        "parent_tool_call_id": reply.parent_tool_call_id,
        "depth": reply.depth,
        "started_at": reply.start.us if reply.start else None,
        "ended_at": reply.end.us if reply.end else None,
        "finished_reason": reply.finished_reason or ("waiting" if reply.waits else "open"),
        "error_type": reply.error_type,
        "error_message": reply.error_message,
        "segments": reply.segments,
        "wall_s": clock.span(reply.start, end, "The reply", reply.id),
        **split_reply(scan, reply, found)._asdict(),
        **tool_concurrency(reply, found),
        "ttft_s": clock.span(reply.start, reply.first_text, "The first text of the reply", reply.id),
        "time_to_first_event_s": clock.span(reply.input_t, reply.start, "The input of the reply", reply.id),
        "n_model_calls": len(reply.calls),
        "n_tool_calls": len(reply.tools),
        "n_denied": states.count("denied"),
        "n_errors": states.count("error"),
        "n_approvals": sum(ask.kind == "confirm" for ask in reply.asks),
        **{f"own_{column}": count for column, count in sums.own.items()},
        **{f"subtree_{column}": count for column, count in sums.subtree.items()},
        "n_unknown_usage": sum(not call.tokens.known for call in reply.calls),
        "text": "".join(block.text or "" for block in reply.blocks if block.kind == "text"),
    }
