"""Lines of a log as rows: nothing is checked but that each is an event.

Nearly all lines are deltas of text. They are read as small records of the fields that tables need, which takes less time than
making dicts of them, and handed on many at a time. All other lines, and deltas with anything else in them, are plain dicts.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, cast, final

from msgspec import UNSET, DecodeError, Meta, Raw, Struct, UnsetType
from msgspec.json import Decoder
from pydantic_core import from_json

Row = dict[str, Any]
OnProblem = Callable[[str, str], None]
"""Called with the rule and the sentence of a problem."""

FIELDS = {
    "TEXT_BLOCK_DELTA": "block_id",
    "THINKING_BLOCK_DELTA": "block_id",
    "TOOL_CALL_DELTA": "tool_call_id",
    "TOOL_RESULT_TEXT_DELTA": "tool_call_id",
}
"""The deltas of text, nearly all events of a log, and the field that says what they belong to."""

_CHUNK = 1 << 16
"""Bytes that are read at a time, about: what is made of them has to fit into a cache of the processor."""

_Type = Literal["TEXT_BLOCK_DELTA", "THINKING_BLOCK_DELTA", "TOOL_CALL_DELTA", "TOOL_RESULT_TEXT_DELTA"]


class Recorded(Struct, gc=False, forbid_unknown_fields=True):
    """When a delta was recorded; joined deltas say more, and are thus none of these."""

    seq: Annotated[int, Meta(gt=-(2**53), lt=2**53)]  # what is larger is no place
    at: str | None
    mono: Annotated[float, Meta(gt=-1e15, lt=1e15)]  # what is larger is no time
    dir: Literal["out"]
    by: None


@final
class Delta(Struct, gc=False):
    """A delta of text, recorded or of a plain stream."""

    id: str
    created_at: str
    metadata: Raw  # a dict would count as one object more for the garbage collector
    type: _Type
    reply_id: str
    delta: str
    recorded: Recorded | UnsetType = UNSET
    block_id: str | None = None
    tool_call_id: str | None = None

    def row(self) -> Row:
        """The same as a dict."""
        when = self.recorded
        row: Row = {
            "id": self.id,
            "created_at": self.created_at,
            "metadata": _read(self.metadata),
            "type": self.type,
            "reply_id": self.reply_id,
            "delta": self.delta,
        }
        if self.block_id is not None:
            row["block_id"] = self.block_id
        if self.tool_call_id is not None:
            row["tool_call_id"] = self.tool_call_id
        if when is not UNSET:
            row["recorded"] = {"seq": when.seq, "at": when.at, "mono": when.mono, "dir": when.dir, "by": None}
        return row


class BadLine(NamedTuple):
    """A line that is no event: what to tell of it."""

    rule: str
    message: str


_GZIP = b"\x1f\x8b"
_NOT_READ = DecodeError, UnicodeDecodeError, RecursionError
NO_METADATA = Raw(b"{}")
_read: Callable[[bytes | Raw], Any] = Decoder().decode
_read_delta = Decoder(Delta).decode
_ALIKE = attrgetter("block_id", "tool_call_id", "type", "reply_id", "metadata", "recorded.__class__")


def read_rows(path: Path, problem: OnProblem) -> Iterator[Row | list[Delta]]:
    """Yield the events of a file; a bad line becomes a problem that names file and line.

    Raises:
        OSError: The file cannot be read.
    """
    number = 0
    with path.open("rb") as file:
        if file.peek(len(_GZIP)).startswith(_GZIP):
            problem("bad_line", f"{path} is compressed by gzip and has no lines to read; unpack it first.")
            return
        while lines := file.readlines(_CHUNK):
            yield from bursts(_items(lines, path, number), problem)
            number += len(lines)


def bursts(items: Iterable[Row | Delta | BadLine], problem: OnProblem) -> Iterator[Row | list[Delta]]:
    """The events, with neighbouring deltas of one block as one list; all of a list are recorded, or none is."""
    for type_, group in groupby(items, type):
        if type_ is Delta:
            for _, burst in groupby(cast("Iterator[Delta]", group), _ALIKE):
                yield list(burst)
        elif type_ is BadLine:
            for bad in cast("Iterator[BadLine]", group):
                problem(*bad)
        else:
            yield from cast("Iterator[Row]", group)


def _items(lines: list[bytes], path: Path, before: int) -> list[Row | Delta | BadLine]:
    """The events of some lines, of which so many come before."""
    items: list[Row | Delta | BadLine] = []
    for number, line in enumerate(lines, before + 1):
        try:
            items.append(_read_delta(line))
        except _NOT_READ:
            item = _item(line.removeprefix(BOM_UTF8))
            if item is not None:
                items.append(item if type(item) is dict else BadLine("bad_line", f"{path}, line {number}: {item}"))
    return items


def _item(line: bytes) -> Row | str | None:
    """The event of any line, or what is wrong with it; None if the line is empty."""
    try:
        row = _read(line)
    except _NOT_READ:
        try:
            row = from_json(line)  # numbers that are infinite or none, as Python writes them
        except (ValueError, RecursionError) as error:
            return f"no JSON: {error}; the line is left out." if line.strip() else None
    if type(row) is dict:
        return row
    return f"an event must be one JSON object, got {type(row).__name__}; the line is left out."
