"""What did not fit in logs, as a table of its own: also for those too many for one memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import pandas as pd

from nb_agentscope.analysis._clock import zone
from nb_agentscope.analysis._collect import Collected
from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns import LOG_TABLES, PROBLEMS, TABLES
from nb_agentscope.analysis._dask import dask_parts
from nb_agentscope.analysis._frame import frame
from nb_agentscope.analysis._options import Zone
from nb_agentscope.analysis._source import sources
from nb_agentscope.analysis._where import Test, wanted_columns

if TYPE_CHECKING:
    import dask.dataframe as dd

Wanted = dict[str, tuple[Table, list[Column], dict[str, Test]]]


@overload
def problems_df(log: Any, *, tz: Zone = None, engine: Literal["pandas"] = "pandas") -> pd.DataFrame: ...
@overload
def problems_df(log: Any, *, tz: Zone = None, engine: Literal["dask"]) -> dd.DataFrame: ...
def problems_df(log: Any, *, tz: Zone = None, engine: str = "pandas") -> Any:
    """One row for each thing that did not fit into any table: all of what `attrs["problems"]` of the tables tells the first of.

    With `engine="dask"`, whose frames carry no `attrs`, this is where it is told.

    Args:
        log: As `events_df`.
        tz: Zone of times that name none.
        engine: As `events_df`.

    Raises:
        ValueError: There is no such engine.
        TypeError: As `events_df`.
        OSError: As `events_df`.
    """
    if engine == "dask":
        return dask_parts(partial(_problems, tz=tz), log)
    if engine != "pandas":
        raise ValueError(f"The engine can be 'pandas' or 'dask', got {engine!r}.")
    return _problems(log, tz=tz)


def _problems(log: Any, _state: object = None, *, tz: Zone) -> pd.DataFrame:
    # Two scans tell them: that of events, and that of all else. Columns that take no work will do.
    wanted: Wanted = {name: (TABLES[name], wanted_columns(TABLES[name], ["run"]), {}) for name in LOG_TABLES}
    found = Collected(wanted, zone(tz), {}, strict=False).read(sources(log))
    rows = list(dict.fromkeys(found.problems))
    return frame(PROBLEMS, PROBLEMS.columns, list(zip(*rows, strict=True)) or [[] for _ in PROBLEMS.columns])
