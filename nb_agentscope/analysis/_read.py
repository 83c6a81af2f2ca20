"""Lines of a log as plain rows, fast.

Nearly all lines of a log are deltas, written by `EventLog` in one form. Such a line is cut at fixed words, in half the time that
a JSON parser needs; every line that is not exactly of this form goes to the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from pydantic_core import from_json

_CHUNK = 1 << 20
_MIDDLE = '","metadata":{},"type":"'
_DELTA = '"delta":"'
_RECORDED = '","recorded":{"seq":'
_HEAD = '{"id":"'
_CREATED = '","created_at":"'
_TAIL = ['"dir":"out"', '"by":null}}']
FIELDS = {
    "TEXT_BLOCK_DELTA": "block_id",
    "THINKING_BLOCK_DELTA": "block_id",
    "TOOL_CALL_DELTA": "tool_call_id",
    "TOOL_RESULT_TEXT_DELTA": "tool_call_id",
}
"""The deltas of text, and the field that says what they belong to."""
_KNOWN = 4096  # blocks whose names are remembered

Names = tuple[str, str, str]
"""Type, reply and block (or tool call) of a delta; one and the same object for neighbouring deltas, where that is cheap."""


class Delta(NamedTuple):
    """A delta of text without metadata; all other rows are dicts."""

    names: Names
    id: str
    created_at: str
    text: str
    seq: int | None
    at: str | None
    mono: float | None


Row = dict[str, Any] | Delta
OnProblem = Callable[[str, str], None]
"""Called with the rule and the sentence of a problem."""


def read_rows(path: Path, problem: OnProblem) -> Iterator[Row]:
    """Yield the event of each line; a bad line becomes a problem that names file and line.

    Raises:
        OSError: The file cannot be read.
    """
    known: dict[str, Names] = {}
    with path.open("rb") as file:
        number = 0
        for lines in _chunks(file):
            for line in lines:
                number += 1
                row = _delta(line, known) if type(line) is str else None
                if row is None:
                    row = _parsed(line, f"{path}, line {number}", problem)
                if row is not None:
                    yield row


def _chunks(file: IO[bytes]) -> Iterator[list[str] | list[bytes]]:
    """The lines of the file, without their ends; as bytes where they are not all UTF-8."""
    rest = b""
    while chunk := file.read(_CHUNK):
        whole, newline, last = chunk.rpartition(b"\n")
        if not newline:
            rest += chunk
            continue
        yield _lines(rest + whole)
        rest = last
    if rest:
        yield _lines(rest)


def _lines(block: bytes) -> list[str] | list[bytes]:
    try:
        return block.decode().split("\n")
    except UnicodeDecodeError:
        return block.split(b"\n")


def _delta(line: str, known: dict[str, Names]) -> Delta | None:
    """The delta of a line in the form that `EventLog` writes; None if it is of any other form."""
    head, _, rest = line.partition(_MIDDLE)
    middle, _, tail = rest.partition(_DELTA)
    text, _, recorded = tail.partition(_RECORDED)
    parts = recorded.split(",")
    if len(parts) != 5 or parts[3:] != _TAIL or '"' in text or "\\" in line:
        return None
    names = known.get(middle) or _names(middle, known)
    id, _, created = head.partition(_CREATED)
    seq, at, mono = parts[0], parts[1], parts[2]
    if names is None or id[:7] != _HEAD or at[:6] != '"at":"' or mono[:7] != '"mono":' or head.count('"') != 7:
        return None
    try:
        return Delta(names, id[7:], created, text, int(seq), at[6:-1], float(mono[7:]))
    except ValueError:  # `mono` is null, for one
        return None


def _names(middle: str, known: dict[str, Names]) -> Names | None:
    """What the words between `"type":"` and `"delta":"` name, such as `TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b",`."""
    parts = middle.split('"')
    if len(parts) != 10:
        return None
    names = (parts[0], parts[4], parts[8])
    field = FIELDS.get(names[0])
    if middle != f'{names[0]}","reply_id":"{names[1]}","{field}":"{names[2]}",':
        return None
    if len(known) >= _KNOWN:
        known.clear()
    known[middle] = names
    return names


def _parsed(line: str | bytes, place: str, problem: OnProblem) -> dict[str, Any] | None:
    if not line.strip():
        return None
    try:
        row = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        problem("bad_line", f"{place}: no JSON: {error}; the line is left out.")
        return None
    if isinstance(row, dict):
        return row
    problem("bad_line", f"{place}: an event must be one JSON object, got {type(row).__name__}; the line is left out.")
    return None
