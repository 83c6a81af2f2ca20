"""Times as they are found in the wild."""

import itertools

import pytest

from nb_agentscope.analysis import events_df, model_calls_df, replies_df
from nb_agentscope.analysis._clock import Clock, zone
from tests.analysis.logs import Made, row


def utc(*texts, tz=None):
    told = []
    clock = Clock(zone(tz), lambda rule, message: told.append(rule))
    return [clock.utc(text) for text in texts], told


SECOND = 1_772_355_600_000_000  # 2026-03-01T09:00:00Z: 20513 days after 1970 and 9 hours


@pytest.mark.parametrize("start", ["2026-03-01T09:00+00", "20260301T09:00:00.1", "2026-03-01T09+00:00"])
def test_what_follows_a_time_without_seconds_is_no_fraction_of_it(start):
    assert utc(start, f"{start[:19]}.123+00:00")[1] == ["bad_time"]


def test_the_second_is_right():
    assert SECOND == (20513 * 86_400 + 9 * 3600) * 1_000_000


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("2026-03-01T09:00:00", 0),
        ("2026-03-01T09:00:00.5", 500_000),
        ("2026-03-01 09:00:00.000001", 1),
        ("2026-03-01T09:00:00Z", 0),
        ("2026-03-01T09:00:00.123456789Z", 123_456),
        ("2026-03-01T10:30:00+01:30", 0),
        ("2026-03-01T10:30:00.25+01:30", 250_000),
        ("2026-03-01T09:00:00.250+00:00", 250_000),
        ("2026-03-01T09:00:00.250001+00:00", 250_001),
    ],
)
def test_forms(text, us):
    assert utc(text, text) == ([SECOND + us] * 2, [])


@pytest.mark.parametrize("text", ["yesterday", "", None, 7, [], "2026-13-01T00:00:00", "2026-03-01T09:00:00.٣٣٣+00:00"])
def test_no_time(text):
    assert utc("2026-03-01T09:00:00+00:00", text) == ([SECOND, None], ["bad_time"])


def test_the_zone_of_naive_times():
    assert utc("2026-03-01T10:00:00", tz="Europe/Berlin")[0] == [SECOND]


def test_clocks_set_back():
    # On 2026-10-25 at 03:00 summer time clocks in Berlin go back to 02:00: 02:30 comes twice, an hour apart.
    hours = [
        "2026-10-25T01:50:00",
        "2026-10-25T02:30:00",
        "2026-10-25T02:10:00",
        "2026-10-25T02:40:00",
        "2026-10-25T03:10:00",
    ]
    found, _ = utc(*hours, tz="Europe/Berlin")
    assert [(b - a) / 60e6 for a, b in itertools.pairwise(found)] == [40, 40, 30, 30]


def test_the_zone_in_the_header():
    log = Made(plain=True)
    log(0, "CUSTOM", name="nb_agentscope.header", value={"tz": {"name": "CEST", "offset": "+02:00"}, "boot": "x"})
    log.start(0).end(1)
    for event in log.rows:
        event["created_at"] = event["created_at"].removesuffix("+00:00")
    frame = replies_df(log.rows)
    assert str(row(frame)["started_at"]) == "2026-03-01 07:00:00+00:00"
    assert frame.attrs["tz_assumed"] == "UTC+02:00"
    assert str(row(replies_df(log.rows, tz="UTC"))["started_at"]) == "2026-03-01 09:00:00+00:00"


def test_naive_and_aware_times_are_not_compared():
    log = Made(plain=True).start(0).end(5)
    log.rows[1]["created_at"] = log.rows[1]["created_at"].removesuffix("+00:00")
    frame = replies_df(log.rows)
    assert row(frame)["wall_s"] is None
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["mixed_zones"]
    assert row(replies_df(log.rows, tz="UTC"))["wall_s"] == pytest.approx(5)


def test_the_monotonic_clock_decides():
    log = Made().start(0).end(5)
    log.rows[1]["created_at"] = log.rows[1]["recorded"]["at"] = (
        "2020-01-01T00:00:00+00:00"  # the wall clock was set back
    )
    assert row(replies_df(log.rows))["wall_s"] == pytest.approx(5)


