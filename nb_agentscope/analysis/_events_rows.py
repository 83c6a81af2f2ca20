"""Rows of the table of events, kept as columns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._coded import Coded, Values
from nb_agentscope.analysis._events_values import created_at, recorded_at, value_of
from nb_agentscope.analysis._read import Delta
from nb_agentscope.analysis._where import Test

if TYPE_CHECKING:
    from nb_agentscope.analysis._events import Event, EventScan

_CHUNK = 10_000
CHANGING = ("event_id", "seq", "created_at", "recorded_at", "mono_s", "delta_chars", "text", "duplicate")
"""Columns in which the deltas of a block differ."""


class Rows:
    """The rows of a batch: what is alike once with a code for each row, what changes as lists."""

    def __init__(self, scan: EventScan, names: Sequence[str], tests: Mapping[str, Test]) -> None:
        self._scan = scan
        self._alike = {name: value_of(name) for name in names if name not in CHANGING}
        self._changing = {name: value_of(name) for name in names if name in CHANGING}
        self._times = "created_at" in self._changing, "recorded_at" in self._changing
        self._tests = [(name, test) for name, test in tests.items() if name not in CHANGING]
        self._tests_changing = [(CHANGING.index(name), test) for name, test in tests.items() if name in CHANGING]
        self._changing_or_none = [self._changing.get(name) for name in CHANGING]
        self._has_tests = bool(tests)
        self._has_text = "text" in self._changing
        self._clear()

    def _clear(self) -> None:
        self.codes: dict[tuple[object, ...], int] = {}
        """Code of what the deltas of a block have in common."""
        self._row_codes = array("q")
        self._values: dict[str, list[Any]] = {name: [] for name in self._alike}
        self._wanted: list[bool] = []
        self._rows: list[tuple[Any, ...]] = []
        self._columns: list[list[Any]] = [[] for _ in CHANGING]

    def __len__(self) -> int:
        return len(self._row_codes)

    def add(self, event: Event) -> int:
        """One event; returns the code of what it may have in common with others."""
        scan = self._scan
        if scan.is_new:
            self.codes.clear()
        made = [value(scan, event) for value in self._alike.values()]
        for values, one in zip(self._values.values(), made, strict=True):
            values.append(one)
        code = len(self._wanted)
        self._wanted.append(not self._tests or all(test(self._values[name][-1]) for name, test in self._tests))
        self._keep(code, tuple([value and value(scan, event) for value in self._changing_or_none]))
        if scan.first_us is None:
            scan.first_us = recorded_at(scan, event) or created_at(scan, event)
        return code

    def add_like(self, code: int, row: Delta) -> None:
        """A delta that is like an earlier event."""
        scan, when, chunk = self._scan, row.recorded, row.delta
        scan.place(when.seq)
        created_at, recorded_at = self._times
        created = scan.clock.utc(row.created_at) if created_at else None
        recorded = scan.recorded_us(when.at) if recorded_at else None
        duplicate = scan.is_duplicate(row.id)
        self._keep(
            code,
            (row.id, when.seq, created, recorded, when.mono, len(chunk), chunk if self._has_text else None, duplicate),
        )

    def _keep(self, code: int, changing: tuple[Any, ...]) -> None:
        if self._has_tests and not (
            self._wanted[code] and all(test(changing[place]) for place, test in self._tests_changing)
        ):
            return
        self._row_codes.append(code)
        self._rows.append(changing)
        if len(self._rows) == _CHUNK:
            self._turn()

    def _turn(self) -> None:
        """Rows as columns."""
        for column, values in zip(self._columns, zip(*self._rows, strict=True), strict=False):
            column.extend(values)
        self._rows.clear()

    def values(self, names: Sequence[str]) -> list[Values]:
        """The values of these columns; what comes later is another batch."""
        self._turn()
        changing = dict(zip(CHANGING, self._columns, strict=True))
        used, codes = self._used()
        made: list[Values] = [
            changing[name] if name in changing else Coded([self._values[name][code] for code in used], codes)
            for name in names
        ]
        self._clear()
        return made

    def _used(self) -> tuple[Sequence[int], array[int]]:
        """The codes that rows have, and those rows by place among them."""
        if not self._has_tests:
            return range(len(self._wanted)), self._row_codes
        used = sorted(set(self._row_codes))
        places = {code: place for place, code in enumerate(used)}
        return used, array("q", [places[code] for code in self._row_codes])
