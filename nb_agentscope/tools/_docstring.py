"""What a docstring says for the model: the summary, and the parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import NamedTuple

_SECTION = re.compile(r"(Args|Arguments|Parameters)\s*:\s*$")
_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(\(.*?\))?\s*:\s*(?P<text>.*)$")


class Docstring(NamedTuple):
    """A docstring in Google's style, taken apart."""

    summary: str
    """The first paragraph, in one line."""
    parameters: dict[str, str]
    """The entries of "Args:", each in one line."""


def parsed(text: str | None) -> Docstring:
    """A docstring taken apart; of None, nothing.

    Args:
        text: As it stands in the source.
    """
    lines = inspect.cleandoc(text or "").splitlines()
    start = next((n for n, line in enumerate(lines) if _SECTION.match(line)), len(lines))
    return Docstring(_paragraph(lines[:start]), _entries(_indented(lines[start + 1 :])))


def _paragraph(lines: Iterable[str]) -> str:
    found: list[str] = []
    for line in lines:
        if not line.strip():
            break
        found.append(line.strip())
    return " ".join(found)


def _indented(lines: Iterable[str]) -> list[str]:
    """The lines of a section, up to the first that is not indented."""
    found: list[str] = []
    for line in lines:
        if line.strip() and not line[0].isspace():
            break
        found.append(line)
    return found


def _entries(lines: list[str]) -> dict[str, str]:
    depth = min((_depth(line) for line in lines if line.strip()), default=0)
    entries: dict[str, list[str]] = {}
    name = None
    for line in lines:
        entry = _ENTRY.match(line.strip()) if _depth(line) == depth else None
        if entry is not None:
            name = entry["name"]
            entries[name] = [entry["text"]]
        elif name is not None:
            entries[name].append(line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in entries.items()}


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