def test_a_reply_that_goes_on_in_another_process():
    log = Made()
    log(0, "CUSTOM", name="nb_agentscope.header", value={"boot": "one"})
    log.start(1).call(2, 3).ask(4)
    log(104, "CUSTOM", name="nb_agentscope.header", value={"boot": "two"})
    log.decide(105, True).result(106, 107).end(110)
    for event in log.rows[5:]:
        event["recorded"]["mono"] += 10_000  # another machine
    got = row(replies_df(log.rows))
    assert (got["wall_s"], got["human_wait_s"]) == pytest.approx((109, 101))


def test_unknown_times_are_missing():
    log = Made(plain=True).start(0).model(1).model_end(2).end(3)
    log.rows[0]["created_at"] = "?"
    got = row(replies_df(log.rows))
    assert (got["wall_s"], got["model_s"], got["started_at"], got["overhead_s"]) == (None, None, None, None)
    assert events_df(log.rows)["created_at"].isna().tolist() == [True, False, False, False]


def boot(log, t, name):
    return log(t, "CUSTOM", name="nb_agentscope.header", value={"boot": name})


def test_one_wrong_monotonic_time_moves_no_other():
    log = Made().start(0).model(0).text(0.5, 1, 1.25, 1.5).model_end(2).end(7)
    log.rows[3]["recorded"]["mono"] = -1.0
    frame = model_calls_df(log.rows)
    got = row(frame)
    assert (got["ttft_s"], got["itl_max_s"], got["duration_s"]) == pytest.approx((1, 0.25, 2))
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["clock_backwards"]


def test_a_process_without_header_is_placed_by_the_wall_clock():
    log = Made().start(0).model(0).model_end(2).model(100).model_end(103).end(110)
    for event in log.rows[3:]:
        event["recorded"]["mono"] -= 560
    assert row(replies_df(log.rows))["wall_s"] == pytest.approx(110)
    assert model_calls_df(log.rows)["duration_s"].tolist() == pytest.approx([2, 3])


@pytest.mark.parametrize(
    ("bad", "wall", "durations"),
    [
        (range(4), None, [2, None]),  # nothing tells when the first process began
        (range(2), 109, [2, 2]),
        ([4], 109, [2, 2]),
        (range(4, 8), None, [2, None]),
        (range(8), None, [2, None]),
    ],
)
def test_a_process_that_cannot_be_placed(bad, wall, durations):
    log = boot(Made(), 0, "one").start(1).model(2).model_end(4)
    boot(log, 100, "two").model(101).model_end(103).end(110)
    for place in bad:
        log.rows[place]["recorded"]["at"] = "?"
    assert row(replies_df(log.rows))["wall_s"] == (wall if wall is None else pytest.approx(wall))
    calls = model_calls_df(log.rows)
    assert [row(calls, place)["duration_s"] for place in (0, 1)] == durations


@pytest.mark.parametrize(
    "text", ["2026-03-01T09:00:60Z", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "10000-01-01T00:00:00"]
)
def test_times_outside_the_calendar(text):
    assert utc(text) == ([None], ["bad_time"])
    log = Made().start(0).end(1)
    log.rows[0]["recorded"]["at"] = text
    assert row(replies_df(log.rows))["wall_s"] == pytest.approx(1)
    assert len(replies_df(log.rows, where={"started_at": lambda at: at is None})) == 1


def test_the_ends_of_the_calendar():
    texts = ["0001-01-01T00:00:00", "9999-12-31T23:59:59.999999999Z"]
    found, told = utc(*texts)
    assert (found[1] - found[0], told) == (315_537_897_599_999_999, [])
    log = Made(plain=True).start(0).end(1)
    log.rows[0]["created_at"], log.rows[1]["created_at"] = "0001-01-01T00:00:00Z", texts[1]
    frame = replies_df(log.rows, columns=["started_at", "ended_at"], where={"ended_at": lambda at: at.year == 9999})
    assert "0001-01-01" in repr(frame)
    assert "9999-12-31" in repr(frame)


def test_a_time_that_clocks_put_forward_never_show():
    # On 2026-03-29 at 02:00 clocks in Berlin go to 03:00; what says 02:30 is a clock that was not put forward.
    found, _ = utc("2026-03-29T01:59:59", "2026-03-29T02:30:00", "2026-03-29T03:30:00", tz="Europe/Berlin")
    assert [(later - found[0]) // 1_000_000 for later in found] == [0, 1801, 1801]


def test_offsets_may_be_mixed():
    found, told = utc("2026-03-01T10:00:00+01:00", "2026-03-01T04:00:01.5-05:00", "2026-03-01T09:00:02Z")
    assert ([later - found[0] for later in found], told) == ([0, 1_500_000, 2_000_000], [])
