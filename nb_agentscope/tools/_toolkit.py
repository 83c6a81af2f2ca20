"""The tools of an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nb_agentscope._common import short_repr
from nb_agentscope.tools._tool import Tool


class Toolkit:
    """Tools by name, in the order they were given."""

    def __init__(self, tools: Iterable[Tool | Callable[..., Any]] = ()) -> None:
        """Collect the tools.

        Args:
            tools: Tools and plain functions.

        Raises:
            TypeError: One of them can be no tool.
            ValueError: Two have the same name.
        """
        if not isinstance(tools, Iterable):
            raise TypeError(
                f"tools is a list of tools and functions, got {short_repr(tools)}: put a single one into a list."
            )
        self._tools: dict[str, Tool] = {}
        for made in map(Tool.of, tools):
            if made.name in self._tools:
                raise ValueError(f"Two tools are called {made.name!r}: give one of them another name, tool(name=...).")
            self._tools[made.name] = made

    def get(self, name: str) -> Tool | None:
        """The tool of this name, or None."""
        return self._tools.get(name)

    def specs(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Name, description and parameters of each tool: what a model is told."""
        return [made.spec for made in self]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __repr__(self) -> str:
        return f"Toolkit({', '.join(self._tools)})"
