"""Deltas that are taken in many at a time give what each by itself gives, whatever is special about one of them."""

import json

import pandas as pd
import pytest

from nb_agentscope.analysis import TABLES, _scan, tables
from tests.analysis.logs import Made

NAMES = [name for name in TABLES if name != "usage"]
FIRST = 3
"""Place of the first delta."""


def log(*, plain):
    made = Made(plain=plain).start(0).model(1, "m").text(2, *[2.01 + n / 8 for n in range(1, 9)], 4)
    return made.model_end(5, (10, 8, 0, 0)).end(6).rows


def tables_of(rows, tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return tables(path, NAMES)


def same(left, right):
    for name in NAMES:
        pd.testing.assert_frame_equal(left[name], right[name])
        assert left[name].attrs["problems"] == right[name].attrs["problems"]


@pytest.mark.parametrize("place", [FIRST, FIRST + 4, FIRST + 7])
@pytest.mark.parametrize(
    "change",
    [
        {"delta": ""},
        {"delta": "é"},
        {"id": f"e{FIRST + 2}"},
        {"id": "e0"},
        {"block_id": "other"},
        {"reply_id": "other"},
        {"metadata": {"k": 1}},
        {"metadata": None},
        {"created_at": "soon"},
        {"created_at": "2026-03-01T09:00:00"},
        {"created_at": "2026-03-01T08:00:00+00:00"},
    ],
    ids=str,
)
@pytest.mark.parametrize("plain", [False, True])
def test_one_that_is_special(tmp_path, plain, change, place):
    rows = log(plain=plain)
    rows[place] |= change
    same(tables_of(rows, tmp_path), tables(rows, NAMES))


@pytest.mark.parametrize("place", [FIRST, FIRST + 4, FIRST + 7])
@pytest.mark.parametrize(
    "change", [{"mono": 1.0}, {"mono": None}, {"mono": 1e300}, {"at": None}, {"seq": None}, {"dir": "in"}], ids=str
)
def test_one_that_is_recorded_in_a_special_way(tmp_path, change, place):
    rows = log(plain=False)
    rows[place]["recorded"] |= change
    same(tables_of(rows, tmp_path), tables(rows, NAMES))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("left_out", range(1, 3))
def test_a_block_or_a_model_call_that_did_not_start(tmp_path, plain, left_out):
    rows = log(plain=plain)
    del rows[left_out]
    same(tables_of(rows, tmp_path), tables(rows, NAMES))


@pytest.mark.parametrize("plain", [False, True])
def test_all_deltas_of_a_usual_block_go_the_short_way(tmp_path, plain, monkeypatch):
    looked_at = []
    event = _scan.Scan._event
    monkeypatch.setattr(_scan.Scan, "_event", lambda scan, row: (looked_at.append(row["type"]), event(scan, row))[1])
    made = tables_of(log(plain=plain), tmp_path)
    assert made["model_calls"]["n_deltas"].tolist() == [8]
    assert "TEXT_BLOCK_DELTA" not in looked_at
