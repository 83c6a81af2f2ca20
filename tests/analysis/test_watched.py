"""Calls of watched models, computed by hand: tries of calls with events, and rows of those without."""

import json

import pytest

from nb_agentscope.analysis import (
    compare,
    intervals_df,
    model_calls_df,
    read_parquet,
    replies_df,
    summary,
    tables,
    to_otel_spans,
    to_parquet,
    to_pm4py,
    usage_df,
)
from nb_agentscope.analysis._columns import TABLES
from nb_agentscope.analysis.plots._given import rows_of
from nb_agentscope.stream import EventLog
from tests.analysis.logs import Made, moment, row


def compressing(*, plain: bool = False, watched: bool = True) -> Made:
    """0 starts; 1..4 a call without events; 5..9 a model call that is tried at 5.5..6 and 6.5..8.5; 10 ends."""
    log = Made(plain=plain).start(0)
    if watched:
        log.told(1, 4, "big", used=(900, 30, 100, 0))
    log.model(5, "big")
    if watched:
        log.told(5.5, 6, "big", used=None, status="error", error="ConnectionError")
    log.text(7, 7.5, 8, 8.5)
    if watched:
        log.told(6.5, 8.5, "big", used=(100, 20, 0, 0))
    return log.model_end(9, (100, 20, 0, 0)).end(10)


@pytest.mark.parametrize("plain", [False, True])
def test_a_call_without_events_has_a_row_of_its_own(plain):
    prices = {"big": {"input": 2.0, "output": 10.0, "cache_read": 0.5, "accounting": "inclusive"}}
    frame = model_calls_df(compressing(plain=plain).rows, prices=prices, strict=True)
    assert frame["kind"].tolist() == ["hidden", "visible"]
    assert frame["attempts"].tolist() == [1, 2]
    hidden = row(frame)
    assert (hidden["model_call_id"], hidden["reply_id"], hidden["agent"]) == ("r1:hidden:0", "r1", "boss")
    assert (hidden["model"], hidden["status"], hidden["index"]) == ("big", "completed", None)
    assert (hidden["started_at"].isoformat(), hidden["ended_at"].isoformat()) == (moment(1), moment(4))
    assert hidden["duration_s"] == pytest.approx(3)
    assert (hidden["input_tokens"], hidden["output_tokens"], hidden["cache_read_input_tokens"]) == (900, 30, 100)
    assert hidden["total_cost"] == pytest.approx((800 * 2 + 100 * 0.5 + 30 * 10) / 1e6)
    assert [hidden[name] for name in ("ttft_s", "streamed", "n_deltas", "text_chars", "tool_calls")] == [None] * 5


def test_it_is_in_no_sum():
    log, quiet = compressing().rows, compressing(watched=False).rows
    reply = row(replies_df(log))
    assert (reply["n_model_calls"], reply["own_input_tokens"], reply["subtree_output_tokens"]) == (1, 100, 20)
    assert (reply["model_s"], reply["overhead_s"]) == (pytest.approx(4), pytest.approx(6))  # 1..4 is overhead
    others = ["replies", "tool_calls", "approvals", "blocks", "intervals"]
    made, same = tables(log, others), tables(quiet, others)
    for name in others:
        columns = [column for column in TABLES[name].names() if column != "seq"]
        assert made[name][columns].equals(same[name][columns]), name
    assert usage_df(log).equals(usage_df(quiet))
    assert summary(log).usage.equals(summary(quiet).usage)
    assert str(summary(log).totals) == str(summary(quiet).totals)
    assert compare([log, quiet])["difference"].fillna(0).eq(0).all()
    assert len(to_otel_spans(log)) == len(to_otel_spans(quiet))
    assert to_pm4py(log).equals(to_pm4py(quiet))
    assert rows_of(log, "model_calls", ["model"]).equals(rows_of(model_calls_df(log), "model_calls", ["model"]))
    assert len(rows_of(log, "model_calls", ["model"])) == 1
    assert intervals_df(log, where={"kind": "model"})["ref_id"].tolist() == ["r1:0"]
    visible = model_calls_df(log, where={"kind": "visible"})
    assert visible["output_tokens"].sum() == replies_df(log)["own_output_tokens"].sum()


def test_it_may_be_asked_for():
    used = row(usage_df(compressing().rows, where={"kind": "hidden"}))
    assert (used["calls"], used["input_tokens"], used["output_tokens"]) == (1, 900, 30)
    used = row(usage_df(compressing().rows, where={"kind": ["visible", "hidden"]}, by="reply"))
    assert (used["reply_id"], used["calls"], used["input_tokens"]) == ("r1", 2, 1000)


