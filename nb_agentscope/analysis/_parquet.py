"""Tables of many logs on disk, for any engine that reads Parquet: one folder for each table, in it one file for each log."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any

import pandas as pd

from nb_agentscope.analysis._clock import zone
from nb_agentscope.analysis._collect import Collected
from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns import LOG_TABLES, TABLES
from nb_agentscope.analysis._cost import Price, read_prices
from nb_agentscope.analysis._events import EventScan
from nb_agentscope.analysis._frame import SCHEMA_VERSION, frame, with_categories
from nb_agentscope.analysis._options import Prices, Zone
from nb_agentscope.analysis._parquet_part import About, check_columns, part_names, read_about, write_part
from nb_agentscope.analysis._parquet_turn import turn
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._source import Source, files_of, source_of
from nb_agentscope.analysis._tables import MAX_PROBLEMS
from nb_agentscope.analysis._where import Test, wanted_columns

_BATCH = 50_000
"""Events that are in memory at once, and in one row group."""

Wanted = Mapping[str, tuple[Table, list[Column]]]


def to_parquet(
    paths: Any,
    dir: str | Path,
    names: Iterable[str] = LOG_TABLES,
    *,
    columns: Mapping[str, Iterable[str]] | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
) -> dict[str, Path]:
    """Write the tables of logs as one Parquet dataset each: `dir/TABLE/LOG.parquet`. Needs the extra `parquet`.

    Logs are read one at a time, and of their events some at a time, so that memory holds one log's calls, questions and blocks,
    never its events. A log that was written before is replaced; files of other logs stay. A log is known again by its path, and
    keeps its name in the column `run`; a new log whose name another has gets a number. The same logs give the same files.
    What did not fit stands in the metadata of each file, under `nb_agentscope`, as JSON. Columns of objects become JSON text.

    Files take their places when all logs are written, so a call that fails or is killed before has changed nothing. After that
    one file after the other is replaced, each at once: who reads just then may see old and new logs together, and if the process
    is killed just then, the next call does the rest. Calls for the same folder wait for each other (by a lock on the file `.lock`
    in it, which a network drive may not know). Nothing is promised of what is left after a power failure.

    Args:
        paths: A path, a folder, a pattern such as "runs/*.jsonl", or a list of those.
        dir: The folder of the datasets; made if it is not there.
        names: The tables; all but usage, which `usage_df` makes.
        columns: By table: names of its columns; all but those that must be asked for.
        strict: Whether what does not fit is an error; no log is written then.
        tz: As in `events_df`.
        prices: As in `model_calls_df`.

    Returns:
        The folder of each table.

    Raises:
        ValueError: There is no table or column of a name; the folder has parts with other columns; or `strict`.
        OSError: A file cannot be read or written.
        ImportError: pyarrow is missing.
    """
    wanted = {name: _wanted(name, columns) for name in names}
    folders = {name: Path(dir, name) for name in wanted}
    files = files_of(paths, "to_parquet")
    with turn(Path(dir)) as new:
        for name, folder in folders.items():
            (new / name).mkdir()
            check_columns(folder, [column.name for column in wanted[name][1]])
        for path, run, part in part_names(files, folders.values()):
            reader = _Reader(source_of(path, run), wanted, zone(tz), read_prices(prices), strict=strict)
            for name, (table, chosen) in wanted.items():
                write_part(new / name / part, frame(table, chosen, [[]] * len(chosen)), *reader.read(name))
    return folders


def read_parquet(dir: str | Path, name: str, *, columns: Iterable[str] | None = None) -> pd.DataFrame:
    """One table of what `to_parquet` wrote, with the dtypes, categories and objects that its table function gives.

    Logs stand in the order of their files' names. `attrs` is as that of the table functions.

    Args:
        dir: The folder that was written to.
        name: The table.
        columns: Names of the columns, in order; None: all that were written.

    Raises:
        ValueError: There is no table or column of the name.
        FileNotFoundError: Nothing was written for it.
    """
    table, folder = _wanted(name, None)[0], Path(dir, name)
    if not folder.is_dir():
        raise FileNotFoundError(f"There is no table {name!r} in {str(dir)!r}; to_parquet writes it.")
    read = with_categories(pd.read_parquet(folder, columns=None if columns is None else list(columns)), table)
    for column in map(table.column, read.columns):
        if column.dtype == "object":
            texts = [None if pd.isna(text) else json.loads(text) for text in read[column.name]]
            read[column.name] = pd.Series(texts, index=read.index, dtype=object)
    read.attrs.update(_attrs(table, read_about(folder)))
    return read


class _Reader:
    """One log, each of its tables as frames that follow one another."""

    def __init__(
        self, source: Source, wanted: Wanted, tz: tzinfo | None, prices: Mapping[str, Price], *, strict: bool
    ) -> None:
        self._source = source
        self._wanted = wanted
        self._tz = tz
        self._strict = strict
        others: dict[str, tuple[Table, list[Column], dict[str, Test]]] = {
            name: (*tables, {}) for name, tables in wanted.items() if name != "events"
        }
        self._others = Collected(others, tz, prices, strict=strict).read([source] if others else [])

    def read(self, name: str) -> tuple[Iterator[pd.DataFrame], Callable[[], About]]:
        """The frames of a table, and what to say about them when they are all read."""
        if name == "events":
            scan = EventScan(self._source, self._tz)
            return self._events(scan), lambda: self._about(scan.clock.tz_assumed, scan.n_events, scan.problems)
        found = self._others
        made = frame(*self._wanted[name], found.values(name))
        return iter([made]), lambda: self._about(found.zones[0], sum(found.events.values()), found.problems)

    def _events(self, scan: EventScan) -> Iterator[pd.DataFrame]:
        table, columns = self._wanted["events"]
        for batch in scan.batches([column.name for column in columns], size=_BATCH):
            yield frame(table, columns, batch)
        if self._strict and scan.problems:
            raise ValueError(f"{scan.name}: {scan.problems[0].message}")

    def _about(self, tz_assumed: str, n_events: int, problems: list[AnalysisProblem]) -> About:
        return {
            "schema_version": SCHEMA_VERSION,
            "run": self._source.name,
            "tz_assumed": tz_assumed,
            "n_events": n_events,
            "n_problems": len(problems),
            "problems": [problem._asdict() for problem in problems[:MAX_PROBLEMS]],
        }


def _wanted(name: str, columns: Mapping[str, Iterable[str]] | None) -> tuple[Table, list[Column]]:
    if name not in LOG_TABLES:
        raise ValueError(f"There is no table {name!r} of a log; there are {', '.join(LOG_TABLES)}.")
    return TABLES[name], wanted_columns(TABLES[name], None if columns is None else columns.get(name))


def _attrs(table: Table, parts: list[About]) -> dict[str, Any]:
    return {
        "table": table.name,
        "schema_version": SCHEMA_VERSION,
        "otel": {column.name: column.otel for column in table.columns if column.otel},
        "tz_assumed": ", ".join(sorted({part["tz_assumed"] for part in parts})),
        "n_events": sum(part["n_events"] for part in parts),
        "n_problems": sum(part["n_problems"] for part in parts),
        "problems": [problem for part in parts for problem in part["problems"]][:MAX_PROBLEMS],
    }
