"""The table of events."""

import hashlib

import pytest

from nb_agentscope.analysis import events_df
from tests.analysis.logs import Made, row
from tests.recorded import SCENARIOS, VECTORS, lines


def test_one_row_each():
    log = Made().start(0).call(1, 1.5, 2).ask(3).decide(4, True).result(5, 6, 7).end(8)
    frame = events_df(log.rows)
    assert frame["seq"].tolist() == list(range(10))
    delta = row(frame, 2)
    assert (delta["type"], delta["tool_call_id"], delta["tool_name"], delta["delta_chars"]) == (
        "TOOL_CALL_DELTA",
        "c1",
        "read",
        8,
    )
    assert (delta["session_id"], delta["reply_id"], delta["direction"], delta["mono_s"]) == ("s1", "r1", "out", 501.5)
    assert str(delta["created_at"]) == str(delta["recorded_at"]) == "2026-03-01 09:00:01.500000+00:00"
    asked, answer, ended = row(frame, 4), row(frame, 5), row(frame, 9)
    assert (asked["tool_call_id"], asked["tool_name"], answer["direction"]) == ("c1", "read", "in")
    assert (row(frame, 8)["state"], ended["finished_reason"], ended["duplicate"]) == ("success", "completed", False)


def test_deltas_of_one_block_differ_only_where_they_do():
    log = Made().start(0).text(1, 2, 3, 4, 5)
    log.rows[3]["delta"] = "longer words"
    frame = events_df(log.rows, columns=["seq", "block_id", "delta_chars", "text", "metadata"])
    assert frame["delta_chars"].tolist()[2:5] == [5, 12, 5]
    assert frame["text"].tolist()[2:5] == ["word ", "longer words", "word "]
    assert frame["block_id"].tolist()[2:5] == ["b1"] * 3
    assert frame["metadata"][2] == {}


def test_data():
    log = Made().start(0)(1, "DATA_BLOCK_DELTA", block_id="d", media_type="image/png", data="aGVsbG8=", url=None)
    got = row(events_df(log.rows), 1)
    assert (got["data_bytes"], got["media_type"]) == (5, "image/png")
    assert got["data_sha256"] == hashlib.sha256(b"hello").hexdigest()


def test_lanes():
    log = Made().start(0)(1, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read")
    log.lane("boss/helper", "r1", "c1", "r2").start(2).text(2, 3, 4, 5)
    log(6, "TOOL_RESULT_END", tool_call_id="c1", state="success", metadata={"source": "wikipedia"})
    frame = events_df(log.rows)
    assert frame["source"].isna().tolist() == [True, True, False, False, False, False, False, True]
    assert row(frame, 4)["parent_tool_call_id"] == "c1"


def test_a_duplicate_is_shown():
    rows = Made().start(0).model(1).rows
    assert events_df([*rows, rows[1]])["duplicate"].tolist() == [False, False, True]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_recorded_event_is_there(scenario):
    frame = events_df(VECTORS / f"{scenario}.jsonl")
    assert len(frame) == len(lines(f"{scenario}.jsonl")) == frame.attrs["n_events"]
    assert frame["created_at"].notna().all()
    assert frame[["recorded_at", "mono_s"]].isna().all(axis=None)
