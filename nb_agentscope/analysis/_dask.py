"""Tables as Dask DataFrames: one partition for each log, read where and when it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pandas as pd

from nb_agentscope.analysis._columns import MODEL_CALLS
from nb_agentscope.analysis._frame import with_categories
from nb_agentscope.analysis._source import files_of, sources

if TYPE_CHECKING:
    from collections.abc import Callable


def dask_tables(
    make: Callable[..., dict[str, pd.DataFrame]], log: Any, names: Iterable[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """A Dask DataFrame for each table.

    Args:
        make: `tables`, which makes them of one log.
        log: Files.
        names: The tables.
        options: Other arguments of `make`.
    """
    wanted = dict(options.get("columns") or {})
    rest = {key: value for key, value in options.items() if key != "columns"}
    files = _files(log)
    return {name: _frame(partial(_part, make, name, wanted.get(name), rest), files) for name in names}


def dask_usage(calls: Callable[[Any], pd.DataFrame], usage: Callable[[pd.DataFrame], pd.DataFrame], log: Any) -> Any:
    """Usage of all logs: each log gives its model calls, a short row each, and one task groups them.

    Args:
        calls: Makes the rows to group of one log.
        usage: Groups them.
        log: Files.
    """
    found = _frame(partial(_calls, calls), _files(log))
    return found.repartition(npartitions=1).map_partitions(
        partial(_usage, usage), meta=_unknown(usage(calls([])).iloc[:0]), enforce_metadata=False
    )


def dask_parts(part: Callable[..., pd.DataFrame], log: Any) -> Any:
    """A Dask DataFrame of what `part` makes of each log.

    Args:
        part: Takes a log, and what changes when its file does.
        log: Files.
    """
    return _frame(part, _files(log))


def _files(log: Any) -> list[Path]:
    """Whole paths, as a worker may stand in another folder."""
    return [path.absolute() for path in files_of(log, "engine='dask'")]


def _frame(part: Callable[..., pd.DataFrame], files: list[Path]) -> Any:
    dd, empty = _dataframe(), part([])
    with _config(**{"dataframe.convert-string": False}):  # dtypes are those of pandas already, and objects no text
        if not files:
            return dd.from_pandas(empty, npartitions=1)
        return dd.from_map(part, sources(files), list(map(_state, files)), meta=_unknown(empty))


def _state(path: Path) -> tuple[int, int]:
    """What changes when the file does: Dask takes results of the same call on the same arguments for the same."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def _part(
    make: Callable[..., dict[str, pd.DataFrame]],
    name: str,
    wanted: list[str] | None,
    options: Mapping[str, Any],
    log: Any,
    _state: object = None,
    columns: list[str] | None = None,
) -> pd.DataFrame:
    """The rows of one log; Dask gives `columns` if no others are needed."""
    chosen = wanted if columns is None else columns
    return make(log, [name], columns=None if chosen is None else {name: chosen}, **options)[name]


def _calls(calls: Callable[[Any], pd.DataFrame], log: Any, _state: object = None) -> pd.DataFrame:
    return calls(log)


def _usage(usage: Callable[[pd.DataFrame], pd.DataFrame], calls: pd.DataFrame) -> pd.DataFrame:
    return usage(with_categories(calls, MODEL_CALLS))


def _unknown(empty: pd.DataFrame) -> pd.DataFrame:
    """The columns and dtypes, of which categories are not known before all logs are read."""
    utils: Any = import_module("dask.dataframe.utils")
    cleared: pd.DataFrame = utils.clear_known_categories(empty)
    return cleared


def _dataframe() -> ModuleType:
    try:
        import dask.dataframe
    except ImportError as error:
        message = "engine='dask' needs Dask; install it with: pip install 'nb-agentscope[dask]'"
        raise ImportError(message) from error
    return dask.dataframe


def _config(**settings: Any) -> Any:
    import dask

    return dask.config.set(settings)
