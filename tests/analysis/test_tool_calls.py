"""Tool calls and approvals, computed by hand."""

import pytest

from nb_agentscope.analysis import approvals_df, tool_calls_df
from tests.analysis.logs import Made, row
from tests.recorded import VECTORS

RULE = {"tool_name": "read", "rule_content": None, "behavior": "allow"}


def asked(**decision) -> Made:
    """Args 1..2, asked at 3, answered at 7, runs 8..10 with the first output at 8.5."""
    log = Made().start(0).model(0.5).call(1, 1.2, 1.5, 2).model_end(2.5).ask(3)
    return log.decide(7, True, **decision).result(8, 8.5, 9, 10).end(11)


def test_times():
    got = row(tool_calls_df(asked().rows))
    want = {
        "args_stream_s": 1,
        "queue_s": 2,  # 2..8 less the 4 of 3..7
        "human_wait_s": 4,
        "exec_s": 2,
        "total_s": 9,  # 1..10
        "first_result_s": 0.5,
    }
    assert {name: got[name] for name in want} == pytest.approx(want)
    assert (got["kind"], got["state"], got["external_wait_s"]) == ("local", "success", None)
    assert (got["args_json"], got["args_valid"], got["args_chars"], got["n_deltas"]) == ('{"x": 1}', True, 8, 2)
    assert (got["approval"], got["args_edited"], got["model_call_id"], got["occurrence"]) == ("user", False, "r1:0", 1)


def test_an_external_call_waits_and_does_not_run():
    log = Made().start(0).call(1, 2)
    log(3, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read").ask(3, type="EXTERNAL")
    log(8, "EXTERNAL_EXECUTION_RESULT", dir="in", by="code", execution_results=[{"id": "c1", "state": "success"}])
    log(9, "TOOL_RESULT_END", tool_call_id="c1", state="success")
    got = row(tool_calls_df(log.rows))
    assert (got["kind"], got["exec_s"], got["parallel_with"]) == ("external", None, None)
    assert got["external_wait_s"] == pytest.approx(5)
    wait = row(approvals_df(log.rows))
    assert (wait["kind"], wait["decision"], wait["decided_by"]) == ("external", "answered", "code")
    assert wait["wait_s"] == pytest.approx(5)


def test_calls_in_parallel():
    frame = tool_calls_df(VECTORS / "parallel_tools.jsonl")
    # a .216786-.285659, b .225717-.367885, c .243396-.329211: each beside the two others
    assert frame["parallel_with"].tolist() == [2, 2, 2]
    assert frame["exec_s"].tolist() == pytest.approx([0.068873, 0.142168, 0.085815])
    assert tool_calls_df(asked().rows)["parallel_with"].tolist() == [0]


def test_an_edit():
    got = row(tool_calls_df(asked(input='{"x": 2}').rows))
    assert (got["args_edited"], got["args_json"]) == (True, '{"x": 1}')
    wait = row(approvals_df(asked(input='{"x": 2}').rows))
    assert (wait["edited"], wait["input_before"], wait["input_after"]) == (True, '{"x": 1}', '{"x": 2}')


def test_a_rule_lets_the_next_call_run():
    log = asked(rules=[RULE])
    log.rows.pop()
    log.call(12, 13, id="c2").result(14, 15, id="c2").call(16, 17, id="c3", name="write").result(
        18, 19, id="c3", name="write"
    )
    frame = tool_calls_df(log.rows)
    assert frame["approval"].tolist() == ["user", "rule", "none"]
    assert frame["rule"].astype(object).where(frame["rule"].notna(), None).tolist() == ["read", "read", None]


@pytest.mark.parametrize(
    ("log", "state"),
    [
        (Made().start(0).call(1, 2), "pending"),
        (Made().start(0).call(1, 2).ask(3), "asking"),
        (Made().start(0).call(1, 2).ask(3, type="EXTERNAL"), "submitted"),
        (Made().start(0)(1, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read"), "running"),
        (Made().start(0).call(1, 2).result(3, 4, state="denied"), "denied"),
    ],
)
def test_where_it_stands(log, state):
    assert row(tool_calls_df(log.rows))["state"] == state


@pytest.mark.parametrize(("args", "valid"), [("", True), ("{}", True), ('{"x":', False), ("[1]", False)])
def test_whether_arguments_are_valid(args, valid):
    assert row(tool_calls_df(Made().start(0).call(1, 1.5, 2, args=args).rows))["args_valid"] == valid


def test_an_id_that_is_used_again():
    log = Made().start(0).call(1, 2).result(3, 4).call(5, 6).result(7, 9)
    frame = tool_calls_df(log.rows)
    assert frame["occurrence"].tolist() == [1, 2]
    assert frame["exec_s"].tolist() == pytest.approx([1, 2])


@pytest.mark.parametrize(
    ("log", "decision", "wait"),
    [
        (Made().start(0).call(1, 2).ask(3).decide(5, False), "denied", 2),
        (Made().start(0).call(1, 2).ask(3)(9, "USER_INTERRUPT", dir="in"), "interrupted", 6),
        (Made().start(0).call(1, 2).ask(3).end(4), "expired", None),
        (Made().start(0).call(1, 2).ask(3), "pending", None),
        (Made().start(0).call(1, 2).ask(3).result(8, 9), "approved", None),  # nobody wrote down when
    ],
)
def test_decisions(log, decision, wait):
    got = row(approvals_df(log.rows))
    assert got["decision"] == decision
    assert got["wait_s"] == (None if wait is None else pytest.approx(wait))


def test_later_answers_are_counted():
    got = row(approvals_df(asked().decide(12, False).rows))
    assert (got["decision"], got["n_clicks_ignored"]) == ("approved", 1)


def test_what_was_asked_together():
    frame = approvals_df(VECTORS / "hitl_partial.jsonl")
    assert frame["batch_id"].nunique() == 1
    # b asked .180275, answered .203063; a .176816 and c .188456, both answered .245476
    assert frame["wait_s"].tolist() == pytest.approx([0.06866, 0.022788, 0.05702])
    assert frame["decision"].tolist() == ["denied", "approved", "approved"]


def test_a_recorded_external_call():
    got = row(tool_calls_df(VECTORS / "external_exec.jsonl"))
    assert got["external_wait_s"] == pytest.approx(0.156964 - 0.126201)
    assert (got["kind"], got["exec_s"]) == ("external", None)


def test_a_call_that_still_runs_is_parallel_to_others():
    log = Made().start(0).call(0, 1, id="a").call(0, 1, id="b")
    log(2, "TOOL_RESULT_START", tool_call_id="a", tool_call_name="read").result(3, 4, id="b")
    assert tool_calls_df(log.rows)["parallel_with"].tolist() == [1, 1]
