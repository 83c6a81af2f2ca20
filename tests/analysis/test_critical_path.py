from itertools import pairwise
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._critical_path import critical_path
from nb_agentscope.analysis._intervals import Interval
from tests.analysis.spans import GRID, comparisons, intervals


def test_by_hand():
    # 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 . 10
    # model 0-----2                 (0)
    # tool a        2.5-------4.5   (1)
    # tool b        2.5---------------6   (2)
    # model                             6.5---8   (3)
    # human   1---------3           (4)
    given = [
        Interval("model", 0, 2),
        Interval("tool", 2.5, 4.5),
        Interval("tool", 2.5, 6),
        Interval("model", 6.5, 8),
        Interval("human", 1, 3),
    ]
    found = critical_path(given, 10)
    # Back from 10: the latest end is 8 (3), starting at 6.5; before that 6 (2), from 2.5; before that 2 (0), from 0.
    assert found.indices == (0, 2, 3)
    assert found.seconds == {"model": 2 + 1.5, "tool": 3.5}
    # (1) may end when (2) does: 6 - 4.5. (4) is followed by (3) alone, whose driver (2) ends at 6: 6 - 3.
    assert found.slack == (0, 1.5, 0, 0, 3)


def test_slack_is_handed_on_through_what_follows():
    # a 0..1 is followed by b 1..2, which nothing on the path follows: both may take until c ends at 9.
    given = [Interval("tool", 0, 1), Interval("tool", 1, 2), Interval("model", 0, 9)]
    assert critical_path(given, 10).slack == (7, 7, 0)


def test_ties_go_to_the_longest_then_to_the_first():
    given = [Interval("a", 3, 5), Interval("b", 1, 5), Interval("c", 1, 5), Interval("d", 4, 5)]
    assert critical_path(given, 5).indices == (1,)


def test_what_ends_after_the_end_or_holds_no_time_is_on_no_path():
    given = [
        Interval("tool", 0, 2),
        Interval("tool", 1, 9),
        Interval("tool", 2, 2),
        Interval("tool", 5, 3),
        Interval("x", 0, nan),
    ]
    found = critical_path(given, 5)
    assert found.indices == (0,)
    assert found.slack == (0, None, None, None, None)
    assert found.seconds == {"tool": 2}


def test_touching_intervals_follow_each_other():
    found = critical_path([Interval("model", 2, 3), Interval("tool", 0, 2)], 3)
    assert found == ((1, 0), (0, 0), {"tool": 2, "model": 1})


def test_nothing_went_on():
    assert critical_path([], 5) == ((), (), {})


def usable(given, end):
    return [n for n, i in enumerate(given) if i.end > i.start and i.end <= end]


@pytest.mark.parametrize("end", [GRID, GRID // 2])
@given(given=intervals())
def test_the_path_is_what_looking_at_all_finds(end, given):
    path, now = [], end
    while before := [n for n in usable(given, end) if given[n].end <= now]:
        # The definition, read aloud: latest end, then longest, then first.
        path.insert(0, max(before, key=lambda n: (given[n].end, given[n].duration, -n)))
        now = given[path[0]].start
    found = critical_path(given, end)
    assert list(found.indices) == path
    assert sum(found.seconds.values()) == sum(given[n].duration for n in path)


def replay(given, end, late=None, by=0.0):
    """When everything is over if one interval takes longer and each starts its lag after the last that had ended before it."""
    order = sorted(usable(given, end), key=lambda n: given[n].start)
    new_end = {}
    for n in order:
        before = [k for k in order if given[k].end <= given[n].start]
        lag = given[n].start - max((given[k].end for k in before), default=0)
        start = max((new_end[k] for k in before), default=0) + lag
        new_end[n] = start + given[n].duration + (by if n == late else 0)
    return max(new_end.values(), default=end)


@given(intervals())
def test_the_slack_is_exactly_what_can_be_lost(given):
    slack = critical_path(given, GRID).slack
    on_time = replay(given, GRID)
    for n in usable(given, GRID):
        assert replay(given, GRID, late=n, by=slack[n]) == on_time
        assert replay(given, GRID, late=n, by=slack[n] + 0.5) == on_time + 0.5


@given(intervals(), st.integers(0, GRID))
def test_the_path_has_no_slack_and_no_overlap(given, end):
    found = critical_path(given, end)
    assert all(found.slack[n] == 0 for n in found.indices)
    steps = [given[n] for n in found.indices]
    assert all(before.end <= after.start for before, after in pairwise(steps))
    assert all((slack is not None) == (n in usable(given, end)) for n, slack in enumerate(found.slack))
    assert all(slack is None or slack >= 0 for slack in found.slack)


def test_ten_times_the_intervals_take_little_more_than_ten_times_the_comparisons():
    few, many = comparisons(critical_path, 500), comparisons(critical_path, 5000)
    assert few > 500
    assert many / few < 20  # n log n: 13.7; n squared: 100
