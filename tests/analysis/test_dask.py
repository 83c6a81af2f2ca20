"""Tables of several logs on a cluster of two processes, beside those that pandas makes."""

import inspect
import os
from types import SimpleNamespace
from typing import get_overloads

import distributed
import pandas as pd
import pytest

import nb_agentscope.analysis as analysis
from nb_agentscope.analysis import TABLES, tables, usage_df
from nb_agentscope.analysis._columns import LOG_TABLES, PROBLEMS
from nb_agentscope.analysis._engine import PricedTableFunction, TableFunction
from nb_agentscope.analysis._frame import with_categories
from nb_agentscope.stream import EventLog
from tests.analysis.recorded import NAMES, copy_logs

PRICES = {"scripted-model": {"input": 3.0, "output": 15.0, "cache_read": 0.3, "accounting": "inclusive"}}


@pytest.fixture(scope="module")
def client():
    """Not the default one: tests without a cluster shall not have one."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", scheduler_kwargs={"dashboard": False}
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def cluster(client):
    with client.as_current():
        yield client


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    copy_logs(folder)
    return folder


@pytest.fixture(scope="module")
def mixed(runs, tmp_path_factory):
    """The same, one log without events among them, and one with lines that are no events."""
    folder = tmp_path_factory.mktemp("mixed")
    first = copy_logs(folder)[0]
    (folder / "empty.jsonl").touch()
    first.write_text("no event\n" + first.read_text() + '{"type": "NEWS"}\n')
    return folder


def table(name):
    return getattr(analysis, f"{name}_df")


def assert_same(lazy, expected, name):
    """Equal but for the order of logs and of categories, which only who has read all logs can know."""
    found = with_categories(lazy.compute(), TABLES[name]) if name in TABLES else lazy.compute()
    order = ["run", "seq"]
    found, expected = (one.sort_values(order, kind="stable").reset_index(drop=True) for one in (found, expected))
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("name", LOG_TABLES)
def test_each_table_equals_that_of_pandas(cluster, runs, name):
    lazy, expected = table(name)(runs, engine="dask"), table(name)(runs)
    assert lazy.npartitions == len(NAMES)
    assert len(expected) > len(NAMES) - 3
    assert list(lazy.columns) == list(expected.columns)
    assert [str(dtype) for dtype in lazy.dtypes] == [str(dtype) for dtype in expected.dtypes]
    assert_same(lazy, expected, name)


@pytest.mark.parametrize("name", LOG_TABLES)
def test_each_table_with_every_argument(cluster, mixed, name):
    columns = [column.name for column in TABLES[name].columns if column.dtype != "object"][::-1]  # opt-in ones, too
    asked = {"columns": columns, "where": {"reply_id": lambda reply: reply is not None}, "tz": "Asia/Tokyo"}
    if name == "model_calls":
        asked["prices"] = PRICES
    expected = table(name)(mixed, **asked)
    assert len(expected) > 5
    assert_same(table(name)(mixed, **asked, engine="dask"), expected, name)


def test_problems_are_not_lost(cluster, mixed):
    lazy, expected = analysis.problems_df(mixed, engine="dask"), analysis.problems_df(mixed)
    assert lazy.npartitions == len(NAMES) + 1
    assert set(expected["rule"]) >= {"bad_line", "bad_event"}
    told = [problem for name in LOG_TABLES for problem in table(name)(mixed).attrs["problems"]]
    rows = {tuple(row) for row in expected.astype(object).where(expected.notna(), None).to_numpy()}
    assert rows == {(one["run"], one["seq"], one["rule"], one["message"]) for one in told}
    assert len(rows) == len(expected)
    found = with_categories(lazy.compute(), PROBLEMS)
    order = ["run", "message"]
    found, expected = (one.sort_values(order, ignore_index=True) for one in (found, expected))
    pd.testing.assert_frame_equal(found, expected)


def test_problems_of_nothing():
    assert analysis.problems_df([]).dtypes.astype(str).to_dict() == {
        "run": "category", "seq": "Int64", "rule": "category", "message": "string"}  # fmt: skip


@pytest.mark.parametrize("name", LOG_TABLES)
def test_what_type_checkers_are_told_is_so(name):
    declared = PricedTableFunction if name == "model_calls" else TableFunction
    real = inspect.signature(table(name)).parameters
    call = SimpleNamespace(__module__=declared.__module__, __qualname__=f"{declared.__name__}.__call__")
    overloads = [inspect.signature(one).parameters for one in get_overloads(call)]
    assert [one["engine"].annotation for one in overloads] == ["Literal['pandas']", "Literal['dask']"]
    for told in overloads:
        assert list(told)[1:] == list(real)
        same = [key for key in real if key != "engine"]
        assert [(told[key].default, told[key].annotation) for key in same] == [
            (real[key].default, real[key].annotation) for key in same
        ]


def test_rows_are_made_by_both_processes(cluster, runs):
    lazy = table("replies")(runs, columns=["run", "seq"], engine="dask")
    pids = lazy.map_partitions(
        lambda part: part.assign(pid=os.getpid()), meta={"run": "category", "seq": "Int64", "pid": int}
    )
    assert set(pids.compute()["pid"]) <= set(cluster.run(os.getpid).values())
    assert os.getpid() not in set(pids.compute()["pid"])


def test_columns_rows_and_prices_are_as_asked_for(cluster, runs):
    asked = {
        "columns": ["run", "seq", "model", "total_cost"],
        "where": {"output_tokens": lambda tokens: tokens is not None and tokens > 5},
        "prices": PRICES,
    }
    expected = table("model_calls")(runs, **asked)
    assert expected["total_cost"].notna().any()
    assert 0 < len(expected) < len(table("model_calls")(runs))
    assert_same(table("model_calls")(runs, **asked, engine="dask"), expected, "model_calls")


@pytest.mark.parametrize("by", [(), ["agent", "model"], "session", ["run", "reply", "5min"]])
def test_usage_equals_that_of_pandas(cluster, runs, by):
    lazy, expected = usage_df(runs, by, prices=PRICES, engine="dask"), usage_df(runs, by, prices=PRICES)
    assert [str(dtype) for dtype in lazy.dtypes] == [str(dtype) for dtype in expected.dtypes]
    pd.testing.assert_frame_equal(lazy.compute(), expected)


def test_nothing_is_read_before_it_is_computed(runs, tmp_path):
    path = copy_logs(tmp_path)[0]
    lazy = table("events")(path, engine="dask")
    path.unlink()
    with pytest.raises(FileNotFoundError, match=path.name):
        lazy.compute(scheduler="sync")


def test_only_columns_that_are_needed_are_made(runs):
    lazy = table("tool_calls")(runs, engine="dask")[["exec_s"]]
    assert list(lazy.optimize().partitions[0].compute(scheduler="sync").columns) == ["exec_s"]
    assert lazy.optimize().expr.operand("columns") == ["exec_s"]


def test_a_log_that_has_grown_is_another_log(tmp_path):
    path = copy_logs(tmp_path)[0]
    before = table("events")(path, engine="dask")
    with path.open("a") as file:
        file.write("\n")
    assert table("events")(path, engine="dask")._name != before._name


def test_several_tables_and_no_logs(tmp_path):
    made = tables(tmp_path, engine="dask")
    for name, expected in tables(tmp_path).items():
        pd.testing.assert_frame_equal(made[name].compute(scheduler="sync"), expected)


def test_strict_tells_when_it_is_computed(tmp_path):
    path = copy_logs(tmp_path)[0]
    path.write_text(path.read_text() + "no event\n")
    lazy = table("replies")(path, strict=True, engine="dask")
    with pytest.raises(ValueError, match=r"no JSON"):
        lazy.compute(scheduler="sync")


@pytest.mark.parametrize("log", [EventLog(), [], [{"type": "CUSTOM"}]], ids=["log", "nothing", "events"])
def test_only_files_can_be_read_elsewhere(log):
    if log == []:
        assert len(table("events")(log, engine="dask")) == 0
        return
    with pytest.raises(TypeError, match=r"engine='dask' reads files: .* log.save\(path\) writes one"):
        table("events")(log, engine="dask")


def test_there_are_two_engines(runs):
    for make in (table("events"), usage_df, analysis.problems_df):
        with pytest.raises(ValueError, match="The engine can be 'pandas' or 'dask', got 'spark'"):
            make(runs, engine="spark")
