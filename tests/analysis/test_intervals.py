import random
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._intervals import (
    OVERHEAD,
    PRIORITY,
    Interval,
    concurrency,
    peers,
    split,
    union_length,
)
from tests.analysis.spans import GRID, comparisons, intervals, ticks


def spans(*pairs, kind="tool"):
    return [Interval(kind, start, end) for start, end in pairs]


class TestUnion:
    @pytest.mark.parametrize(
        ("pairs", "seconds"),
        [
            ([], 0),
            ([(1.5, 4)], 2.5),  # 4 - 1.5
            ([(0, 2), (5, 6)], 3),  # 2 + 1, the gap 2..5 not
            ([(0, 2), (2, 3)], 3),  # touching: 2 + 1
            ([(0, 10), (2, 3)], 10),  # nested: the outer one alone
            ([(0, 4), (3, 7)], 7),  # 0..7 without a gap; 4 + 4 would count 3..4 twice
            ([(0, 4), (0, 4), (0, 4)], 4),
            ([(3, 3)], 0),  # no length
            ([(5, 2)], 0),  # backwards
            ([(5, 2), (0, 1)], 1),
            ([(nan, 2), (0, nan), (0, 1)], 1),
        ],
    )
    def test_by_hand(self, pairs, seconds):
        assert union_length(spans(*pairs)) == seconds

    @given(intervals())
    def test_it_is_the_number_of_ticks_covered(self, given):
        assert union_length(given) == len(set().union(*map(ticks, given)))

    @given(intervals(), st.randoms(use_true_random=False))
    def test_order_does_not_matter(self, given, random):
        mixed = list(given)
        random.shuffle(mixed)
        assert union_length(mixed) == union_length(given)

    @given(intervals(), intervals())
    def test_it_grows_at_most_by_what_is_added(self, some, more):
        together = union_length(some + more)
        assert max(union_length(some), union_length(more)) <= together <= union_length(some) + union_length(more)


class TestDuration:
    @pytest.mark.parametrize(("start", "end", "seconds"), [(1, 3.5, 2.5), (2, 2, 0), (3, 1, 0), (nan, 1, 0)])
    def test_by_hand(self, start, end, seconds):
        assert Interval("tool", start, end).duration == seconds


class TestSplit:
    def test_by_hand(self):
        # 0 . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 . 10
        # model       1-----3           5-6
        # tool            2-----4
        # human                   4.5---------7
        # external                          6.5---8
        given = [
            Interval("model", 1, 3),
            Interval("tool", 2, 4),
            Interval("human", 4.5, 7),
            Interval("model", 5, 6),
            Interval("external", 6.5, 8),
        ]
        assert split(given, 0, 10) == {
            "model": 3,  # 1..3 and 5..6
            "tool": 1,  # 3..4, as 2..3 is the model's
            "human": 1.5,  # 4.5..5 and 6..7, as 5..6 is the model's
            "external": 1,  # 7..8, as 6.5..7 is the human's
            "overhead": 3.5,  # 0..1, 4..4.5, 8..10
        }

    def test_nothing_went_on(self):
        assert split([], 2, 5) == {"model": 0, "tool": 0, "human": 0, "external": 0, "overhead": 3}

    def test_no_time_at_all(self):
        assert set(split(spans((0, 9)), 4, 4).values()) == {0}

    def test_what_lies_outside_is_cut(self):
        # before, across the start, across the end, after; an open end lasts until the end.
        given = [*spans((0, 1), (1, 3), (9, 12), (11, 15)), Interval("human", 8, inf)]
        assert split(given, 2, 10) == {"model": 0, "tool": 2, "human": 1, "external": 0, "overhead": 5}

    def test_no_length_backwards_and_nan_hold_no_time(self):
        assert split(spans((3, 3), (5, 4), (nan, 4), (2, nan)), 0, 6)[OVERHEAD] == 6

    def test_the_order_is_the_callers(self):
        given = [Interval("a", 0, 2), Interval("b", 1, 4)]
        assert split(given, 0, 4, ("a", "b")) == {"a": 2, "b": 2, "overhead": 0}
        assert split(given, 0, 4, ("b", "a")) == {"b": 3, "a": 1, "overhead": 0}

    def test_epoch_seconds_stay_exact_to_a_millisecond(self):
        start = 1_764_460_800.0
        given = [Interval("model", start + n * 0.01, start + n * 0.01 + 0.004) for n in range(10_000)]
        parts = split(given, start, start + 100)
        assert parts["model"] == pytest.approx(40, abs=1e-3)  # 10,000 times 4 ms
        assert sum(parts.values()) == pytest.approx(100, abs=1e-3)

    def test_the_end_before_the_start(self):
        with pytest.raises(ValueError, match=r"^The time from 5 to 4 cannot be split: it ends before it starts\.$"):
            split([], 5, 4)
        with pytest.raises(ValueError, match="from 5 to nan"):
            split([], 5, nan)

    def test_an_unknown_kind(self):
        with pytest.raises(ValueError, match=r"kind 'subagent' cannot be split: it is none of \['model', 'tool', 'hu"):
            split([Interval("subagent", 0, 1)], 0, 1)

    @given(intervals(), st.integers(0, GRID), st.integers(0, GRID))
    def test_each_tick_goes_to_the_first_kind_that_covers_it(self, given, one, other):
        start, end = sorted((one, other))
        expected = dict.fromkeys((*PRIORITY, OVERHEAD), 0)
        for tick in range(start, end):
            kinds = [kind for kind in PRIORITY if any(i.kind == kind and tick in ticks(i) for i in given)]
            expected[(kinds or [OVERHEAD])[0]] += 1
        assert split(given, start, end) == expected

    @given(st.lists(st.builds(Interval, st.sampled_from(PRIORITY), *[st.floats(-1e6, 1e6)] * 2)))
    def test_parts_and_gaps_sum_to_the_wall_time(self, given):
        parts = split(given, -1e3, 1e3)
        cut = [i._replace(start=max(i.start, -1e3), end=min(i.end, 1e3)) for i in given]
        assert sum(parts.values()) == pytest.approx(2e3, abs=1e-6)
        assert parts[OVERHEAD] == pytest.approx(2e3 - union_length(cut), abs=1e-6)


