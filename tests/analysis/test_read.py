"""Lines of a log as rows."""

import json

import pytest
from msgspec import DecodeError
from pandas.testing import assert_frame_equal

from nb_agentscope.analysis import _read, tables
from nb_agentscope.analysis._read import Delta, read_rows

ROW = {
    "id": "e1",
    "created_at": "2026-03-01T09:00:00+00:00",
    "metadata": {},
    "type": "TEXT_BLOCK_DELTA",
    "reply_id": "r",
    "block_id": "b",
    "delta": "hi",
    "recorded": {"seq": 3, "at": "2026-03-01T09:00:00.000+00:00", "mono": 1.5, "dir": "out", "by": None},
}


def read(tmp_path, *lines):
    problems = []
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    return list(read_rows(path, lambda rule, message: problems.append((rule, message)))), problems


@pytest.mark.parametrize("changed", [{}, {"metadata": {"source": "helper"}}, {"delta": ""}, {"tool_call_id": "t"}])
def test_a_recorded_delta_is_a_small_record_that_says_the_same(tmp_path, changed):
    [[delta]], problems = read(tmp_path, json.dumps(ROW | changed).encode())
    assert type(delta) is Delta
    assert delta.row() == ROW | changed
    assert not problems


def test_so_is_a_delta_of_a_plain_stream(tmp_path):
    plain = {key: value for key, value in ROW.items() if key != "recorded"}
    lines = [json.dumps(row).encode() for row in (plain, plain, ROW, plain)]
    found, _ = read(tmp_path, *lines)
    assert [[delta.row() for delta in item] for item in found] == [[plain, plain], [ROW], [plain]]


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "THINKING_BLOCK_DELTA"},
        {"reply_id": "other"},
        {"block_id": "other"},
        {"metadata": {"source": "helper"}},
        {"tool_call_id": "t"},
    ],
)
def test_neighbouring_deltas_of_one_block_come_together(tmp_path, changed):
    same = [json.dumps(ROW | {"id": f"e{number}", "delta": str(number)}).encode() for number in range(3)]
    other = json.dumps(ROW | changed).encode()
    found, _ = read(tmp_path, *same, other, *same, b"{}", same[0])
    assert [[delta.id for delta in item] if isinstance(item, list) else item for item in found] == [
        ["e0", "e1", "e2"], ["e1"], ["e0", "e1", "e2"], {}, ["e0"],
    ]  # fmt: skip


def test_a_log_longer_than_what_is_read_at_a_time_loses_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(_read, "_CHUNK", 100)
    found, problems = read(tmp_path, *[json.dumps(ROW | {"id": str(number)}).encode() for number in range(9)], b"{")
    assert [delta.id for item in found for delta in item] == [str(number) for number in range(9)]
    assert "line 10" in problems[0][1]


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "TEXT_BLOCK_END"},
        {"id": 7},
        {"recorded": None},
        {"recorded": ROW["recorded"] | {"mono": None}},
        {"recorded": ROW["recorded"] | {"mono": 1e300}},
        {"recorded": ROW["recorded"] | {"mono": -1e300}},
        {"recorded": ROW["recorded"] | {"mono": float("inf")}},
        {"recorded": ROW["recorded"] | {"by": "user"}},
        {"recorded": ROW["recorded"] | {"dir": "in"}},
        {"recorded": ROW["recorded"] | {"n": 2}},
    ],
)
def test_whatever_is_special_is_a_dict(tmp_path, changed):
    rows, problems = read(tmp_path, json.dumps(ROW | changed).encode())
    assert rows == [ROW | changed]
    assert not problems


ENDS = (
    {"id": "start", "metadata": {}, "type": "MODEL_CALL_START", "model_name": "m"},
    {"id": "end", "metadata": {}, "type": "MODEL_CALL_END", "input_tokens": 9, "output_tokens": 9},
)
SPECIAL = [
    {"id": "e1"},
    {"id": None},
    {"reply_id": "other"},
    {"block_id": None},
    {"tool_call_id": "t"},
    {"metadata": {"nb_agentscope.source": "a/b"}},
    {"delta": ""},
    {"type": "TOOL_RESULT_TEXT_DELTA", "tool_call_id": "t"},
    {"recorded": None},
    {"recorded": ROW["recorded"] | {"mono": -1e300}},
    {"recorded": ROW["recorded"] | {"mono": 0.5}},
    {"recorded": ROW["recorded"] | {"mono": 9}},
    {"recorded": ROW["recorded"] | {"dir": "in"}},
    {"recorded": ROW["recorded"] | {"seq": -4}},
]


@pytest.mark.parametrize("special", SPECIAL)
def test_tables_are_the_same_if_all_is_dicts(tmp_path, monkeypatch, special):
    def line(number, **changed):
        return ROW | {"id": f"e{number}", "recorded": ROW["recorded"] | {"seq": number, "mono": number / 8}} | changed

    def refuse(_line):
        raise DecodeError

    start, end = ({key: line(0)[key] for key in ("created_at", "reply_id", "recorded")} | one for one in ENDS)
    rows = [start, *map(line, range(1, 9)), ROW | {"id": "e9"} | special, *map(line, range(10, 14)), end]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    names = ["events", "replies", "model_calls", "blocks"]
    at_once = tables(path, names)
    monkeypatch.setattr(_read, "_read_delta", refuse)
    each = tables(path, names)
    for name in names:
        assert_frame_equal(at_once[name], each[name])
        assert at_once[name].attrs["n_events"] == each[name].attrs["n_events"] == len(rows)


def test_bad_lines_are_problems_with_file_and_line(tmp_path):
    good = json.dumps(ROW).encode()
    rows, problems = read(tmp_path, good, b"", b"{", b"[1]", b"null", b'{"id": "\xff"}', good)
    assert [len(row) for row in rows] == [1, 1]
    assert [message.split(", ")[1].split(":")[0] for _, message in problems] == ["line 3", "line 4", "line 5", "line 6"]
    assert "got NoneType" in problems[2][1]


def test_what_two_scans_meet_is_one_problem(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"{\n" + json.dumps(ROW | {"created_at": "soon", "recorded": None}).encode())
    made = tables(path, ["events", "replies"])["replies"].attrs
    assert (made["n_problems"], sorted(problem["rule"] for problem in made["problems"])) == (
        3,
        ["bad_line", "bad_time", "no_reply_start"],
    )
