"""Which ids of events came before.

To keep the ids of a log costs as much as all else that tables need of its deltas, and nearly no log has one twice. So a log is
first read with their hashes alone: if no hash comes twice, no id does. Otherwise it is read again with the ids themselves.
"""

from __future__ import annotations

from array import array
from typing import Protocol

import numpy as np


class Ids(Protocol):
    """What is known of ids so far."""

    def are_new(self, ids: list[str]) -> bool:
        """Whether none of them came before, or comes twice here."""

    def add(self, ids: list[str]) -> None:
        """These have come."""


class Hashes:
    """Takes all ids for new; `may_repeat` says afterwards whether that may have been wrong."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def are_new(self, _ids: list[str]) -> bool:
        """Always, for now."""
        return True

    def add(self, ids: list[str]) -> None:
        """These have come."""
        self._hashes.extend(map(hash, ids))

    def may_repeat(self) -> bool:
        """Whether two of them have one hash."""
        ordered = np.sort(np.frombuffer(self._hashes, dtype=np.int64))
        return bool((ordered[1:] == ordered[:-1]).any())


class Known:
    """Knows each id."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def are_new(self, ids: list[str]) -> bool:
        """Whether none of them came before, or comes twice here."""
        return len(set(ids)) == len(ids) and self._ids.isdisjoint(ids)

    def add(self, ids: list[str]) -> None:
        """These have come."""
        self._ids.update(ids)


class Unique:
    """For logs in which no id comes twice."""

    def are_new(self, _ids: list[str]) -> bool:
        """Always."""
        return True

    def add(self, ids: list[str]) -> None:
        """Nothing to keep."""