class TestConcurrency:
    def test_by_hand(self):
        # 0..4, 2..6, 3..5 and, after a gap, 8..10: durations 4 + 4 + 2 + 2 = 12; union 6 + 2 = 8; span 10.
        # Three at once in 3..4, two or more in 2..5.
        found = concurrency(spans((0, 4), (2, 6), (3, 5), (8, 10)))
        assert found == (3, 12 / 10, 12 / 8, 3)
        assert (found.max, found.mean, found.overlap_factor, found.overlap_s) == found

    @pytest.mark.parametrize(
        ("pairs", "expected"),
        [
            ([], (0, None, None, 0)),
            ([(1, 1), (4, 2)], (0, None, None, 0)),  # neither holds time
            ([(1, 3)], (1, 1, 1, 0)),
            ([(0, 2), (2, 4)], (1, 1, 1, 0)),  # touching is not at once
            ([(0, 4), (1, 2)], (2, 5 / 4, 5 / 4, 1)),  # nested
            ([(0, 2), (0, 2)], (2, 2, 2, 2)),
        ],
    )
    def test_edges(self, pairs, expected):
        assert concurrency(spans(*pairs)) == expected

    @given(intervals())
    def test_it_is_what_counting_each_tick_finds(self, given):
        counts = [sum(tick in ticks(i) for i in given) for tick in range(GRID)]
        busy = [count for count in counts if count]
        first = next((n for n, count in enumerate(counts) if count), 0)
        last = max((n for n, count in enumerate(counts) if count), default=-1)
        found = concurrency(given)
        assert found.max == max(counts)
        assert found.overlap_s == sum(count > 1 for count in counts)
        assert found.overlap_factor == (pytest.approx(sum(busy) / len(busy)) if busy else None)
        assert found.mean == (pytest.approx(sum(counts) / (last - first + 1)) if busy else None)


class TestPeers:
    def test_by_hand(self):
        # 0..4 meets 2..6 and 3..5; 2..6 meets both; 3..5 both; 6..8 touches 2..6 only; the empty 4..4 meets nobody.
        assert peers(spans((0, 4), (2, 6), (3, 5), (6, 8), (4, 4))) == [2, 2, 2, 0, 0]

    def test_nobody(self):
        assert peers([]) == []

    @given(intervals())
    def test_it_is_what_comparing_all_pairs_finds(self, given):
        expected = [sum(bool(ticks(a) & ticks(b)) for m, b in enumerate(given) if m != n) for n, a in enumerate(given)]
        assert peers(given) == expected


@pytest.mark.parametrize(
    "measure",
    [
        lambda given, end: union_length(given),
        lambda given, end: split(given, 0.0, end),
        lambda given, end: concurrency(given),
        lambda given, end: peers(given),
    ],
    ids=["union_length", "split", "concurrency", "peers"],
)
def test_ten_times_the_intervals_take_little_more_than_ten_times_the_comparisons(measure):
    few, many = comparisons(measure, 500), comparisons(measure, 5000)
    assert few > 500  # the counter counts
    assert many / few < 20  # n log n: 13.7; n squared: 100


def test_a_shuffled_long_list_is_split_as_the_ordered_one():
    given = [Interval(PRIORITY[n % 4], n * 0.5, n * 0.5 + 1 + n % 3) for n in range(2000)]
    mixed = random.Random(1).sample(given, len(given))
    assert split(mixed, 0, 1100) == pytest.approx(split(given, 0, 1100))
