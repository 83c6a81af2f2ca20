"""Deltas of one block that follow one another, taken in all at once.

Nearly all lines of a log come here, and what they cost decides what a log costs.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import UNSET

from nb_agentscope.analysis._clock import Clock, Stamp
from nb_agentscope.analysis._read import FIELDS, Delta
from nb_agentscope.analysis._scan_blocks import DELTA_KINDS, first_delta

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan

_ID, _TEXT, _MONO, _CREATED = map(attrgetter, ("id", "delta", "recorded.mono", "created_at"))


def add_burst(scan: Scan, deltas: list[Delta]) -> bool:
    """Take in deltas of a known block; False if something is special about them, and nothing was done.

    In a log with joined deltas the order is not that of the lines, so that each is looked at.
    """
    first = deltas[0]
    reply = scan.replies.get(first.reply_id)
    if reply is None or reply.answered or scan.is_compacted:
        return False
    block = reply.newest.get((DELTA_KINDS[first.type], getattr(first, FIELDS[first.type])))
    texts, ids = list(map(_TEXT, deltas)), list(map(_ID, deltas))
    if block is None or not all(texts) or not scan.ids.are_new(ids):
        return False
    times = _times(scan.clock, deltas)
    if times is None:
        return False
    scan.ids.add(ids)
    if block.first is None:
        first_delta(reply, block, _stamp(scan, first, times[0]))
    scan.n_events += len(deltas)
    block.add(texts, len(texts))
    if block.call is not None:
        block.call.times.extend(times)
    reply.last_t = times[-1]
    return True


def _times(clock: Clock, deltas: list[Delta]) -> list[float] | None:
    if deltas[0].recorded is UNSET:
        return clock.follow_wall(list(map(_CREATED, deltas)))
    return clock.follow(list(map(_MONO, deltas)))


def _stamp(scan: Scan, delta: Delta, t: float) -> Stamp:
    when = delta.recorded
    at, seq = (None, scan.n_events) if when is UNSET else (when.at, when.seq)
    scan.place = seq
    return Stamp(t, scan.clock.wall(at, delta.created_at), seq)
