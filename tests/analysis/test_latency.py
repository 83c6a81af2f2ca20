import statistics
from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._latency import (
    Deltas,
    Gaps,
    e2e_tps,
    elapsed,
    generation,
    inter_delta,
    latency,
    output_tps,
    percentile,
    streamed,
    tpot,
    ttft,
)

NO_GAPS = Gaps(None, None, None)


def test_by_hand():
    # Called at 100, content at 100.5, 100.75, 101.25 and 102, ended at 102.5, 7 output tokens.
    found = latency(100, 102.5, Deltas.of([100.5, 100.75, 101.25, 102]), 7)
    assert found.duration_s == 2.5
    assert found.streamed is True
    assert found.ttft_s == 0.5  # 100.5 - 100
    assert found.generation_s == 1.5  # 102 - 100.5
    assert found.tpot_s == 0.25  # 1.5 / (7 - 1)
    assert found.itl_p50_s == 0.5  # gaps 0.25, 0.5, 0.75
    assert found.itl_p95_s == pytest.approx(0.725)  # place 0.95 * 2 = 1.9: 0.5 + 0.9 * (0.75 - 0.5)
    assert found.itl_max_s == 0.75
    assert found.output_tps == 4  # 1 / 0.25
    assert found.e2e_tps == 2.8  # 7 / 2.5


def test_what_is_not_streamed_has_a_duration_and_a_rate_and_nothing_else():
    found = latency(0, 4, Deltas.of([3.9]), 20)
    assert found == (4, False, None, None, None, None, None, None, None, 5)  # 20 / 4


def test_a_call_that_is_open():
    # The content so far tells the time to the first delta; how many tokens, and how long, is not known yet.
    found = latency(0, None, Deltas.of([1, 2]), None)
    assert found == (None, True, 1, 1, None, 1, 1, 1, None, None)


class TestStreamed:
    @pytest.mark.parametrize(
        ("times", "expected"),
        [
            ([], False),
            ([1], False),
            ([nan], False),
            ([1, 1], False),
            ([1, 1, 1], False),
            ([1, 2], True),
            ([1, 1, 2], True),
        ],
    )
    def test_by_hand(self, times, expected):
        assert streamed(Deltas.of(times)) is expected

    @pytest.mark.parametrize("times", [[], [1], [1, 1]])
    def test_all_that_needs_a_stream_is_unknown_without(self, times):
        deltas = Deltas.of(times)
        assert ttft(0, deltas) is None
        assert generation(deltas) is None
        assert inter_delta(deltas) == NO_GAPS

    @given(st.lists(st.integers(0, 3)).map(sorted))
    def test_it_is_two_times_or_more(self, times):
        assert streamed(Deltas.of(times)) == (len(set(times)) >= 2)


class TestElapsed:
    @pytest.mark.parametrize(
        ("start", "end", "seconds"),
        [(1, 3.5, 2.5), (2, 2, 0), (3, 1, None), (None, 1, None), (1, None, None), (nan, 1, None), (1, nan, None)],
    )
    def test_by_hand(self, start, end, seconds):
        assert elapsed(start, end) == seconds


class TestClockThatRanBackwards:
    def test_before_the_first_delta(self):
        found = latency(5, 8, Deltas.of([4, 6]), 3)
        assert found.ttft_s is None
        assert found.generation_s == 2
        assert found.tpot_s == 1  # 2 / (3 - 1)

    def test_from_first_to_last(self):
        found = latency(0, 8, Deltas.of([4, 3]), 3)
        assert (found.generation_s, found.tpot_s, found.output_tps) == (None, None, None)
        assert found.ttft_s == 4

    def test_among_the_deltas(self):
        # 3 to 2 is no gap, and without it the others would tell a percentile of something else.
        assert inter_delta(Deltas.of([1, 3, 2, 4])) == NO_GAPS

    def test_and_back_to_the_same_time(self):
        assert latency(0, 9, Deltas.of([4, 5, 4]), 3).tpot_s is None

    def test_the_end_before_the_start(self):
        found = latency(5, 3, Deltas.of([6, 7]), 10)
        assert (found.duration_s, found.e2e_tps) == (None, None)


