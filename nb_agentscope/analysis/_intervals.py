"""Spans of time: how long together, who gets which second, how many at once. All in seconds, half open: [start, end).

An interval that ends where or before it starts (or whose times are NaN) holds no time and counts nowhere. A clock that ran
backwards is the caller's to report.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

PRIORITY = ("model", "tool", "human", "external")
"""Who gets a moment that several kinds share, the first before the others."""
OVERHEAD = "overhead"
"""The key of `split` for the time that nothing claims."""


class Interval(NamedTuple):
    """What went on from `start` to `end`."""

    kind: str
    """model, tool, human, external or subagent."""
    start: float
    """Seconds on any clock, the same one for all intervals that are compared."""
    end: float
    """Seconds on the same clock; may be infinite where it is cut anyway (`split`)."""
    ref: str = ""
    """Id of the model call, tool call or reply that it stands for."""
    lane: str = ""
    """Where a timeline draws it: an agent or a tool."""

    @property
    def duration(self) -> float:
        """Its length in seconds, 0 if it holds no time."""
        return self.end - self.start if holds_time(self) else 0.0


class Concurrency(NamedTuple):
    """How much went on at once."""

    max: int
    """Most intervals at one moment."""
    mean: float | None
    """Intervals at a moment, averaged over the time from the first start to the last end, gaps included."""
    overlap_factor: float | None
    """Sum of the durations by the length of their union: the mean over the busy time alone; 1 if nothing overlaps."""
    overlap_s: float
    """Seconds in which two or more went on at once."""


def holds_time(interval: Interval) -> bool:
    """Whether it is longer than nothing."""
    return interval.end > interval.start


def union_length(intervals: Iterable[Interval]) -> float:
    """Seconds in which at least one of them went on."""
    return sum(right - left for left, right, active in _segments(intervals) if active)


def shared_length(intervals: Iterable[Interval]) -> float:
    """Seconds in which two or more kinds went on at once."""
    return sum(right - left for left, right, active in _segments(intervals) if len(active) > 1)


def split(
    intervals: Iterable[Interval], start: float, end: float, priority: Sequence[str] = PRIORITY
) -> dict[str, float]:
    """Each second from `start` to `end` given to one kind, or to overhead; the parts sum to `end - start`.

    Args:
        intervals: What went on; what lies outside is cut off.
        start: First moment.
        end: Last moment.
        priority: The kinds that may occur; a moment of several goes to the first of them.

    Returns:
        Seconds by kind, all kinds of `priority` in their order, then "overhead": the gaps, summed as such.

    Raises:
        ValueError: `end` lies before `start`, or a kind is none of `priority`.
    """
    if not end >= start:
        raise ValueError(f"The time from {start} to {end} cannot be split: it ends before it starts.")
    rank = {kind: number for number, kind in enumerate(priority)}
    cut = [_cut(interval, start, end, rank) for interval in intervals]
    whole = Interval(OVERHEAD, start, end)
    seconds = dict.fromkeys((*priority, OVERHEAD), 0.0)
    for left, right, active in _segments([*cut, whole]):
        seconds[next((kind for kind in priority if active.get(kind)), OVERHEAD)] += right - left
    return seconds


def concurrency(intervals: Iterable[Interval]) -> Concurrency:
    """How many went on at once, by a sweep over their starts and ends; means are None if there is no time at all."""
    most, busy, work, shared, span = 0, 0.0, 0.0, 0.0, 0.0
    for left, right, active in _segments(intervals):
        count, length = sum(active.values()), right - left
        most = max(most, count)
        span += length
        work += count * length
        busy += length if count else 0.0
        shared += length if count > 1 else 0.0
    return Concurrency(most, work / span if span else None, work / busy if busy else None, shared)


def peers(intervals: Sequence[Interval]) -> list[int]:
    """For each interval, in the same order, how many others share a moment with it."""
    real = [interval for interval in intervals if holds_time(interval)]
    starts, ends = sorted(i.start for i in real), sorted(i.end for i in real)
    # All that started before this one's end, without those that had ended by its start, without itself.
    return [bisect_left(starts, i.end) - bisect_right(ends, i.start) - 1 if holds_time(i) else 0 for i in intervals]


def _cut(interval: Interval, start: float, end: float, rank: dict[str, int]) -> Interval:
    if interval.kind not in rank:
        raise ValueError(f"An interval of the kind {interval.kind!r} cannot be split: it is none of {list(rank)}.")
    return interval._replace(start=max(interval.start, start), end=min(interval.end, end))


def _segments(intervals: Iterable[Interval]) -> Iterator[tuple[float, float, dict[str, int]]]:
    """The stretches between neighbouring starts and ends, in order, each with the number that goes on by kind.

    The dictionary is one and the same, changed from stretch to stretch.
    """
    real = [interval for interval in intervals if holds_time(interval)]
    points = [(i.start, i.kind, 1) for i in real] + [(i.end, i.kind, -1) for i in real]
    points.sort(key=lambda point: point[0])
    active: dict[str, int] = {}
    before = points[0][0] if points else 0.0
    for time, kind, change in points:
        if time > before:
            yield before, time, active
        active[kind] = active.get(kind, 0) + change
        if not active[kind]:
            del active[kind]
        before = time
