import pytest

from nb_agentscope.analysis._pm4py import COLUMNS, pm4py_rows
from tests.analysis.handmade import APPROVALS, LOG, MODEL_CALLS, REPLIES, TOOL_CALLS, at

SHORT = ("concept:name", "start_timestamp", "time:timestamp", "lifecycle:transition", "org:resource", "ref_id")


def short(rows):
    return [tuple(row[name] for name in SHORT) for row in rows]


def test_by_hand():
    rows = pm4py_rows(*LOG)
    assert short(rows) == [
        ("format_disk", at(1.8), at(1.8), "start", "boss", "t3"),  # never ran: a row when it was called
        ("model call", at(0.5), at(2), "complete", "boss", "r1:0"),
        ("approve format_disk", at(2.5), at(2.5), "start", "user", "t3"),  # nobody has decided
        ("approve delete", at(2), at(4), "complete", "user", "t1"),
        ("delete", at(4), at(5), "ate_abort", "boss", "t1"),
        ("model call", at(6.5), at(7), "ate_abort", "helper", "r2:0"),
        ("ask_helper", at(5.5), at(8.5), "complete", "boss", "t2"),
    ]
    assert {row["case:concept:name"] for row in rows} == {"s1"}


def test_the_columns():
    assert all(set(row) == set(COLUMNS) for row in pm4py_rows(*LOG))


def test_a_case_can_be_a_reply():
    rows = pm4py_rows(*LOG, case="reply_id")
    assert [row["case:concept:name"] for row in rows] == ["r1"] * 6 + ["r2"]
    assert all(row["case:concept:name"] == row["reply_id"] for row in rows)


def test_without_a_session_the_reply_is_the_case():
    rows = pm4py_rows([{**REPLIES[0], "session_id": None}], MODEL_CALLS)
    assert [row["case:concept:name"] for row in rows] == ["r1", "r2"]


@pytest.mark.parametrize(
    ("decision", "transition"),
    [
        ("approved", "complete"),
        ("answered", "complete"),
        ("denied", "withdraw"),
        ("expired", "withdraw"),
        ("interrupted", "ate_abort"),
    ],
)
def test_how_a_question_ended(decision, transition):
    (row,) = pm4py_rows([], approvals=[{**APPROVALS[0], "decision": decision}])
    assert row["lifecycle:transition"] == transition


@pytest.mark.parametrize(
    ("kind", "name"), [("confirm", "approve delete"), ("external", "submit delete"), ("ask_user", "answer delete")]
)
def test_what_was_asked(kind, name):
    (row,) = pm4py_rows([], approvals=[{**APPROVALS[0], "kind": kind}])
    assert row["concept:name"] == name


def test_who_decided():
    (row,) = pm4py_rows([], approvals=[{**APPROVALS[0], "decided_by": "policy"}])
    assert row["org:resource"] == "policy"


def test_what_has_no_time_gives_no_row():
    assert pm4py_rows(REPLIES, tool_calls=[{**TOOL_CALLS[2], "called_at": None}]) == []


def test_an_empty_log():
    assert pm4py_rows([]) == []


def test_an_unknown_case():
    with pytest.raises(ValueError, match=r"^A case can be 'session_id' or 'reply_id', got 'agent'\.$"):
        pm4py_rows([], case="agent")
