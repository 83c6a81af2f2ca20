"""Lines of a log as rows."""

import json

import pytest

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


def test_a_recorded_delta_is_a_small_record_that_says_the_same(tmp_path):
    [delta], problems = read(tmp_path, json.dumps(ROW).encode())
    assert type(delta) is Delta
    assert delta.row() == ROW
    assert not problems


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "TEXT_BLOCK_END"},
        {"metadata": {"source": "helper"}},
        {"delta": ""},
        {"id": 7},
        {"recorded": None},
        {"recorded": ROW["recorded"] | {"mono": None}},
        {"recorded": ROW["recorded"] | {"mono": 1e300}},
        {"recorded": ROW["recorded"] | {"mono": float("inf")}},
        {"recorded": ROW["recorded"] | {"by": "user"}},
        {"recorded": ROW["recorded"] | {"n": 2}},
    ],
)
def test_whatever_is_special_is_a_dict(tmp_path, changed):
    rows, problems = read(tmp_path, json.dumps(ROW | changed).encode())
    assert rows == [ROW | changed]
    assert not problems


def test_bad_lines_are_problems_with_file_and_line(tmp_path):
    good = json.dumps(ROW).encode()
    rows, problems = read(tmp_path, good, b"", b"{", b"[1]", b"null", b'{"id": "\xff"}', good)
    assert len(rows) == 2
    assert [message.split(", ")[1].split(":")[0] for _, message in problems] == ["line 3", "line 4", "line 5", "line 6"]
    assert "got NoneType" in problems[2][1]
