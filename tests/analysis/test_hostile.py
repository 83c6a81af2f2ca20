"""Logs that are wrong in all ways: what can be read is kept, what cannot is NA and a problem, and nothing raises."""

import base64
import copy
import gzip
import hashlib
import json

import pandas as pd
import pytest

from nb_agentscope.analysis import TABLES, events_df, model_calls_df, replies_df, summary, tables, usage_df
from nb_agentscope.analysis._columns import LOG_TABLES as NAMES
from tests.analysis.logs import Made, row

ALL = {name: TABLES[name].names(opt_in=True) for name in NAMES}
BIG = 2**70


def log():
    made = Made().start(0).model(0).text(0.5, 1, 1.25, 1.5).call(1.5, 1.6, 1.7).model_end(2, used=(100, 10, 3, 2))
    return made.ask(2).decide(3, True).result(4, 4.1, 5).end(7).rows


PLACE = {event["type"]: place for place, event in reversed(list(enumerate(log())))}


def check(logs, folder):
    """All tables of these logs, from dicts and from files, can be made and shown."""
    for number, rows in enumerate(logs):
        text = "".join(json.dumps(event) + "\n" for event in rows)
        (folder / f"{number:03}.jsonl").write_text(text, encoding="utf-8")
    for given in (logs, folder):
        made = tables(given, NAMES, columns=ALL)
        for frame in made.values():
            repr(frame)
        repr(usage_df(given, ["model", "5min"]))
        summary(given)._repr_html_()
    return made


STRANGE = [None, True, -1, 1.5, BIG, 10**400, 1e400, float("nan"), "7", "\ud800", [1], {"a": 1}]
PLACES = [
    ("MODEL_CALL_END", "input_tokens"),
    ("MODEL_CALL_END", "recorded"),
    ("MODEL_CALL_END", "finished_reason"),
    ("MODEL_CALL_START", "model_name"),
    ("TEXT_BLOCK_DELTA", "id"),
    ("TEXT_BLOCK_DELTA", "delta"),
    ("TEXT_BLOCK_DELTA", "block_id"),
    ("TEXT_BLOCK_DELTA", "created_at"),
    ("TEXT_BLOCK_DELTA", "type"),
    ("REPLY_START", "metadata"),
    ("REPLY_START", "name"),
    ("REPLY_START", "reply_id"),
    ("REPLY_END", "error"),
    ("REQUIRE_USER_CONFIRM", "tool_calls"),
    ("USER_CONFIRM_RESULT", "confirm_results"),
    ("TOOL_RESULT_END", "state"),
]


def changed(type, *path):
    """A log for each strange value, which stands at this place of the first event of the type."""
    for value in STRANGE:
        rows = log()
        place = rows[PLACE[type]]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        yield rows


def test_strange_values(tmp_path):
    logs = [rows for type, field in PLACES for rows in changed(type, field)]
    assert check(logs, tmp_path)["replies"]["run"].nunique() == len(logs)


def test_strange_records(tmp_path):
    fields = ["seq", "at", "mono", "dir", "by", "n", "last", "media"]
    types = ["TEXT_BLOCK_DELTA", "MODEL_CALL_END"]
    logs = [rows for type in types for field in fields for rows in changed(type, "recorded", field)]
    replies = check(logs, tmp_path)["replies"]
    assert replies["wall_s"].tolist() == pytest.approx([7] * len(logs))
    known = replies["model_s"].dropna().tolist()
    assert known == pytest.approx([2] * len(known), abs=0.01)


@pytest.mark.parametrize("count", [2**63 - 1, 2**62, BIG, 10**400])
def test_counts_that_no_column_holds(count):
    rows = log()
    rows[PLACE["MODEL_CALL_END"]] |= {"input_tokens": count, "output_tokens": count}
    frame = model_calls_df(rows)
    assert frame["input_tokens"].isna().all()
    assert [problem["rule"] for problem in frame.attrs["problems"]] == ["bad_number"]


def test_sizes_that_no_column_holds():
    rows = log()
    media = [{"at": ["data"], "size": 10**30, "sha256": "x"}]
    made = {key: rows[PLACE["TOOL_RESULT_TEXT_DELTA"]][key] for key in ("created_at", "reply_id", "metadata")}
    made |= {"id": "d", "type": "TOOL_RESULT_DATA_DELTA", "tool_call_id": "c1", "block_id": "x", "data": "AAAA"}
    made |= {"media_type": "image/png", "recorded": {"seq": 99, "media": media}}
    rows.insert(PLACE["TOOL_RESULT_TEXT_DELTA"], made)
    assert tables(rows, ["tool_calls"])["tool_calls"]["result_bytes"].tolist() == [3]


def lines():
    return [json.dumps(event).encode() + b"\n" for event in log()]


