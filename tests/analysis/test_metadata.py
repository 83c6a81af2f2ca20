"""Columns of single keys of the metadata, computed by hand."""

import json

import pytest

from nb_agentscope.analysis import events_df, read_parquet, replies_df, tables, to_parquet
from nb_agentscope.analysis._columns import TABLES
from nb_agentscope.stream import EventLog
from tests.analysis.logs import Made

COLUMNS = ["seq", "metadata_foo", "metadata_a.b c", "metadata_nb_agentscope.note"]


def log() -> Made:
    made = Made().start(0, metadata={"foo": "x", "a.b c": 1}).model(1, metadata={"foo": None})
    made(2, "TEXT_BLOCK_START", block_id="b1", metadata={"foo": [1, 2]})
    for t, metadata in ((3, {"foo": "p"}), (4, {"foo": "p"}), (5, {}), (6, {"foo": "q"}), (7, {"other": 1})):
        made(t, "TEXT_BLOCK_DELTA", block_id="b1", delta="word ", metadata=metadata)
    made(8, "TEXT_BLOCK_END", block_id="b1", text=None, metadata={"foo": {"k": True}})
    return made.model_end(9).end(10, metadata={"nb_agentscope.note": "fine", "foo": 2.5})


FOO = ["x", None, [1, 2], "p", "p", None, "q", None, {"k": True}, None, 2.5]


def written(path):
    path.write_text("".join(json.dumps(line) + "\n" for line in log().rows))
    return path


@pytest.mark.parametrize("kind", ["rows", "file", "log"])
def test_the_value_of_a_key(kind, tmp_path):
    path = written(tmp_path / "log.jsonl")
    given = {"rows": log().rows, "file": path, "log": EventLog.load(path)}[kind]
    frame = events_df(given, columns=COLUMNS)
    assert list(frame) == COLUMNS
    assert frame["metadata_foo"].tolist() == FOO
    assert frame["metadata_a.b c"].tolist() == [1, *[None] * 10]
    assert frame["metadata_nb_agentscope.note"].tolist() == [*[None] * 10, "fine"]
    assert frame["metadata_foo"].isna().sum() == FOO.count(None)
    assert str(frame["metadata_foo"].dtype) == "object"


def test_it_is_there_only_if_it_is_named():
    assert not [name for name in events_df(log().rows) if name.startswith("metadata")]
    assert not [name for name in TABLES["events"].names(opt_in=True) if name.startswith("metadata_")]


@pytest.mark.parametrize("given", [[], "folder"])
def test_an_empty_log_has_it_too(given, tmp_path):
    frame = events_df(tmp_path if given == "folder" else given, columns=COLUMNS)
    assert (list(frame), len(frame), str(frame["metadata_foo"].dtype)) == (COLUMNS, 0, "object")


@pytest.mark.parametrize(
    ("want", "seqs"),
    [
        ("p", [3, 4]),
        (["p", "q"], [3, 4, 6]),
        (lambda value: value is None, [1, 5, 7, 9]),
        ([[1, 2], {"k": True}], [2, 8]),
    ],
)
def test_it_may_be_in_where(want, seqs):
    assert events_df(log().rows, columns=["seq"], where={"metadata_foo": want})["seq"].tolist() == seqs


def test_a_compacted_log_keeps_deltas_that_differ_apart(tmp_path):
    path = written(tmp_path / "log.jsonl")
    EventLog.load(path).save(tmp_path / "small.jsonl", compact=True)
    frame = events_df(tmp_path / "small.jsonl", columns=["seq", "metadata_foo", "delta_chars"])
    assert frame["metadata_foo"].tolist() == ["x", None, [1, 2], "p", None, "q", None, {"k": True}, None, 2.5]
    assert frame["delta_chars"].dropna().tolist() == [10, 5, 5, 5]


def test_parquet_gives_the_same(tmp_path):
    path = written(tmp_path / "log.jsonl")
    to_parquet(path, tmp_path / "out", ["events"], columns={"events": COLUMNS})
    assert read_parquet(tmp_path / "out", "events").equals(events_df(path, columns=COLUMNS))
    only = read_parquet(tmp_path / "out", "events", columns=["metadata_foo"])
    assert only["metadata_foo"].tolist() == FOO
    to_parquet(path, tmp_path / "other", ["events"])
    with pytest.raises(Exception, match="metadata_foo"):
        read_parquet(tmp_path / "other", "events", columns=["metadata_foo"])


def test_dask_gives_the_same(tmp_path):
    pytest.importorskip("dask.dataframe")
    path = written(tmp_path / "log.jsonl")
    frame = events_df(path, columns=COLUMNS, engine="dask")
    assert frame.compute().equals(events_df(path, columns=COLUMNS))
    where = {"metadata_foo": ["p", "q"]}
    assert len(events_df(path, columns=COLUMNS, where=where, engine="dask").compute()) == 3
    assert frame["metadata_foo"].compute().tolist() == FOO


@pytest.mark.parametrize("name", ["metadata_", "meta_foo", "Metadata_foo"])
def test_other_names_are_none(name):
    with pytest.raises(ValueError, match=r"has no column .*metadata_\*") as caught:
        events_df([], columns=[name])
    assert "\n" not in str(caught.value)


def test_other_tables_have_none():
    with pytest.raises(ValueError, match="replies has no column 'metadata_foo'"):
        replies_df([], columns=["metadata_foo"])


def test_with_other_tables_in_one_pass():
    made = tables(log().rows, ["events", "replies"], columns={"events": ["metadata_foo"]})
    assert made["events"]["metadata_foo"].tolist() == FOO
    assert len(made["replies"]) == 1
