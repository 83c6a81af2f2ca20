"""Model calls: what each column is, computed by hand."""

import pytest

from nb_agentscope.analysis import model_calls_df
from tests.analysis.logs import Made, row
from tests.recorded import VECTORS


def streamed() -> Made:
    """Starts at 10; an empty delta at 10.5 that does not count; deltas at 11, 11.2, 11.8, 13; ends at 14; 5 output tokens."""
    log = Made().start(9).model(10, "big")
    log(10.1, "TEXT_BLOCK_START", block_id="b").__call__(10.5, "TEXT_BLOCK_DELTA", block_id="b", delta="")
    for t in (11, 11.2, 11.8, 13):
        log(t, "TEXT_BLOCK_DELTA", block_id="b", delta="abc")
    log(13.5, "TEXT_BLOCK_END", block_id="b", text=None)
    return log.model_end(14, (100, 5, 40, 0)).end(15)


def test_latency():
    got = row(model_calls_df(streamed().rows))
    want = {
        "duration_s": 4,  # 14 - 10
        "ttft_s": 1,  # 11 - 10
        "generation_s": 2,  # 13 - 11
        "tpot_s": 0.5,  # 2 / (5 - 1)
        "output_tps": 2,  # 1 / 0.5
        "e2e_tps": 1.25,  # 5 / 4
        "itl_p50_s": 0.6,  # gaps 0.2, 0.6, 1.2
        "itl_p95_s": 1.14,  # 0.6 + 0.9 * (1.2 - 0.6)
        "itl_max_s": 1.2,
    }
    assert {name: got[name] for name in want} == pytest.approx(want)
    assert (got["n_deltas"], got["streamed"], got["ttft_kind"], got["text_chars"]) == (4, True, "text", 12)


def test_tokens_and_cost():
    prices = {
        "big": {"input": 2.0, "output": 10.0, "cache_read": 0.5, "cache_creation": 2.5, "accounting": "inclusive"}
    }
    got = row(model_calls_df(streamed().rows, prices=prices))
    assert (got["input_tokens_total"], got["input_tokens_uncached"], got["total_tokens"]) == (100, 60, 105)
    assert got["cache_hit_ratio"] == pytest.approx(0.4)
    assert got["input_cost"] == pytest.approx((60 * 2.0 + 40 * 0.5) / 1e6)
    assert got["total_cost"] == pytest.approx((60 * 2.0 + 40 * 0.5 + 5 * 10) / 1e6)
    without = row(model_calls_df(streamed().rows))
    assert (without["total_cost"], without["input_tokens_total"], without["cache_accounting"]) == (
        None,
        None,
        "unknown",
    )


def test_one_delta_is_not_streamed():
    got = row(model_calls_df(Made().start(0).model(1).text(1, 2, 2.1).model_end(3).rows))
    assert (got["streamed"], got["ttft_s"], got["ttft_kind"], got["generation_s"], got["tpot_s"]) == (
        False,
        *[None] * 4,
    )
    assert got["n_deltas"] == 1
    assert got["first_delta_at"] is not None


def test_the_first_content_may_be_arguments():
    got = row(model_calls_df(Made().start(0).model(1).call(1.5, 2, 2.5, 3).model_end(4).rows))
    assert (got["ttft_kind"], got["tool_calls"]) == ("tool_call", 1)
    assert got["ttft_s"] == pytest.approx(1)


def test_a_call_without_end():
    log = Made().start(0).model(1).text(1, 2, 3, 4).model(5).model_end(6).model(7)
    assert model_calls_df(log.rows)["status"].tolist() == ["error", "completed", "open"]
    first = row(model_calls_df(log.rows))
    assert (first["usage_known"], first["input_tokens"], first["duration_s"]) == (False, None, None)


def test_bad_numbers_are_missing_and_told():
    frame = model_calls_df(Made().start(0).model(1).model_end(2, ("many", -3, None, 1.5)).end(3).rows)
    assert row(frame)["input_tokens"] is None
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["bad_number"]
    with pytest.raises(ValueError, match="No count of tokens"):
        model_calls_df(Made().start(0).model(1).model_end(2, ("many", 0, 0, 0)).rows, strict=True)


def test_an_end_without_start_keeps_its_tokens():
    frame = model_calls_df(Made().start(0).model_end(2).end(3).rows)
    got = row(frame)
    assert (got["input_tokens"], got["duration_s"], got["model"], got["model_is_requested"]) == (10, None, None, None)
    assert frame.attrs["problems"][0]["rule"] == "no_model_start"


def test_usage_that_came_twice_counts_once():
    rows = Made().start(0).model(1).model_end(2).rows
    frame = model_calls_df([*rows, rows[-1]])
    assert frame["input_tokens"].tolist() == [10]
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["duplicate"]


def test_a_clock_that_runs_back_gives_no_wrong_number():
    frame = model_calls_df(Made(plain=True).start(0).model(10).text(11, 12, 9, 13).model_end(5).rows)
    got = row(frame)
    assert (got["duration_s"], got["generation_s"], got["itl_max_s"]) == (None, None, None)
    assert {problem["rule"] for problem in frame.attrs["problems"]} == {"clock_backwards"}


def test_recorded_calls():
    frame = model_calls_df(VECTORS / "two_replies.jsonl")
    # .120809 to .148907; .198881 to .237515; .292253 to .336618, whose deltas come at .317610 and .319974
    assert frame["duration_s"].tolist() == pytest.approx([0.028098, 0.038634, 0.044365])
    assert frame["ttft_s"].astype(object).tolist()[2] == pytest.approx(0.025357)
    assert row(frame, 2)["tpot_s"] == pytest.approx(0.002364 / 2)
    assert frame["index"].tolist() == [0, 0, 1]
