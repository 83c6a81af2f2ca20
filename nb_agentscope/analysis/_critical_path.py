"""The chain of intervals that decided when a reply ended, and how much time the others had to spare."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from nb_agentscope.analysis._intervals import Interval, holds_time


class CriticalPath(NamedTuple):
    """What a reply waited for."""

    indices: tuple[int, ...]
    """Positions, in the given intervals, of those on the path, in order of time."""
    slack: tuple[float | None, ...]
    """For each given interval: seconds that it could have taken longer without moving the end.

    Each interval is taken to start a fixed lag after the last one that had ended before it. None for an interval that holds no
    time or had not ended by the end.
    """
    seconds: dict[str, float]
    """Seconds on the path by kind, in order of time."""


def critical_path(intervals: Sequence[Interval], end: float) -> CriticalPath:
    """Walk back from the end: before each step comes the interval with the latest end not after that step's start.

    Of several that end together the longest counts, and of equally long ones the first given.

    Args:
        intervals: What went on; what holds no time or ends after `end` is on no path.
        end: When the reply ended, in seconds on the intervals' clock.
    """
    usable = [n for n, interval in enumerate(intervals) if holds_time(interval) and interval.end <= end]
    path = _walk(intervals, usable, end)
    seconds: dict[str, float] = {}
    for n in path:
        interval = intervals[n]
        seconds[interval.kind] = seconds.get(interval.kind, 0.0) + interval.duration
    return CriticalPath(tuple(path), tuple(_slack(intervals, usable, end)), seconds)


def _walk(intervals: Sequence[Interval], usable: list[int], end: float) -> list[int]:
    """Positions on the path, in order of time."""
    # The last of those with the latest end must be the one that wins ties: the earliest start, then the first given.
    by_end = sorted(usable, key=lambda n: (intervals[n].end, -intervals[n].start, -n))
    ends = [intervals[n].end for n in by_end]
    path, now = [], end
    while (found := bisect_right(ends, now)) > 0:
        path.append(by_end[found - 1])
        now = intervals[path[-1]].start
    return path[::-1]


def _slack(intervals: Sequence[Interval], usable: list[int], end: float) -> list[float | None]:
    slack: list[float | None] = [None] * len(intervals)
    by_start = sorted(usable, key=lambda n: intervals[n].start)
    starts = [intervals[n].start for n in by_start]
    ends = sorted(intervals[n].end for n in usable)
    # latest[k]: when the last predecessor of by_start[k], or of any later one, must have ended. The end itself comes last.
    latest = [0.0] * len(by_start) + [ends[-1] if ends else end]
    for k in range(len(by_start) - 1, -1, -1):
        interval = intervals[by_start[k]]
        spare = latest[bisect_left(starts, interval.end)] - interval.end  # successors start later: they are done
        slack[by_start[k]] = spare
        driver = bisect_right(ends, interval.start)
        latest[k] = min(latest[k + 1], ends[driver - 1] + spare) if driver else latest[k + 1]
    return slack
