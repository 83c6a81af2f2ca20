"""Rows as a DataFrame with exactly the columns and dtypes of its table, however few rows there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nb_agentscope.analysis._coded import Coded, Values
from nb_agentscope.analysis._column import Column, DType, Table

SCHEMA_VERSION = 1
_NAT = np.iinfo(np.int64).min


def frame(table: Table, columns: Sequence[Column], data: Sequence[Values]) -> pd.DataFrame:
    """The frame of one table.

    Args:
        table: The table.
        columns: The columns to show.
        data: The values of each column, None where one is missing; times in microseconds since 1970, UTC.
    """
    arrays = {column.name: _array(column, values) for column, values in zip(columns, data, strict=True)}
    made = pd.DataFrame(arrays, columns=[column.name for column in columns])
    made.attrs["table"] = table.name
    made.attrs["schema_version"] = SCHEMA_VERSION
    made.attrs["otel"] = {column.name: column.otel for column in columns if column.otel}
    return made


def _array(column: Column, values: Values) -> Any:
    make = _ARRAYS[column.dtype]
    made = (
        make(values.values, column).take(np.asarray(values.codes))
        if isinstance(values, Coded)
        else make(values, column)
    )
    # As an array, objects that are all texts would become a column of text.
    return pd.Series(made, dtype=object) if column.dtype == "object" else made


def _str(values: Sequence[Any], _column: Column) -> Any:
    try:
        return pd.array(values, dtype="string")
    except UnicodeEncodeError:  # half of a surrogate pair: no text that a column can hold
        return pd.array([_whole(value) for value in values], dtype="string")


def _cat(values: Sequence[Any], column: Column) -> Any:
    try:
        return pd.Categorical(values, categories=categories(values, column))
    except UnicodeEncodeError:
        whole = [_whole(value) for value in values]
        return pd.Categorical(whole, categories=categories(whole, column))


def _whole(value: Any) -> Any:
    """Text with `?` for what is half a surrogate pair."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def categories(values: Iterable[Any], column: Column) -> pd.Index:
    """The categories of a column: those it declares, then others that occur, sorted."""
    others = sorted(set(values) - {None, *column.categories})
    return pd.Index([*column.categories, *others], dtype=str)


def with_categories(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """A frame put together from others, with the categories that it has if it is made at once."""
    declared = {column.name: column for column in table.columns if column.dtype == "cat"}
    known = {name: column for name, column in declared.items() if name in frame.columns}
    sets = {name: categories(frame[name].dropna().unique(), column) for name, column in known.items()}
    return frame.assign(**{name: frame[name].cat.set_categories(found) for name, found in sets.items()})


def _int(values: Sequence[Any], _column: Column) -> Any:
    return pd.arrays.IntegerArray(*_filled(values, 0, np.int64))


def _float(values: Sequence[Any], _column: Column) -> Any:
    return pd.arrays.FloatingArray(*_filled(values, 0.0, np.float64))


def _bool(values: Sequence[Any], _column: Column) -> Any:
    return pd.arrays.BooleanArray(*_filled(values, False, np.bool_))


def _filled(values: Sequence[Any], fill: Any, dtype: type[np.generic]) -> tuple[Any, Any]:
    """The values, with something in place of what is missing; and what is missing."""
    if dtype is not np.float64 and None not in values:
        return np.array(values, dtype=dtype), np.zeros(len(values), dtype=bool)
    objects = _object(values, None)
    mask = pd.isna(objects)
    objects[mask] = fill
    return objects.astype(dtype), mask


def _time(values: Sequence[Any], _column: Column) -> Any:
    numbers, _ = _filled(values, _NAT, np.int64)
    return pd.DatetimeIndex(numbers.view("datetime64[us]")).tz_localize("UTC")


def _object(values: Sequence[Any], _column: Column | None) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


_ARRAYS: dict[DType, Callable[[Sequence[Any], Column], Any]] = {
    "str": _str,
    "cat": _cat,
    "int": _int,
    "float": _float,
    "bool": _bool,
    "time": _time,
    "object": _object,
}
