"""Names for ids that a provider uses more than once in a reply."""

from __future__ import annotations

from collections.abc import Callable

from nb_agentscope.stream._parts import Kind


class Occurrences:
    """The first use of an id keeps it, the second is `id#2`, and so on; a call and its result share their name.

    Args:
        finished: Whether the block of this kind and name has ended.
        taken: Whether there is a block of this kind and name.
    """

    def __init__(self, finished: Callable[[Kind, str], bool], taken: Callable[[Kind, str], bool]) -> None:
        self._finished = finished
        self._taken = taken
        self.names: dict[tuple[str, str], list[str]] = {}
        """The names of each id that was used more than once."""

    def current(self, kind: Kind, id: str) -> str:
        """The name that an event with this id is about: the newest; for results, the oldest call without one."""
        names = self.names.get((_group(kind), id))
        if names is None:
            return id
        if kind == "result":
            return next((name for name in names if not self._finished("result", name)), names[-1])
        return names[-1]

    def add(self, kind: Kind, id: str) -> str:
        """A new name for one more use of `id`."""
        names = self.names.setdefault((_group(kind), id), [id])
        number = len(names) + 1
        while self._taken(kind, f"{id}#{number}"):
            number += 1
        names.append(f"{id}#{number}")
        return names[-1]


def _group(kind: Kind) -> str:
    return "call" if kind == "result" else kind
