"""The tables of a log as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

import pandas as pd

from nb_agentscope.analysis._clock import zone
from nb_agentscope.analysis._collect import Collected
from nb_agentscope.analysis._columns import LOG_TABLES, TABLES
from nb_agentscope.analysis._cost import read_prices
from nb_agentscope.analysis._dask import dask_tables
from nb_agentscope.analysis._engine import by_engine, by_engine_with_prices
from nb_agentscope.analysis._frame import frame
from nb_agentscope.analysis._options import Columns, Prices, Zone
from nb_agentscope.analysis._source import sources
from nb_agentscope.analysis._where import Where, tests, wanted_columns

if TYPE_CHECKING:
    import dask.dataframe as dd

VISIBLE: Where = {"kind": "visible"}
"""Which model calls are in sums: those that the replies know of."""
MAX_PROBLEMS = 1000
"""Problems that a frame carries; `n_problems` counts all."""


class _Problems(list[dict[str, Any]]):
    """Those of a frame. Frames made of it share them: pandas copies `attrs` again and again."""

    def __deepcopy__(self, memo: object) -> _Problems:
        return self


@overload
def tables(
    log: Any,
    names: Iterable[str] = ("replies", "model_calls", "tool_calls"),
    *,
    columns: Mapping[str, Iterable[str]] | None = None,
    where: Mapping[str, Where] | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: Literal["pandas"] = "pandas",
) -> dict[str, pd.DataFrame]: ...
@overload
def tables(
    log: Any,
    names: Iterable[str] = ("replies", "model_calls", "tool_calls"),
    *,
    columns: Mapping[str, Iterable[str]] | None = None,
    where: Mapping[str, Where] | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: Literal["dask"],
) -> dict[str, dd.DataFrame]: ...
def tables(
    log: Any,
    names: Iterable[str] = ("replies", "model_calls", "tool_calls"),
    *,
    columns: Mapping[str, Iterable[str]] | None = None,
    where: Mapping[str, Where] | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: str = "pandas",
) -> Any:
    """Several tables from one pass over the logs; `usage` is made by `usage_df`.

    Args:
        log: What `events_df` takes.
        names: The tables.
        columns: By table.
        where: By table.
        strict: As in `events_df`.
        tz: As in `events_df`.
        prices: As in `model_calls_df`.
        engine: As in `events_df`.

    Raises:
        ValueError: There is no table of a name; and as `events_df`.
    """
    wanted = {}
    for name in names:
        if name not in LOG_TABLES:
            raise ValueError(f"There is no table {name!r} of a log; there are {', '.join(LOG_TABLES)}.")
        table = TABLES[name]
        chosen = wanted_columns(table, None if columns is None else columns.get(name))
        wanted[name] = table, chosen, tests(table, None if where is None else where.get(name))
    if engine == "dask":
        options = {"columns": columns, "where": where, "strict": strict, "tz": tz, "prices": prices}
        return dask_tables(tables, log, wanted, options)
    if engine != "pandas":
        raise ValueError(f"The engine can be 'pandas' or 'dask', got {engine!r}.")
    found = Collected(wanted, zone(tz), read_prices(prices), strict=strict).read(sources(log))
    made = {name: frame(table, chosen, found.values(name)) for name, (table, chosen, _) in wanted.items()}
    for one in made.values():
        one.attrs.update(_about(found, tz))
    return made


def _about(found: Collected, tz: Zone) -> dict[str, Any]:
    return {
        "tz_assumed": ", ".join(found.zones) or str(zone(tz) or "UTC"),
        "n_events": sum(found.events.values()),
        "n_problems": len(found.problems),
        "problems": _Problems(problem._asdict() for problem in found.problems[:MAX_PROBLEMS]),
    }


def _one(
    name: str, log: Any, columns: Columns, where: Where | None, strict: bool, tz: Zone, prices: Prices, engine: Any
) -> Any:
    made: dict[str, Any] = tables(
        log,
        [name],
        columns=None if columns is None else {name: columns},
        where=None if where is None else {name: where},
        strict=strict,
        tz=tz,
        prices=prices,
        engine=engine,
    )
    return made[name]


@by_engine
def events_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each event.

    The same holds for all tables: `attrs` has schema_version, tz_assumed, n_events, n_problems, problems (a list of dicts: what
    is missing from the table, and why) and otel (names of columns in OpenTelemetry's conventions). Rows stand in the order of
    the log; logs in the order of their first events.

    A column `metadata_foo` is the value of the key "foo" of each event's metadata, for any key, if it is named in `columns`; it
    may be named in `where` as well. (Deltas that differ in their metadata are not joined when a log is compacted.)

    Args:
        log: An EventLog, a Run, a widget, events, a path, a folder, a pattern such as "runs/*.jsonl", or a list of those;
            ended or not.
        columns: Names of the columns, in order; None: all that need not be asked for.
        where: Column -> value, collection of values, or function of the value (None if missing): which rows are wanted.
        strict: Whether what does not fit is an error, instead of a row in `attrs["problems"]`.
        tz: Zone of times that name none, such as "Europe/Berlin"; None: the one that the log tells, else UTC.
        engine: "pandas"; or "dask" (extra `dask`) for a `dask.dataframe.DataFrame` with the same columns: files only, a partition
            for each, in order of their names, read when it is computed. Such a frame has no `attrs`:
            `problems_df` tells what does not fit; with `strict` it is an error when it is computed.

    Raises:
        ValueError: An argument names what does not exist; or `strict`, and something does not fit: one sentence says what.
        TypeError: `log` is nothing that has events.
        OSError: A file cannot be read.
    """
    return _one("events", log, columns, where, strict, tz, None, engine)


@by_engine
def replies_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each reply, with where its time went and what it used. Arguments: as `events_df`."""
    return _one("replies", log, columns, where, strict, tz, None, engine)


@by_engine_with_prices
def model_calls_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each model call: tokens, latency, rates, cost.

    Calls that have no events are there only if the model was watched (`nb_agentscope.watch_model`): rows of `kind` hidden, which
    sums elsewhere leave out; `where={"kind": "visible"}` leaves them out here.

    Args:
        log: As `events_df`, as are the other arguments.
        columns: Names of the columns.
        where: Which rows.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.
        prices: {model: {"input": …, "output": …, "cache_read": …, "cache_creation": …, "accounting": "inclusive" or
            "exclusive"}} in USD per million tokens; there are no built-in prices.
        engine: As `events_df`.
    """
    return _one("model_calls", log, columns, where, strict, tz, prices, engine)


@by_engine
def tool_calls_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each tool call: arguments, times, waits, result. Arguments: as `events_df`."""
    return _one("tool_calls", log, columns, where, strict, tz, None, engine)


@by_engine
def approvals_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each question to a person or a program outside, with how long it waited. Arguments: as `events_df`."""
    return _one("approvals", log, columns, where, strict, tz, None, engine)


@by_engine
def blocks_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each block of a message. Arguments: as `events_df`."""
    return _one("blocks", log, columns, where, strict, tz, None, engine)


@by_engine
def intervals_df(
    log: Any,
    *,
    columns: Columns = None,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    engine: Literal["pandas", "dask"] = "pandas",
) -> Any:
    """One row for each span of a timeline. Arguments: as `events_df`."""
    return _one("intervals", log, columns, where, strict, tz, None, engine)
