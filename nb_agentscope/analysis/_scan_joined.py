"""Deltas that are joined in one line of a compacted log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nb_agentscope.analysis._scan_state import Reply
from nb_agentscope.analysis._values import is_int, mapping

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan


class Joined(NamedTuple):
    """What a line says of the deltas joined in it."""

    n: int
    """How many."""
    seq: int
    """Of the last of them."""
    last: dict[str, Any]
    """When that came, by all clocks."""


def read_joined(recorded: dict[str, Any]) -> Joined | None:
    """What the key `recorded` says; None if the line is one event."""
    n, last = recorded.get("n"), mapping(recorded, "last")
    seq = last.get("seq")
    return Joined(n, seq, last) if is_int(n) and n > 1 and is_int(seq) else None


def follow(scan: Scan, reply: Reply, recorded: dict[str, Any]) -> None:
    """The reply is as new as the last of these deltas, which may be later than lines that follow."""
    joined = read_joined(recorded)
    if joined is None:
        return
    scan.is_compacted = True
    t = scan.clock.later(joined.last)
    if t is not None and joined.seq > reply.joined_until:
        reply.joined_until, reply.last_t = joined.seq, t
