"""When a question was seen, computed by hand; and that nothing else changes by it."""

import json
from datetime import timedelta

import pytest

from nb_agentscope.analysis import approvals_df, events_df, summary, tables
from nb_agentscope.analysis._columns import TABLES
from nb_agentscope.stream import EventLog
from tests.analysis.logs import START, Made, row
from tests.analysis.test_tool_calls import asked

OTHERS = ["replies", "model_calls", "tool_calls", "blocks", "intervals"]


def at(seconds):
    return START + timedelta(seconds=seconds)


def seen(*times: float, **shown) -> Made:
    """Asked at 3, seen at these times, answered at 7."""
    log = Made().start(0).model(0.5).call(1, 1.2, 1.5, 2).model_end(2.5).ask(3)
    for t in times:
        log.shown(t, **shown)
    return log.decide(7, True).result(8, 8.5, 9, 10).end(11)


def test_the_first_time_counts():
    got = row(approvals_df(seen(4.5, 6).rows))
    assert (got["asked_at"], got["shown_at"], got["decided_at"]) == (at(3), at(4.5), at(7))
    assert (got["wait_s"], got["reaction_s"]) == (pytest.approx(4), pytest.approx(2.5))


def test_never_seen_is_not_known():
    got = row(approvals_df(asked().rows))
    assert (got["shown_at"], got["reaction_s"]) == (None, None)


def test_without_an_answer_there_is_no_reaction():
    got = row(approvals_df(Made().start(0).call(1, 2).ask(3).shown(4).rows))
    assert (got["shown_at"], got["reaction_s"], got["decision"]) == (at(4), None, "pending")


def test_an_answer_by_code_before_anybody_looked():
    log = Made().start(0).call(1, 2).ask(3).decide(4, True, by="code").shown(5)
    frame = approvals_df(log.rows, strict=True)
    assert (row(frame)["shown_at"], row(frame)["reaction_s"]) == (None, None)


def test_the_same_call_asked_twice_is_seen_twice():
    log = Made().start(0).call(1, 2).ask(3).shown(4).decide(5, True).ask(6).shown(8).decide(9, True).end(10)
    frame = approvals_df(log.rows)
    assert frame["shown_at"].tolist() == [at(4), at(8)]
    assert frame["reaction_s"].tolist() == pytest.approx([1, 1])


def test_equal_ids_in_two_replies():
    log = Made().start(0).call(1, 2).ask(3)
    log.lane("boss/helper", "r1", "c1", "r2").start(4).call(5, 6).ask(7)
    log.shown(8, reply="r2").shown(9)
    assert approvals_df(log.rows).set_index("reply_id")["shown_at"].to_dict() == {"r1": at(9), "r2": at(8)}


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"reply_id": "r1"}, {"reply_id": 3, "tool_call_id": []}, {"reply_id": "r9", "tool_call_id": "c1"}],
)
def test_nonsense_is_no_time(value):
    log = Made().start(0).call(1, 2).ask(3)(4, "CUSTOM", name="nb_agentscope.shown", value=value)
    assert approvals_df(log.rows, strict=True)["shown_at"].isna().all()


def test_nothing_else_changes():
    late = Made().start(0).call(1, 2).ask(3).shown(50)  # not even how long an open reply goes on
    without = Made().start(0).call(1, 2).ask(3)
    for log, quiet in ((seen(4.5), asked()), (late, without)):
        made, same = tables(log.rows, OTHERS), tables(quiet.rows, OTHERS)
        for name in OTHERS:
            columns = [column for column in TABLES[name].names() if column != "seq"]
            assert made[name][columns].equals(same[name][columns]), name
        assert summary(log.rows).n_problems == 0


def test_saved_and_compacted(tmp_path):
    path, small = tmp_path / "log.jsonl", tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in seen(4.5).rows))
    EventLog.load(path).save(small, compact=True)
    columns = ["tool_call_id", "asked_at", "shown_at", "reaction_s"]
    want = approvals_df(seen(4.5).rows, columns=columns)
    assert all(want.equals(approvals_df(given, columns=columns)) for given in (path, small, EventLog.load(path)))


def test_the_event_came_from_outside():
    frame = events_df(seen(4.5).rows, where={"type": "CUSTOM"})
    assert frame["direction"].tolist() == ["in"]
    plain = Made(plain=True).start(0).call(1, 2).ask(3).shown(4)
    assert events_df(plain.rows, where={"type": "CUSTOM"})["direction"].tolist() == ["in"]
    assert row(approvals_df(plain.rows))["shown_at"] == at(4)
