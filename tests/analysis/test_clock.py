"""Times as they are found in the wild."""

import itertools

import pytest

from nb_agentscope.analysis import events_df, replies_df
from nb_agentscope.analysis._clock import Clock, zone
from tests.analysis.logs import Made, row


def utc(*texts, tz=None):
    told = []
    clock = Clock(zone(tz), lambda rule, message: told.append(rule))
    return [clock.utc(text) for text in texts], told


SECOND = 1_772_355_600_000_000  # 2026-03-01T09:00:00Z: 20513 days after 1970 and 9 hours


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
