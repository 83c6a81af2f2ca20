"""Columns in which few values come again and again."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any


class Coded:
    """A column as its values and, for each row, the place of its value; columns may share the places."""

    def __init__(self, values: list[Any], codes: array[int]) -> None:
        self.values = values
        self.codes = codes


Values = Sequence[Any] | Coded
"""The values of one column."""


def joined(parts: Sequence[Values]) -> Values:
    """The rows of all parts; they are all of the same form."""
    if len(parts) == 1:
        return parts[0]
    values: list[Any] = []
    codes = array("q")
    for part in parts:
        if isinstance(part, Coded):
            first = len(values)
            codes.extend(code + first for code in part.codes)
            values += part.values
        else:
            values += part
    return Coded(values, codes) if any(isinstance(part, Coded) for part in parts) else values
