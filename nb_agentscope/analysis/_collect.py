"""From logs to the values of a table's columns, one log after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Any

from nb_agentscope.analysis._coded import Values, joined
from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._cost import Price
from nb_agentscope.analysis._events import EventScan
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._rows import ROWS
from nb_agentscope.analysis._scan import Scan, scan
from nb_agentscope.analysis._source import Source
from nb_agentscope.analysis._where import Test


class Collected:
    """The values of some columns of some tables.

    Args:
        wanted: For each table its columns, and what its rows must fulfil.
        tz: Zone of times that name none.
        prices: Prices by model.
        strict: Whether the first problem is an error.
    """

    def __init__(
        self,
        wanted: Mapping[str, tuple[Table, list[Column], dict[str, Test]]],
        tz: tzinfo | None,
        prices: Mapping[str, Price],
        *,
        strict: bool,
    ) -> None:
        self.events: dict[str, int] = {}
        """Number of events by run."""
        self.problems: list[AnalysisProblem] = []
        self.zones: list[str] = []
        self._wanted = wanted
        self._tz = tz
        self._prices = prices
        self._strict = strict
        self._parts: list[tuple[int | None, dict[str, list[Values]]]] = []

    def read(self, sources: Iterable[Source]) -> Collected:
        """Take in the logs.

        Raises:
            ValueError: `strict`, and something does not fit; one sentence says what.
            OSError: A file cannot be read.
        """
        others = [name for name in self._wanted if name != "events"]
        for source in sources:
            before = len(self.problems)
            if "events" in self._wanted:
                self._read_events(source)
            if others:
                self._read_others(source, others)
            self.problems[before:] = dict.fromkeys(self.problems[before:])  # both scans tell of a bad line
        self._parts.sort(key=lambda part: (part[0] is None, part[0] or 0))  # runs in order of their first event
        return self

    def values(self, name: str) -> list[Values]:
        """The values of each column of a table, over all logs."""
        parts = [tables[name] for _, tables in self._parts if name in tables]
        return [joined(column) for column in zip(*parts, strict=True)] or [[] for _ in self._wanted[name][1]]

    def _read_events(self, source: Source) -> None:
        _, columns, tests = self._wanted["events"]
        scan = EventScan(source, self._tz)
        [kept] = scan.batches([column.name for column in columns], tests)
        self._add(scan, {"events": kept})

    def _read_others(self, source: Source, names: list[str]) -> None:
        keep_text = any(column.name == "text" for name in names for column in self._wanted[name][1])
        keep_text = keep_text or any("text" in self._wanted[name][2] for name in names)
        found = scan(source, self._tz, keep_text=keep_text)
        self._add(found, {name: self._kept(found, name) for name in names})

    def _kept(self, scan: Scan, name: str) -> list[Values]:
        _, columns, tests = self._wanted[name]
        kept: list[list[Any]] = [[] for _ in columns]
        for row in ROWS[name](scan, self._prices):
            row["run"] = scan.name
            if all(test(row[column]) for column, test in tests.items()):
                for values, column in zip(kept, columns, strict=True):
                    values.append(row[column.name])
        return list(kept)

    def _add(self, scan: Scan | EventScan, tables: dict[str, list[Values]]) -> None:
        if self._strict and scan.problems:
            first = scan.problems[0]
            place = "" if first.seq is None else f", event {first.seq}"
            raise ValueError(f"{scan.name}{place}: {first.message}")
        self.problems += scan.problems
        if scan.clock.tz_assumed not in self.zones:
            self.zones.append(scan.clock.tz_assumed)
        self.events[scan.name] = scan.n_events
        self._parts.append((scan.first_us, tables))
