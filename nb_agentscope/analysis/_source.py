"""What a user may give: logs, runs, events, files; each becomes a source of plain rows."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from nb_agentscope._common import short_repr
from nb_agentscope.analysis._read import FIELDS, NO_METADATA, Delta, OnProblem, Recorded, Row, bursts, read_rows
from nb_agentscope.event import AgentEvent
from nb_agentscope.stream import EventLog, Record, direction_of, record_json

_EXPECTED = "an EventLog, a Run, a widget, events, a path, a pattern such as 'runs/*.jsonl', or a list of those"


@dataclass(frozen=True, slots=True)
class Source:
    """One log."""

    name: str
    rows: Callable[[OnProblem], Iterator[Row | list[Delta]]]
    """Its events in order, deltas of a block together, read anew at each call; what is wrong with a line goes to the argument."""
    unique: bool = False
    """Whether no event id comes twice."""


def sources(log: Any) -> list[Source]:
    """The logs in what a user gave, each with a name of its own.

    Raises:
        TypeError: That is nothing of the kind.
        FileNotFoundError: A file, or any file for a pattern, is not there.
    """
    found = list(_sources(log))
    names = distinct(source.name for source in found)
    return [Source(name, source.rows, source.unique) for name, source in zip(names, found, strict=True)]


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names, numbered (`a`, `a#2`) where one comes again or is taken already."""
    made: list[str] = []
    used = set(taken)
    for name in names:
        new, number = name, 1
        while new in used:
            number += 1
            new = f"{name}#{number}"
        used.add(new)
        made.append(new)
    return made


def _sources(log: Any) -> Iterator[Source]:
    if isinstance(log, Source):
        yield log
    elif isinstance(log, EventLog):
        name = "log" if log.path is None else log.path.stem
        yield Source(name, partial(_log_rows, log), unique=True)
    elif isinstance(log, str | Path):
        yield from map(source_of, paths_of(log))
    elif isinstance(getattr(log, "log", None), EventLog):
        yield from _sources(log.log)
    elif isinstance(log, Iterable) and not isinstance(log, Mapping | bytes):
        yield from _items(list(log))
    else:
        raise TypeError(f"Tables are made of {_EXPECTED}; got {short_repr(log)}.")


def source_of(path: Path, name: str | None = None) -> Source:
    """The log in a file; its name, if none is given, is that of the file, as far as it is text."""
    return Source(name or os.fsencode(path.stem).decode(errors="replace"), partial(read_rows, path))


def paths_of(given: str | Path) -> list[Path]:
    """The files that a path, a folder or a pattern means, sorted.

    Raises:
        FileNotFoundError: A file, or any file for a pattern, is not there.
    """
    path = Path(given)
    if path.is_dir() and given != "":
        return _below(path)
    if path.exists() and given != "":
        return [path]
    found = sorted(map(Path, glob.glob(str(given), recursive=True)))  # noqa: PTH207 - a pattern may be absolute
    if not found:
        raise FileNotFoundError(
            f"There is no log at {str(given)!r}; give a file, a folder or a pattern that matches files."
        )
    return [file for one in found for file in (_below(one) if one.is_dir() else [one])]


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.jsonl") if path.is_file())


def files_of(given: Any, who: str) -> list[Path]:
    """The files of what can only be files: a path, a folder, a pattern, or a list of those.

    Args:
        given: What the user gave.
        who: Who needs files, for the error.

    Raises:
        TypeError: It is anything else.
        FileNotFoundError: As `paths_of`.
    """
    if isinstance(given, str | Path):
        return paths_of(given)
    if isinstance(given, list | tuple | set) and not any(map(_is_event, given)):
        return [path for one in given for path in files_of(one, who)]
    kind = type(given).__name__
    raise TypeError(
        f"{who} reads files: give a path, a folder, a pattern or a list of those, not {kind}; log.save(path) writes one."
    )


def _items(items: list[Any]) -> Iterator[Source]:
    """A list of events is one log; anything else is a list of logs."""
    if items and all(map(_is_event, items)):
        yield Source("events", partial(_event_rows, items))
        return
    for item in items:
        if _is_event(item):
            raise TypeError(f"A list holds either events or logs, not both; among logs there is {short_repr(item)}.")
        yield from _sources(item)


def _is_event(item: Any) -> bool:
    return isinstance(item, Mapping | Record) or (hasattr(item, "type") and hasattr(item, "model_dump"))


def _log_rows(log: EventLog, problem: OnProblem) -> Iterator[Row | list[Delta]]:
    return bursts(map(_record_row, log.records[:]), problem)  # it may grow meanwhile


def _event_rows(items: list[Any], problem: OnProblem) -> Iterator[Row | list[Delta]]:
    return bursts((_event_row(seq, item) for seq, item in enumerate(items)), problem)


def _event_row(seq: int, item: Any) -> Row | Delta:
    if isinstance(item, Record):
        return _record_row(item)
    if isinstance(item, Mapping):
        return dict(item)
    if isinstance(item, AgentEvent):
        return _record_row(Record(seq, None, None, direction_of(item), None, item))
    row: Row = item.model_dump(mode="json")  # of the real AgentScope
    return row


def _record_row(record: Record) -> Row | Delta:
    """What the line of the record says; for a delta of text made without the line."""
    seq, at, mono, direction, by, event, compacted, missing = record
    foreign: Any = event
    type_: Any = str(event.type)
    field = FIELDS.get(event.type)
    plain = field is not None and not (event.metadata or compacted or missing or by) and foreign.delta.isascii()
    if field is None or mono is None or not plain or direction != "out":
        row: Row = from_json(record_json(record))
        return row
    delta = Delta(
        event.id,
        event.created_at,
        NO_METADATA,
        type_,
        foreign.reply_id,
        foreign.delta,
        Recorded(seq, at, mono, direction, None),
    )
    setattr(delta, field, getattr(event, field))
    return delta
