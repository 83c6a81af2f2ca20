"""Which columns and which rows a user wants; asked before a row is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from nb_agentscope.analysis._column import Column, Table

Where = Mapping[str, Any]
"""Column -> a value, a collection of values, or a function of the value that says whether the row is wanted."""
Test = Callable[[Any], bool]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def wanted_columns(table: Table, columns: str | Iterable[str] | None) -> list[Column]:
    """The columns to show: all but those that must be asked for, or those that are named, in this order.

    Raises:
        ValueError: The table has no column of a name, or a name comes twice.
        TypeError: It is no collection.
    """
    if columns is None:
        return [column for column in table.columns if not column.opt_in]
    names = named(columns, "columns")
    if len(set(names)) < len(names):
        raise ValueError(f"columns= names {next(name for name in names if names.count(name) > 1)!r} twice.")
    return [table.column(name) for name in names]


def named(given: Any, what: str) -> list[str]:
    """A list of names; a single name stands for a list of it.

    Raises:
        TypeError: It is no collection.
    """
    if not isinstance(given, Iterable):
        raise TypeError(f"{what}= must be a list of names, got {given!r:.60}.")
    return [given] if isinstance(given, str) else list(given)


def tests(table: Table, where: Where | None) -> dict[str, Test]:
    """What each named column must fulfil; a missing value is None, a time a datetime in UTC.

    Raises:
        ValueError: The table has no column of a name.
        TypeError: It is no mapping.
    """
    if where is not None and not isinstance(where, Mapping):
        raise TypeError(f"where= must be a mapping such as {{'agent': 'assistant'}}, got {where!r:.60}.")
    return {name: _test(table.column(name), want) for name, want in (where or {}).items()}


def _test(column: Column, want: Any) -> Test:
    if callable(want):
        inner: Test = want
    elif isinstance(want, Collection) and not isinstance(want, str | bytes):
        values = list(want)
        inner = values.__contains__
    else:
        inner = _equals(want)
    if column.dtype == "time":
        return lambda us: bool(inner(None if us is None else _EPOCH + timedelta(microseconds=us)))
    return lambda value: bool(inner(value))


def _equals(want: Any) -> Test:
    return lambda value: bool(value == want)
