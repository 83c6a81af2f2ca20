"""What tables can be made of."""

import json
from types import SimpleNamespace

import pandas as pd
import pytest

from nb_agentscope.analysis import events_df, replies_df
from nb_agentscope.event import parse_event
from nb_agentscope.stream import EventLog
from tests.analysis.logs import Made
from tests.analysis.recorded import RECORDED
from tests.recorded import VECTORS, events


def write(path, log):
    path.write_text("".join(json.dumps(row) + "\n" for row in log.rows), encoding="utf-8")
    return path


def test_a_path_a_pattern_a_folder_a_list(tmp_path):
    later = write(tmp_path / "a.jsonl", Made(reply="late").start(100).end(110))
    (tmp_path / "deep").mkdir()
    early = write(tmp_path / "deep" / "a.jsonl", Made(reply="early").start(0).end(5))
    for given in (tmp_path, str(tmp_path / "**" / "*.jsonl"), [later, str(early)]):
        frame = replies_df(given)
        assert frame["reply_id"].tolist() == ["early", "late"]  # in order of their first events
        assert sorted(frame["run"]) == ["a", "a#2"]
    assert replies_df(str(early))["reply_id"].tolist() == ["early"]


def test_logs_runs_events_and_dicts():
    log = EventLog()
    for event in events("plain_text"):
        log.append(event)
    frames = [replies_df(given) for given in (log, SimpleNamespace(log=log), [log], log.records)]
    assert all(frame.drop(columns="run").equals(frames[0].drop(columns="run")) for frame in frames)
    plain = [
        replies_df(given) for given in (events("plain_text"), iter(events("plain_text")), VECTORS / "plain_text.jsonl")
    ]
    assert all(frame.drop(columns="run").equals(plain[0].drop(columns="run")) for frame in plain)


def test_nothing_of_the_kind(tmp_path):
    with pytest.raises(TypeError, match="Tables are made of an EventLog"):
        replies_df(7)
    with pytest.raises(TypeError, match="either events or logs"):
        replies_df([VECTORS / "plain_text.jsonl", {"type": "X"}])
    with pytest.raises(TypeError, match=r"made of logs, not of tables: give an EventLog.* got a DataFrame"):
        replies_df(replies_df([]))  # it holds the names of its columns, which are no paths
    with pytest.raises(FileNotFoundError, match=r"There is no log at 'no/\*.jsonl' \(looked in .*\); give a file"):
        replies_df("no/*.jsonl")
    for missing in (tmp_path / "no.jsonl", str(tmp_path / "*.jsonl")):
        with pytest.raises(FileNotFoundError, match="no log at"):
            replies_df(missing)


def test_bad_lines_are_left_out_and_told(tmp_path):
    path = write(tmp_path / "a.jsonl", Made().start(0).end(1))
    text = path.read_text(encoding="utf-8").splitlines()
    bad = [
        "",
        "nonsense",
        "[1]",
        '{"type": "WHAT"}',
        '{"type": ["x"], "reply_id": {}}',
        "\u2028",
        '{"type": "REPLY_START"}',
    ]
    path.write_text("\n".join([text[0], *bad, text[1], '{"id": "half']), encoding="utf-8")
    frame = replies_df(path)
    assert frame["finished_reason"].tolist() == ["completed"]
    rules = [problem["rule"] for problem in frame.attrs["problems"]]
    assert sorted(rules) == ["bad_event"] * 3 + ["bad_line"] * 4
    assert any(f"{path}, line 3" in problem["message"] for problem in frame.attrs["problems"])
    with pytest.raises(ValueError, match="line 3"):
        replies_df(path, strict=True)


def test_a_log_that_ends_anywhere_in_its_last_line_gives_tables(tmp_path):
    path = tmp_path / "killed.jsonl"
    whole = next(log for log in RECORDED if log.stem == "approval").read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    expected = replies_df(_written(path, whole[:last]))
    for cut in range(last + 1, len(whole) - 2, 7):
        found = replies_df(_written(path, whole[:cut]))
        [problem] = found.attrs.pop("problems")
        assert problem["rule"] == "bad_line"
        pd.testing.assert_frame_equal(found, expected)


def _written(path, data):
    path.write_bytes(data)
    return path


HOSTILE = [None, 7, True, "x", [], ["x"], {}, {"id": 1}, 1e308, -1]


@pytest.mark.parametrize("value", HOSTILE, ids=repr)
def test_foreign_values_anywhere_never_raise(value):
    """Each field of each event of a log, one at a time, is something else."""
    rows = (
        Made()
        .start(0)
        .model(1)
        .text(1, 2, 3, 4)
        .call(5, 6, 7)
        .model_end(8)
        .ask(9)
        .decide(10, True, rules=[])
        .result(11, 12, 13)
    )
    rows = rows.end(14).rows
    for place, good in enumerate(rows):
        for field in good:
            broken = [dict(row) for row in rows]
            broken[place][field] = value
            replies_df(broken, columns=["wall_s"])
    for field in ("seq", "at", "mono", "dir", "by"):
        broken = [row | {"recorded": row["recorded"] | {field: value}} for row in rows]
        assert len(events_df(broken)) == len(rows)


def test_a_live_log_can_be_asked_while_it_grows(tmp_path):
    log = EventLog(tmp_path / "run.jsonl")
    for event in events("plain_text")[:4]:
        log.append(parse_event(event.model_dump()))
    assert replies_df(log)["finished_reason"].tolist() == ["open"]
    assert replies_df(log)["run"].tolist() == ["run"]
    log.close()