def test_without_a_watched_model_attempts_are_not_known():
    frame = model_calls_df(compressing(watched=False).rows)
    assert (frame["kind"].tolist(), frame["attempts"].isna().tolist()) == (["visible"], [True])


def test_after_the_end_of_the_reply_nobody_knows_whose_it_is():
    got = row(model_calls_df(compressing().told(11, 12).rows, strict=True), 2)
    assert (got["model_call_id"], got["reply_id"], got["agent"], got["kind"]) == (":hidden:0", None, None, "hidden")


def test_a_call_that_began_before_the_model_call_is_none_of_its_tries():
    log = Made().start(0).model(5).told(1, 6).model_end(9).end(10)
    frame = model_calls_df(log.rows)
    assert frame["kind"].tolist() == ["visible", "hidden"]
    assert frame["attempts"].isna().tolist() == [True, False]


def nested(**value) -> Made:
    """The boss runs two helpers at once, whose model calls go on; then a call of the model "b" ends."""
    log = Made().start(0).call(1, 2)
    log.lane("boss/one", "r1", "c1", "r2").start(2.5, name="one").model(3, "a")
    log.lane("boss/two", "r1", "c2", "r3").start(3, name="two").model(4, "b")
    return log.told(5, 6, **value)


@pytest.mark.parametrize("value", [{"model": "b"}, {"model": "x", "reply_id": "r3", "kind": "visible"}])
def test_of_two_calls_that_go_on_the_model_or_the_reply_tells(value):
    frame = model_calls_df(nested(**value).rows, strict=True)
    assert frame["attempts"].fillna(0).tolist() == [0, 1]


def test_where_nothing_tells_it_is_not_known():
    frame = model_calls_df(nested(model="c").rows)
    assert (frame["kind"].tolist(), frame["attempts"].isna().all()) == (["visible", "visible"], True)
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["unplaced_model_call"]
    told = nested(model="a").told(6, 7, "c")  # one of a is sure, but c is a second try of either
    assert model_calls_df(told.rows)["attempts"].isna().all()


def test_a_tool_that_asks_a_model_says_so():
    hidden = row(model_calls_df(nested(reply_id="r1", kind="hidden").rows, where={"kind": "hidden"}))
    assert (hidden["reply_id"], hidden["agent"]) == ("r1", "boss")


def test_a_call_in_a_sub_agent_without_events_is_the_only_speakers():
    log = Made().start(0).call(1, 2)
    log.lane("boss/one", "r1", "c1", "r2").start(3, name="one")
    assert row(model_calls_df(log.told(4, 5).rows))["reply_id"] == "r2"


def test_status_and_tokens_that_are_not_known():
    log = Made().start(0).told(1, 2, used=None, status="interrupted").told(2, 3, used=(0, 0, 0, 0), status="odd")
    frame = model_calls_df(log.rows, strict=True)
    assert frame["status"].tolist() == ["interrupted", "error"]
    assert frame["usage_known"].tolist() == [False, False]
    assert frame["input_tokens"].isna().all()
    assert frame["model_call_id"].tolist() == ["r1:hidden:0", "r1:hidden:1"]


@pytest.mark.parametrize(
    "value",
    [
        {"started": None, "ended": 3, "model": 7, "tokens": []},
        {"started": {"at": 5, "mono": 1}, "ended": {"mono": float("inf")}, "tokens": {"input_tokens": "many"}},
        {"kind": [], "reply_id": {}, "status": None},
    ],
)
def test_nonsense_is_not_known(value):
    got = row(model_calls_df(Made().start(0).told(1, 2, **value).rows))
    assert (got["kind"], got["duration_s"] is None or "kind" in value) == ("hidden", True)


def test_a_clock_that_goes_back_is_told():
    frame = model_calls_df(Made().start(0).told(4, 1).rows)
    assert row(frame)["duration_s"] is None
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["clock_backwards"]


@pytest.mark.parametrize("value", [None, [], {}, "text"])
def test_an_event_that_tells_nothing_is_left_out(value):
    log = Made().start(0)(1, "CUSTOM", name="nb_agentscope.model_call", value=value)
    frame = model_calls_df(log.rows)
    assert (len(frame), [problem["rule"] for problem in frame.attrs["problems"]]) == (0, ["bad_event"])


def test_saved_compacted_and_as_parquet(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in compressing().rows))
    log = EventLog.load(path)
    small = tmp_path / "small.jsonl"
    log.save(small, compact=True)
    columns = ["kind", "attempts", "duration_s", "started_at", "input_tokens", "model_call_id"]
    want = model_calls_df(path)[columns]
    assert want.equals(model_calls_df(log, columns=columns))
    assert want.equals(model_calls_df(small, columns=columns))
    to_parquet(path, tmp_path / "out")
    assert want.equals(read_parquet(tmp_path / "out", "model_calls", columns=columns))
