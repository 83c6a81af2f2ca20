"""Usage by group."""

import pytest

from nb_agentscope.analysis import usage_df
from tests.analysis.logs import Made, row

PRICES = {"a": {"input": 1.0, "output": 2.0}}


def log() -> Made:
    """Model a: two calls, one unknown; model b: one call 10 minutes later."""
    made = Made().start(0).model(1, "a").model_end(2, (100, 10, 30, 0)).model(3, "a").model_end(4, (0, 0, 0, 0))
    return made.model(600, "b").text(600, 601, 603, 604).model_end(605, (50, 5, 0, 0)).end(610)


def test_by_model():
    frame = usage_df(log().rows, prices=PRICES)
    a, b = row(frame, 0), row(frame, 1)
    assert (a["model"], a["calls"], a["n_unknown"], a["input_tokens"], a["output_tokens"]) == ("a", 2, 1, 100, 10)
    assert (b["model"], b["calls"], b["n_unknown"], b["total_tokens"]) == ("b", 1, 0, 55)
    assert (a["cache_hit_ratio"], b["cache_hit_ratio"]) == (None, 0)  # what a's input includes is not known
    assert (a["total_cost"], a["n_unknown_cost"], b["total_cost"]) == (None, 2, None)
    assert b["ttft_p50_s"] == pytest.approx(1)
    assert b["tpot_p50_s"] == pytest.approx(2 / 4)


def test_sums_leave_out_what_is_unknown():
    prices = {"a": {"input": 1.0, "output": 2.0, "cache_read": 0.1, "accounting": "inclusive"}}
    a = row(usage_df(log().rows, prices=prices))
    assert a["total_cost"] == pytest.approx((70 * 1.0 + 30 * 0.1 + 10 * 2.0) / 1e6)
    assert (a["n_unknown_cost"], a["cache_hit_ratio"]) == (1, pytest.approx(0.3))


def test_by_time_and_others():
    frame = usage_df(log().rows, ["5min", "agent"])
    assert frame["bucket"].astype(str).tolist() == ["2026-03-01 09:00:00+00:00", "2026-03-01 09:10:00+00:00"]
    assert frame["calls"].tolist() == [2, 1]
    assert row(usage_df(log().rows, "session"))["session_id"] == "s1"
    assert row(usage_df(log().rows, []))["calls"] == 3
    assert usage_df(log().rows, "reply", where={"model": "b"})["calls"].tolist() == [1]


def test_a_wrong_group():
    with pytest.raises(ValueError, match="grouped by run, agent"):
        usage_df([], "colour")
