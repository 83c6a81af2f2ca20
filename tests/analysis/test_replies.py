"""Replies: wall time and its parts, tokens of sub-agents, how they end."""

import pytest

from nb_agentscope.analysis import compare, intervals_df, model_calls_df, replies_df, summary, tool_calls_df
from tests.analysis.logs import Made, row
from tests.recorded import VECTORS


def worked() -> Made:
    """A model call, a question, a tool, a second model call.

    model 1..3 and 9..11 = 4; asked 3.5..6 = 2.5; tool 6.5..8.5 = 2; wall 0..12; rest 12 - 8.5 = 3.5.
    """
    log = Made()
    log(-0.25, "CUSTOM", name="nb_agentscope.input", value={"messages": [], "reply_id": None}, dir="in")
    log.start(0).model(1).text(1.2, 1.5, 1.9, 2.0).call(2.1, 2.2, 2.4, 2.6).model_end(3, (100, 20, 0, 0))
    log.ask(3.5).decide(6, True).result(6.5, 7.5, 8.5)
    return log.model(9).text(9.5, 10, 10.8, 10.9, block="b2").model_end(11, (0, 0, 0, 0)).end(12)


def test_the_wall_time_is_split():
    got = row(replies_df(worked().rows))
    assert got["wall_s"] == pytest.approx(12)
    parts = {"model_s": 4, "human_wait_s": 2.5, "tool_s": 2, "external_wait_s": 0, "overlap_s": 0, "overhead_s": 3.5}
    assert {name: got[name] for name in parts} == pytest.approx(parts)
    assert got["ttft_s"] == pytest.approx(1.5)  # first visible text at 1.5, start at 0
    assert got["time_to_first_event_s"] == pytest.approx(0.25)


def test_counts_and_tokens():
    got = row(replies_df(worked().rows))
    assert (got["n_model_calls"], got["n_tool_calls"], got["n_approvals"], got["n_denied"], got["n_errors"]) == (
        2,
        1,
        1,
        0,
        0,
    )
    assert (got["own_input_tokens"], got["own_output_tokens"], got["n_unknown_usage"]) == (
        100,
        20,
        1,
    )  # 0 and 0 is unknown
    assert (got["segments"], got["finished_reason"], got["agent"], got["depth"]) == (2, "completed", "boss", 0)
    assert got["text"] == "word word word word "


def test_kinds_that_overlap_are_counted_once():
    log = Made().start(0).call(0, 0.1, id="c1").call(0.1, 0.2, id="c2")
    log.ask(1, id="c1").result(2, 5, id="c2").decide(4, True, id="c1").result(6, 7, id="c1").end(8)
    got = row(replies_df(log.rows))
    # tool 2..5 and 6..7 = 4; asked 1..4, of which 2..4 go to the tool: 1 left, 2 overlap; 8 - 5 = 3 rest
    assert (got["tool_s"], got["human_wait_s"]) == pytest.approx((4, 1))
    assert (got["overlap_s"], got["overhead_s"]) == pytest.approx((2, 3))


def nested() -> Made:
    log = Made().start(0).model(0).call(0.5, 1).model_end(1, (50, 5, 0, 0))
    log(1, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read")
    sub = log.lane("boss/helper", "r1", "c1", "r2")
    sub.start(2, name="helper").model(2).text(2.1, 2.2, 2.3).model_end(3, (7, 3, 0, 0)).end(4)
    log(5, "TOOL_RESULT_END", tool_call_id="c1", state="success", metadata={"source": "wikipedia"})
    return log.end(6)


def test_a_sub_agent_has_a_parent():
    frame = replies_df(nested().rows)
    boss, helper = row(frame, 0), row(frame, 1)
    assert (boss["depth"], boss["parent_reply_id"]) == (0, None)
    assert (helper["depth"], helper["parent_reply_id"], helper["parent_tool_call_id"]) == (1, "r1", "c1")
    assert (boss["own_input_tokens"], boss["subtree_input_tokens"], helper["subtree_input_tokens"]) == (50, 57, 7)
    assert boss["tool_s"] == pytest.approx(4)  # 1..5, the sub-agent in it
    assert row(tool_calls_df(nested().rows))["kind"] == "subagent"


def test_unknown_tokens_are_missing_not_zero():
    got = row(replies_df(Made().start(0).model(0).model_end(1, (0, 0, 0, 0)).end(2).rows))
    assert (got["own_input_tokens"], got["subtree_output_tokens"], got["n_unknown_usage"]) == (None, None, 1)
    assert row(replies_df(Made().start(0).end(2).rows))["own_input_tokens"] == 0  # no call: that is known


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (Made().start(0).call(0, 1).ask(2), "waiting"),
        (Made().start(0).model(1), "open"),
        (Made().start(0).end(1, "interrupted"), "interrupted"),
        (Made().start(0).call(0, 1).ask(2).decide(3, True), "open"),
    ],
)
def test_how_it_ended(log, reason):
    assert row(replies_df(log.rows))["finished_reason"] == reason


def test_an_open_reply_is_measured_up_to_its_newest_event():
    log = Made().start(0).model(1).text(1.5, 2, 2.5, 3)
    got = row(replies_df(log.rows[:-1]))  # newest event: the delta at 2.5
    assert (got["wall_s"], got["model_s"], got["overhead_s"]) == pytest.approx((2.5, 1.5, 1))
    assert got["ended_at"] is None