class TestTpot:
    @pytest.mark.parametrize(
        ("generation_s", "output_tokens", "seconds"),
        [
            (3.0, 4, 1.0),  # 3 / (4 - 1)
            (3.0, 2, 3.0),
            (3.0, 1, None),  # nothing after the first token
            (3.0, 0, None),
            (3.0, None, None),
            (None, 4, None),
        ],
    )
    def test_by_hand(self, generation_s, output_tokens, seconds):
        assert tpot(generation_s, output_tokens) == seconds

    @given(
        st.lists(st.integers(0, 100), min_size=2, unique=True).map(sorted),
        st.integers(2, 1000),
        st.integers(0, 50),
        st.integers(0, 50),
    )
    def test_first_token_and_the_others_make_the_time_to_the_last_delta(self, times, tokens, before, after):
        found = latency(times[0] - before, times[-1] + after, Deltas.of(times), tokens)
        assert found.ttft_s + (tokens - 1) * found.tpot_s == pytest.approx(times[-1] - times[0] + before)
        assert found.ttft_s + found.generation_s <= found.duration_s
        assert found.output_tps * found.tpot_s == pytest.approx(1)


class TestRates:
    @pytest.mark.parametrize(("seconds", "rate"), [(0.02, 50), (None, None), (0.0, None)])
    def test_output_tps(self, seconds, rate):
        assert output_tps(seconds) == rate

    @pytest.mark.parametrize(
        ("tokens", "seconds", "rate"),
        [(30, 1.5, 20), (0, 2.0, 0), (None, 2.0, None), (30, None, None), (30, 0.0, None)],
    )
    def test_e2e_tps(self, tokens, seconds, rate):
        assert e2e_tps(tokens, seconds) == rate


class TestGaps:
    def test_two_deltas_have_one_gap(self):
        assert inter_delta(Deltas.of([1, 3])) == (2, 2, 2)

    def test_equal_times_are_gaps_of_nothing(self):
        assert inter_delta(Deltas.of([1, 1, 1, 5])) == (0, pytest.approx(3.6), 4)  # 0, 0, 4: 0 + 0.9 * 4

    def test_a_compacted_log_knows_all_but_the_gaps(self):
        times = [1, 2, 4]
        raw, compact = latency(0, 5, Deltas.of(times), 4), latency(0, 5, Deltas(3, 1, 4), 4)
        assert (compact.itl_p50_s, compact.itl_p95_s, compact.itl_max_s) == NO_GAPS
        unknown = {"itl_p50_s": None, "itl_p95_s": None, "itl_max_s": None}
        assert raw._replace(**unknown) == compact
        assert raw != compact

    @given(st.lists(st.integers(0, 1000), min_size=2).map(sorted))
    def test_they_are_ordered_and_sum_to_the_generation(self, times):
        deltas = Deltas.of(times)
        if streamed(deltas):
            gaps = inter_delta(deltas)
            assert gaps.p50 <= gaps.p95 <= gaps.max
            assert gaps.max <= generation(deltas) <= gaps.max * (len(times) - 1)


class TestPercentile:
    @pytest.mark.parametrize(
        ("values", "share", "expected"),
        [
            ([7], 0.95, 7),
            ([1, 2], 0.5, 1.5),
            ([1, 2, 3, 4, 5], 0.5, 3),
            ([10, 20, 30, 40], 0.25, 17.5),  # place 0.75: 10 + 0.75 * 10
            ([10, 20], 0, 10),
            ([10, 20], 1, 20),
        ],
    )
    def test_by_hand(self, values, share, expected):
        assert percentile(values, share) == expected

    def test_of_nothing(self):
        assert isnan(percentile([], 0.5))

    @given(st.lists(st.floats(0, 1e6), min_size=2).map(sorted))
    def test_it_is_what_the_standard_library_finds(self, values):
        assert percentile(values, 0.5) == pytest.approx(statistics.median(values))
        cuts = statistics.quantiles(values, n=20, method="inclusive")
        assert percentile(values, 0.95) == pytest.approx(cuts[-1])
