"""Times of one form, read together: as each alone, or not at all."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._clock import Clock
from nb_agentscope.analysis._times import microseconds

NAIVE = ["2026-03-01T09:00:02.648629", "2026-03-01T09:00:02.700000", "2026-03-01T09:00:03.000001"]


def whole(text):
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def test_microseconds_and_milliseconds_with_and_without_an_offset():
    second = 1_772_355_602_000_000  # 2026-03-01T09:00:02Z
    assert microseconds(NAIVE, whole) == [second + 648_629, second + 700_000, second + 1_000_001]
    assert microseconds(["2026-03-01T10:00:02.648+01:00", "2026-03-01T10:00:02.001+01:00"], whole) == [
        second + 648_000,
        second + 1_000,
    ]


@pytest.mark.parametrize(
    "odd",
    [
        "2026-03-01T09:00:02",
        "2026-03-01T09:00:02.6486290",
        "2026-03-01T09:00:02.64862\uff19",
        "2026-03-01T09:00:02.64862²",
        "2026-03-01T09:00:02.648 29",
        "2026-03-01T09:00:02.-48629",
        "2026-03-01T09:00:02,648629",
        "2026-03-01T09:00:61.648629",
        "2026-03-01T09:00:02.648+00",
        "2026-03-01T09:00+00.648629",
        "yesterday, perhaps so soon",
        "",
    ],
)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_one_of_another_form_leaves_all_to_be_looked_at(odd, place):
    assert microseconds([*NAIVE[:place], odd, *NAIVE[place:]], whole) is None


def test_digits_of_another_length_are_no_fraction_of_this_form():
    assert microseconds(["2026-03-01T09:00:02.648629123"], whole) is None
    assert microseconds(["2026-03-01T09:00:02.6"], whole) is None


moments = st.datetimes(timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-3, minutes=30))]))


@given(st.lists(moments, min_size=1, max_size=6), st.sampled_from(["auto", "milliseconds", "microseconds"]))
def test_together_is_as_each_alone(times, timespec):
    texts = [time.isoformat(timespec=timespec) for time in times]
    problems = []
    together, alone = (Clock(None, lambda *problem: problems.append(problem)) for _ in range(2))
    made = together.utc_all(texts)
    assert made in (None, [alone.utc(text) for text in texts])
    assert not problems
    if len({time.tzinfo for time in times}) == 1 and timespec != "auto":
        assert made is not None


def test_where_clocks_are_set_back_each_is_looked_at():
    clock = Clock(ZoneInfo("Europe/Berlin"), lambda *_: None)
    assert clock.utc_all(NAIVE) is None
    assert clock.utc_all([f"{text}+01:00" for text in NAIVE]) is not None