@pytest.mark.parametrize(
    ("change", "n_problems"),
    [
        (lambda them: b"\xef\xbb\xbf" + b"".join(them), 0),
        (lambda them: b"".join(them).replace(b"\n", b"\r\n"), 0),
        (lambda them: b"".join(them) + them[1][:-9], 1),
        (lambda them: b"\0\0\n".join([them[0], b"".join(them[1:])]), 1),
        (lambda them: them[0] + b"[" * 200_000 + b"\n" + b"".join(them[1:]), 1),
        (lambda them: them[0] + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n" + b"".join(them[1:]), 1),
        (lambda them: them[0] + b'{"seq": ' + b"9" * 9999 + b"}\n" + b"".join(them[1:]), 1),
    ],
)
def test_strange_lines(tmp_path, change, n_problems):
    path = tmp_path / "log.jsonl"
    path.write_bytes(change(lines()))
    frame = events_df(path)
    assert len(frame) == len(log())
    rules = [problem["rule"] for problem in frame.attrs["problems"]]
    assert len(rules) == n_problems
    assert set(rules) <= {"bad_line", "bad_event"}  # how deep JSON may go depends on the version of Python
    assert row(replies_df(path))["wall_s"] == pytest.approx(7)


def test_a_compressed_file_is_told_in_one_sentence(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(gzip.compress(b"".join(lines())))
    [problem] = events_df(path).attrs["problems"]
    assert "gzip" in problem["message"]


def test_only_files_of_a_folder_are_logs(tmp_path):
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nothing")
    (tmp_path / "notes.txt").write_text("none")
    assert len(events_df(tmp_path)) == 0
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines()))
    assert len(events_df(tmp_path)) == len(log())


def test_an_empty_path_is_no_folder():
    with pytest.raises(FileNotFoundError, match="no log at ''"):
        events_df("")


def test_frames_share_their_problems():
    rows = [{"type": "NONE"} for _ in range(2000)]
    frame = replies_df(rows)
    assert frame.attrs["n_problems"] == 2000
    assert len(frame.attrs["problems"]) == 1000
    assert frame.head().attrs["problems"] is frame.attrs["problems"]


@pytest.mark.parametrize(
    ("function", "options", "error", "words"),
    [
        (replies_df, {"columns": ["wal_s"]}, ValueError, "did you mean 'wall_s'"),
        (replies_df, {"where": {"agnt": 1}}, ValueError, "did you mean 'agent'"),
        (tables, {"names": ["usage"]}, ValueError, "no table 'usage' of a log; there are events, replies, model_calls"),
        (replies_df, {"columns": 5}, TypeError, "columns="),
        (replies_df, {"where": 5}, TypeError, "where="),
        (replies_df, {"tz": 5}, TypeError, "tz="),
        (model_calls_df, {"prices": [1]}, TypeError, "prices="),
        (model_calls_df, {"prices": {"m": {"input": 10**400}}}, ValueError, "price"),
        (usage_df, {"by": ["5min", "1h"]}, ValueError, "one time bucket"),
        (usage_df, {"by": ["model", "model"]}, ValueError, "once"),
        (usage_df, {"by": "99999999999D"}, ValueError, "grouped by"),
        (usage_df, {"by": 5}, ValueError, "grouped by"),
    ],
)
def test_bad_arguments(function, options, error, words):
    with pytest.raises(error, match=words):
        function(log(), **options)


def dirty(value):
    """All texts that may be foreign, as somebody would write them who wants a script to run."""
    if isinstance(value, dict):
        kept = {"type", "id", "created_at", "recorded", "state", "finished_reason", "role", "block_id"}
        return {key: inner if key in kept or key.endswith("_id") else dirty(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [dirty(inner) for inner in value]
    return f"\"'><script>{value}</script><img src=x onerror=alert(1)>" if isinstance(value, str) else value


def test_html_of_a_summary_holds_no_foreign_markup():
    rows = [dirty(event) for event in copy.deepcopy(log())]
    rows[PLACE["REPLY_END"]] |= {"finished_reason": "error", "error": {"type": "<b>", "message": "<script>x</script>"}}
    html = summary(rows)._repr_html_()
    assert "<script>" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;" in html


def test_an_empty_log_has_all_columns():
    full = tables(log(), NAMES, columns=ALL)
    for name, frame in tables([], NAMES, columns=ALL).items():
        assert frame.dtypes.map(str).to_dict() == full[name].dtypes.map(str).to_dict()
        assert frame.attrs.keys() == full[name].attrs.keys()
        for column in ALL[name]:
            one = tables([], [name], columns={name: [column]})[name]
            assert one.dtypes.map(str).to_dict() == {column: str(frame[column].dtype)}
    assert usage_df([]).dtypes.map(str).to_dict() == usage_df(log()).dtypes.map(str).to_dict()
    assert pd.isna(usage_df([], [])["input_tokens"][0])


def test_base64_in_lines_is_measured_without_the_breaks():
    made = Made().start(0).call(0, 1)(1, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read")
    data = base64.encodebytes(bytes(1024)).decode()
    made(2, "TOOL_RESULT_DATA_DELTA", tool_call_id="c1", block_id="b", media_type="image/png", data=data, url=None)
    made(3, "TOOL_RESULT_END", tool_call_id="c1", state="success")
    assert tables(made.rows, ["tool_calls"])["tool_calls"]["result_bytes"].tolist() == [1024]
    event = row(events_df(made.rows, where={"type": "TOOL_RESULT_DATA_DELTA"}))
    assert (event["data_bytes"], event["data_sha256"]) == (1024, hashlib.sha256(bytes(1024)).hexdigest())
