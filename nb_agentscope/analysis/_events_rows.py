"""Rows of the table of events, kept as columns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._coded import Coded, Values
from nb_agentscope.analysis._events_values import CHANGING, VALUES, created_at, recorded_at
from nb_agentscope.analysis._read import Delta
from nb_agentscope.analysis._where import Test

if TYPE_CHECKING:
    from nb_agentscope.analysis._events import Event, EventScan


class Rows:
    """The rows of a batch: what deltas of a block have in common once with a code for each row, what changes as lists."""

    def __init__(self, scan: EventScan, names: Sequence[str], tests: Mapping[str, Test]) -> None:
        self._scan = scan
        self._alike = {name: VALUES[name] for name in names if name not in CHANGING}
        self._changing = {name: VALUES[name] for name in names if name in CHANGING}
        self._tests = [(name, test) for name, test in tests.items() if name not in CHANGING]
        self._tests_changing = [(name, test) for name, test in tests.items() if name in CHANGING]
        self._has_tests = bool(tests)
        self._clear()

    def _clear(self) -> None:
        self.codes: dict[tuple[object, ...], int] = {}
        """Code of what the deltas of a block have in common."""
        self._row_codes = array("q")
        self._values: dict[str, list[Any]] = {name: [] for name in self._alike}
        self._wanted: list[bool] = []
        self._columns: dict[str, list[Any]] = {name: [] for name in self._changing}

    def __len__(self) -> int:
        return len(self._row_codes)

    @property
    def newest(self) -> int:
        """Code of what the event that was added last may have in common with others."""
        return len(self._wanted) - 1

    def add(self, event: Event) -> None:
        """One event."""
        scan = self._scan
        if scan.is_new:
            self.codes.clear()
        made = [value(scan, event) for value in self._alike.values()]
        for values, one in zip(self._values.values(), made, strict=True):
            values.append(one)
        self._wanted.append(all(test(self._values[name][-1]) for name, test in self._tests))
        self._keep(self.newest, {name: [value(scan, event)] for name, value in self._changing.items()}, 1)
        if scan.first_us is None:
            scan.first_us = recorded_at(scan, event) or created_at(scan, event)

    def add_like(self, code: int, deltas: list[Delta]) -> None:
        """Deltas that are like an earlier event."""
        made = {name: CHANGING[name](self._scan, deltas) for name in self._changing}
        self._keep(code, made, len(deltas))

    def _keep(self, code: int, changing: Mapping[str, Sequence[Any]], n: int) -> None:
        if self._has_tests:
            if not self._wanted[code]:
                return
            for name, test in self._tests_changing:
                passed = list(map(test, changing[name]))
                changing = {name: list(compress(values, passed)) for name, values in changing.items()}
                n = sum(passed)
        self._row_codes.extend([code] * n)
        for name, values in changing.items():
            self._columns[name] += values

    def values(self, names: Sequence[str]) -> list[Values]:
        """The values of these columns; what comes later is another batch."""
        used, codes = self._used()
        made: list[Values] = [
            self._columns[name] if name in self._columns else Coded([self._values[name][code] for code in used], codes)
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