def test_an_error_is_told():
    error = {"type": "rate_limit", "message": "Too many requests."}
    log = Made().start(0).model(1).model_end(2, (0, 0, 0, 0), "interrupted").end(3, "error", error=error)
    got = row(replies_df(log.rows))
    assert (got["finished_reason"], got["error_type"], got["error_message"]) == (
        "error",
        "rate_limit",
        "Too many requests.",
    )
    assert row(model_calls_df(log.rows))["status"] == "error"


def test_two_recorded_replies():
    frame = replies_df(VECTORS / "two_replies.jsonl")
    # .105050 to .160638, and .181301 to .349151
    assert frame["wall_s"].tolist() == pytest.approx([0.055588, 0.16785])
    assert frame["own_output_tokens"].tolist() == [1, 5]


def test_a_recorded_clock_that_jumps_back_gives_no_number_where_it_matters():
    # the tool ends at .192285, the reply "ends" at .173547: 18.738 ms earlier, but after its start at .047301
    frame = replies_df(VECTORS / "cancel_during_tool.jsonl")
    assert row(frame)["wall_s"] == pytest.approx(0.126246)
    tools = tool_calls_df(VECTORS / "cancel_during_tool.jsonl")
    assert tools["state"].tolist() == ["interrupted", "interrupted"]


def test_a_wait_whose_end_is_not_told_is_not_known():
    log = Made().start(0).model(0).model_end(2).call(2, 2).ask(2).result(40, 42).end(43)  # the answer is not in the log
    got = row(replies_df(log.rows))
    assert (got["model_s"], got["tool_s"], got["external_wait_s"]) == pytest.approx((2, 2, 0))
    assert (got["human_wait_s"], got["overhead_s"], got["overlap_s"]) == (None, None, None)
    found = summary(log.rows)
    assert found.time["share"].dropna().tolist() == pytest.approx([2 / 43, 2 / 43, 0])
    assert "39 s more" in repr(found)
    assert compare([log.rows]).loc["unknown_split"].item() == 1


def test_an_external_call_without_an_answer_waited_until_its_result():
    log = Made().start(0).call(0, 1).ask(1, type="EXTERNAL").result(1, 9).end(10)
    got = row(replies_df(log.rows))
    assert (got["external_wait_s"], got["overhead_s"]) == pytest.approx((8, 2))
    assert row(tool_calls_df(log.rows))["external_wait_s"] == pytest.approx(8)


@pytest.mark.parametrize(
    ("reason", "model_s", "overhead_s"), [("error", 60, 1), ("interrupted", 60, 1), ("completed", None, None)]
)
def test_a_call_that_raised_lasted_until_its_reply_failed(reason, model_s, overhead_s):
    log = Made().start(0).model(1).end(61, reason)
    got = row(replies_df(log.rows))
    assert (got["model_s"], got["overhead_s"]) == (model_s, overhead_s)
    call = row(model_calls_df(log.rows))
    assert call["status"] == ("interrupted" if reason == "interrupted" else "error")
    assert call["duration_s"] is None


def test_a_tool_that_was_stopped_ran_until_its_reply_ended():
    log = Made().start(0).call(0, 1)(2, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read")
    log.end(12, "interrupted")
    assert row(replies_df(log.rows))["tool_s"] == pytest.approx(10)


def test_a_question_that_the_end_of_the_reply_settles():
    log = Made().start(0).call(0, 1).ask(1).end(31)
    assert row(replies_df(log.rows))["human_wait_s"] == pytest.approx(30)
    assert row(tool_calls_df(log.rows))["human_wait_s"] == pytest.approx(30)


def test_a_clock_that_goes_back_within_a_span_makes_its_time_unknown():
    log = Made(plain=True).start(0).model(10).model_end(5).end(20)
    frame = replies_df(log.rows)
    got = row(frame)
    assert (got["wall_s"], got["model_s"], got["overhead_s"]) == (pytest.approx(20), None, None)
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["clock_backwards"]


def test_time_of_three_kinds_overlaps_once():
    log = Made().start(0).call(0, 0, id="a").call(0, 0, id="b").call(0, 0, id="c")
    log.ask(1, id="a").ask(1, id="b", type="EXTERNAL")(1, "TOOL_RESULT_START", tool_call_id="c", tool_call_name="read")
    log(3, "TOOL_RESULT_END", tool_call_id="c", state="success").decide(4, True, id="a").end(6, "interrupted")
    got = row(replies_df(log.rows))
    assert (got["tool_s"], got["human_wait_s"], got["external_wait_s"]) == pytest.approx((2, 1, 2))
    assert (got["overlap_s"], got["overhead_s"]) == pytest.approx((3, 1))


def test_how_many_tools_ran_at_once():
    log = Made().start(0).call(0, 0, id="a").call(0, 0, id="b")
    for t, id in ((1, "a"), (2, "b")):
        log(t, "TOOL_RESULT_START", tool_call_id=id, tool_call_name="read")
    for t, id in ((4, "a"), (5, "b")):  # a 1..4, b 2..5: six seconds of work in four
        log(t, "TOOL_RESULT_END", tool_call_id=id, state="success")
    log.end(7)
    got = row(replies_df(log.rows))
    assert (got["tool_concurrency_max"], got["tool_concurrency_mean"], got["tool_overlap_factor"]) == (2, 1.5, 1.5)
    spans = intervals_df(log.rows)
    assert (spans["critical"].tolist(), spans["slack_s"].tolist()) == ([False, True], [1, 0])
