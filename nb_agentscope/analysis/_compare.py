"""Runs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nb_agentscope.analysis._options import Prices, Zone
from nb_agentscope.analysis._source import distinct, sources
from nb_agentscope.analysis._tables import VISIBLE, tables
from nb_agentscope.analysis._totals import totals

_TABLES = ("replies", "model_calls", "tool_calls", "approvals")
_WHERE = {"model_calls": VISIBLE}
_CHANGES = ("difference", "ratio")


def compare(logs: Any, *, strict: bool = False, tz: Zone = None, prices: Prices = None) -> pd.DataFrame:
    """Runs side by side: one column for each, one row for each number.

    Exactly two runs also get `difference` (second less first) and `ratio` (second by first; NA if the first is 0 or either is not
    known). Of more, `made.sub(made["a"], axis=0)` is what differs from run `a`. Sums leave out what is not known; the rows
    `unknown_…` count it, so that a sum with a count above 0 is a lower bound. Percentiles are over all calls of a run. Times are
    of the outermost replies; those of sub-agents lie within `tool_s`.

    Args:
        logs: What `events_df` takes, each log a run named as in the column `run`; or a mapping of names to logs, where a name
            with several logs stands for all of them together. A name that comes twice is
            numbered (`a`, `a#2`), as is, of two runs, one that is called "difference" or "ratio".
        strict: As in `events_df`.
        tz: As in `events_df`.
        prices: As in `model_calls_df`.

    Raises:
        ValueError: As `events_df`.
        TypeError: A log is nothing that has events.
    """
    of_runs = _named if isinstance(logs, Mapping) else _each
    runs = of_runs(logs, strict=strict, tz=tz, prices=prices)
    taken = _CHANGES if len(runs) == 2 else ()
    columns = [pd.Series(numbers, dtype="Float64") for _, numbers in runs]
    made = (
        pd.concat(columns, axis=1, keys=distinct((name for name, _ in runs), taken))
        if columns
        else pd.DataFrame(index=list(totals(tables([], _TABLES))))
    )
    made.index.name = "metric"
    if len(columns) == 2:
        first, second = columns
        made = made.assign(difference=second - first, ratio=second / first.mask(first == 0))
    return made


def _named(logs: Mapping[Any, Any], **options: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(str(name), totals(tables(log, _TABLES, where=_WHERE, **options))) for name, log in logs.items()]


def _each(logs: Any, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    given = [*logs] if hasattr(logs, "__next__") else logs  # it is read twice
    found = tables(given, _TABLES, where=_WHERE, **options)
    names = [source.name for source in sources(given)]
    return [(run, totals({name: one[one["run"] == run] for name, one in found.items()})) for run in names]
