"""Columns as data, and what is made from them."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from nb_agentscope import ScriptedModel, analysis, watch_model
from nb_agentscope.analysis import TABLES
from nb_agentscope.analysis._column import PANDAS_DTYPES
from nb_agentscope.analysis._reference import page

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
RUNS = Path(__file__).parents[2] / "notebooks" / "recordings" / "runs"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_column_is_declared_once_and_explained(table):
    names = table.names(opt_in=True)
    assert len(set(names)) == len(names)
    assert set(table.key) <= set(names)
    assert all(column.doc.endswith(".") and column.dtype in PANDAS_DTYPES for column in table.columns)
    assert all(column.unit for column in table.columns if column.name.endswith("_s"))


def test_the_committed_page_is_the_one_that_the_columns_make():
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m nb_agentscope.analysis._reference docs/tables.md"


@pytest.mark.parametrize("table", [table for name, table in TABLES.items() if name != "usage"], ids=lambda t: t.name)
def test_an_empty_log_has_all_columns(table):
    frame = getattr(analysis, f"{table.name}_df")([])
    assert list(frame) == table.names()
    want = {column.name: PANDAS_DTYPES[column.dtype] for column in table.columns if not column.opt_in}
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == want
    assert (len(frame), frame.attrs["n_events"], frame.attrs["problems"]) == (0, 0, [])


def test_a_full_log_has_the_dtypes_of_an_empty_one():
    from tests.recorded import VECTORS

    for name in TABLES:
        make = getattr(analysis, f"{name}_df")
        full, empty = make(VECTORS / "hitl_partial.jsonl"), make([])
        assert [str(dtype) for dtype in full.dtypes] == [str(dtype) for dtype in empty.dtypes], name


def test_a_table_shows_what_its_columns_mean():
    lines = repr(TABLES["blocks"]).splitlines()
    assert lines[0] == "blocks: One row for each block of a reply's message. Key within a run: reply_id, order."
    assert [line.split()[0] for line in lines[1:]] == TABLES["blocks"].names(opt_in=True)
    [text] = [line for line in lines if line.startswith("  text ")]
    assert text.split(maxsplit=2)[1:] == [
        "string",
        "Its text; of a tool call its arguments. Only if named in `columns=`.",
    ]


def answers() -> list[str]:
    table = PAGE.read_text(encoding="utf-8").split("## Questions and answers")[1].split("## Joins")[0]
    cells = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ")][2:]
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell) if "log" in code or "compare" in code]


@pytest.mark.parametrize("code", answers())
def test_the_answers_of_the_page_are_answers(code, tmp_path, monkeypatch):
    for name in ("before", "after"):
        folder = tmp_path / "runs" / ("old" if name == "before" else "new")
        folder.mkdir(parents=True)
        shutil.copy(RUNS / f"{name}-2.jsonl", folder)
    monkeypatch.chdir(tmp_path)
    names = {name: getattr(analysis, name) for name in analysis.__all__} | {"pd": pd}
    log = tmp_path / "runs"
    prices = {"cedar-large": {"input": 3.0, "output": 15.0, "cache_read": 0.3, "accounting": "inclusive"}}
    reply = analysis.replies_df(log)["reply_id"][0]
    made = eval(
        code,
        {**names, "log": log, "prices": prices, "id": reply, "watch_model": watch_model, "model": ScriptedModel([])},
    )
    assert made is not None


def test_the_join_of_the_page_keeps_the_calls():
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {**{name: getattr(analysis, name) for name in analysis.__all__}, "log": RUNS}
    exec(code, names)
    assert len(names["calls"]) == len(analysis.tool_calls_df(RUNS))
    assert names["calls"]["model"].notna().all()


def test_usage_of_an_empty_log():
    assert list(analysis.usage_df([])) == ["model", *TABLES["usage"].names()]


def test_all_names_are_there():
    assert all(hasattr(analysis, name) for name in analysis.__all__)
