"""Tables and their columns as data; the frames and the reference page are made from these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

DType = Literal["str", "cat", "int", "float", "bool", "time", "object"]
"""In pandas: string, category, Int64, Float64, boolean, datetime64[us, UTC], object."""

METADATA = "metadata_"
"""How names of columns begin that show one key of the metadata."""

PANDAS_DTYPES: dict[DType, str] = {
    "str": "string",
    "cat": "category",
    "int": "Int64",
    "float": "Float64",
    "bool": "boolean",
    "time": "datetime64[us, UTC]",
    "object": "object",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    dtype: DType
    doc: str
    """Definition, and when the value is NA."""
    unit: str | None = None
    source: str | None = None
    """The events and fields that it is made of."""
    otel: str | None = None
    """Name of the attribute or metric in OpenTelemetry's GenAI conventions."""
    opt_in: bool = False
    """Only there if named in `columns=`."""
    categories: tuple[str, ...] = ()
    """The values that may occur, for a `cat` of a closed set; others that do occur come after them."""
    by_delta: bool = False
    """Whether it says something of single deltas, so that a log with joined deltas gives another value."""

    def told(self) -> str:
        """The definition in full: with the values that may occur, and whether it must be asked for."""
        doc = self.doc
        if self.categories:
            doc += f" Values: {', '.join(f'`{value}`' for value in self.categories)}."
        if self.opt_in:
            doc += " Only if named in `columns=`."
        if self.by_delta:
            doc += " Differs where deltas were joined."
        return doc


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """One table: what a row is, what names it, and its columns in order. Shows itself with a line for each column."""

    name: str
    doc: str
    key: tuple[str, ...]
    """Columns that name a row, within one run."""
    columns: tuple[Column, ...]
    by_key: Column | None = None
    """Columns that are made when they are named: this one, with a key of the event's metadata in place of the `*`."""

    def __repr__(self) -> str:
        width = max((len(column.name) for column in self.columns), default=0)
        lines = [
            f"  {one.name:<{width}}  {one.unit or PANDAS_DTYPES[one.dtype]:<19}  {one.told()}" for one in self.columns
        ]
        key = [f"Key within a run: {', '.join(self.key)}."] if self.key else []
        return "\n".join([" ".join([f"{self.name}: {self.doc}", *key]), *lines])

    def names(self, *, opt_in: bool = False) -> list[str]:
        """Names of the columns; those that must be asked for only with `opt_in`."""
        return [column.name for column in self.columns if opt_in or not column.opt_in]

    def column(self, name: str) -> Column:
        """The column of this name.

        Raises:
            ValueError: There is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        if self.by_key is not None and (key := metadata_key(name)):
            return replace(self.by_key, name=name, source=f"metadata.{key}")
        names = self.names(opt_in=True) + ([] if self.by_key is None else [self.by_key.name])
        near = get_close_matches(str(name), names, 1)
        hint = f"did you mean {near[0]!r}? It" if near else "it"
        raise ValueError(f"{self.name} has no column {name!r:.60}; {hint} has {', '.join(names)}.")


def metadata_key(name: str) -> str:
    """The key of the metadata that a column such as `metadata_foo` shows; empty if it shows none."""
    return name.removeprefix(METADATA) if name.startswith(METADATA) else ""
