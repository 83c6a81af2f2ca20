"""Columns as data, and what is made from them."""

from pathlib import Path

import pytest

from nb_agentscope import analysis
from nb_agentscope.analysis import TABLES
from nb_agentscope.analysis._column import PANDAS_DTYPES
from nb_agentscope.analysis._reference import page

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"


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


def test_usage_of_an_empty_log():
    assert list(analysis.usage_df([])) == ["model", *TABLES["usage"].names()]


def test_all_names_are_there():
    assert all(hasattr(analysis, name) for name in analysis.__all__)
