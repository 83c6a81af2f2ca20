"""Columns and filters."""

import pytest

from nb_agentscope.analysis import events_df, model_calls_df, replies_df, tables
from tests.analysis.logs import START, Made


def log() -> Made:
    return (
        Made()
        .start(0)
        .model(1, "a")
        .model_end(2)
        .model(3, "b")
        .model_end(4)
        .model(5, "a")
        .model_end(6, (0, 0, 0, 0))
        .end(7)
    )


def test_columns_in_the_order_given():
    assert list(model_calls_df(log().rows, columns=["model", "index"])) == ["model", "index"]
    assert list(events_df(log().rows, columns="text")) == ["text"]


def test_a_single_name_stands_for_a_list_of_it():
    made = tables(log().rows, "model_calls", columns={"model_calls": "model"})
    assert {name: list(frame) for name, frame in made.items()} == {"model_calls": ["model"]}
    with pytest.raises(TypeError, match="names= must be a list of names, got 5"):
        tables(log().rows, 5)


def test_what_is_no_table_of_a_log():
    there = "there are events, replies, model_calls, tool_calls, approvals, blocks, intervals."
    with pytest.raises(ValueError, match=f"There is no table 'x' of a log; {there}$"):
        tables(log().rows, ["x"])
    with pytest.raises(
        ValueError, match=rf"There is no table 'usage' of a log; {there} usage_df\(log\) makes that of usage.$"
    ):
        tables(log().rows, ["usage"])


@pytest.mark.parametrize(
    ("where", "index"),
    [
        ({"model": "a"}, [0, 2]),
        ({"model": ["b", "c"]}, [1]),
        ({"input_tokens": lambda n: n is None}, [2]),
        ({"model": "a", "usage_known": True}, [0]),
        ({"started_at": lambda t: t.minute == 0 and t.second > 2}, [1, 2]),
        ({"started_at": START.replace(second=3)}, [1]),
        ({}, [0, 1, 2]),
    ],
)
def test_filters(where, index):
    frame = model_calls_df(log().rows, where=where, columns=["index"])
    assert frame["index"].tolist() == index


def test_filters_of_events():
    frame = events_df(log().rows, where={"type": "MODEL_CALL_END"}, columns=["seq"])
    assert frame["seq"].tolist() == [2, 4, 6]


@pytest.mark.parametrize("wrong", [{"columns": ["modle"]}, {"where": {"modle": 1}}])
def test_a_wrong_name_is_told(wrong):
    with pytest.raises(ValueError, match="no column 'modle'"):
        model_calls_df([], **wrong)


def test_other_wrong_arguments():
    with pytest.raises(ValueError, match="twice"):
        replies_df([], columns=["agent", "agent"])
    with pytest.raises(ValueError, match="engine can be"):
        replies_df([], engine="polars")
    with pytest.raises(ValueError, match="no time zone 'Mars'"):
        replies_df([], tz="Mars")
    with pytest.raises(ValueError, match="no table 'usage'"):
        tables([], ["usage"])


def test_several_tables_from_one_pass():
    made = tables(log().rows, ["replies", "model_calls", "events"])
    assert [len(frame) for frame in made.values()] == [1, 3, 8]
    assert all(frame.attrs["n_events"] == 8 for frame in made.values())
