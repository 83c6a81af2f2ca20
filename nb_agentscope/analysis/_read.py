"""Lines of a log as rows: nothing is checked but that each is an event.

Nearly all lines are deltas of text. They are read as small records of the fields that tables need, which takes less time than
making dicts of them. All other lines, and deltas with anything else in them, are plain dicts.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, final

from msgspec import DecodeError, Meta, Struct
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


_Type = Literal["TEXT_BLOCK_DELTA", "THINKING_BLOCK_DELTA", "TOOL_CALL_DELTA", "TOOL_RESULT_TEXT_DELTA"]


class Nothing(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An empty object."""


class Recorded(Struct, gc=False, forbid_unknown_fields=True):
    """When a delta was recorded; joined deltas say more, and are thus none of these."""

    seq: Annotated[int, Meta(gt=-(2**53), lt=2**53)]  # what is larger is no place
    at: str | None
    mono: Annotated[float, Meta(lt=1e15)]  # what is larger is no time
    dir: Literal["out", "in"]
    by: None


@final
class Delta(Struct, gc=False):
    """A recorded delta of text that holds something, without metadata."""

    id: str
    created_at: str
    metadata: Nothing
    type: _Type
    reply_id: str
    delta: Annotated[str, Meta(min_length=1)]
    recorded: Recorded
    block_id: str | None = None
    tool_call_id: str | None = None

    def row(self) -> Row:
        """The same as a dict."""
        when, field = self.recorded, FIELDS[self.type]
        return {
            "id": self.id,
            "created_at": self.created_at,
            "metadata": {},
            "type": self.type,
            "reply_id": self.reply_id,
            field: getattr(self, field),
            "delta": self.delta,
            "recorded": {"seq": when.seq, "at": when.at, "mono": when.mono, "dir": when.dir, "by": None},
        }


NOTHING = Nothing()
_GZIP = b"\x1f\x8b"
_NO_DELTA = DecodeError, UnicodeDecodeError, RecursionError
_read: Callable[[bytes], Any] = Decoder().decode
_read_delta = Decoder(Delta).decode


def read_rows(path: Path, problem: OnProblem) -> Iterator[Row | Delta]:
    """Yield the event of each line; a bad line becomes a problem that names file and line.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield _read_delta(line)
            except _NO_DELTA:
                pass
            else:
                continue
            if number == 1 and line.startswith(_GZIP):
                problem("bad_line", f"{path} is compressed by gzip and has no lines to read; unpack it first.")
                return
            row = _row(line if number > 1 else line.removeprefix(BOM_UTF8), f"{path}, line {number}", problem)
            if row is not None:
                yield row


def _row(line: bytes, place: str, problem: OnProblem) -> Row | None:
    """The event of any line."""
    try:
        row = _read(line)
    except _NO_DELTA:
        row = None  # also for numbers that are infinite or none, as Python writes them
    try:
        row = from_json(line) if row is None else row
    except (ValueError, RecursionError) as error:
        if line.strip():
            problem("bad_line", f"{place}: no JSON: {error}; the line is left out.")
        return None
    if type(row) is dict:
        return row
    problem("bad_line", f"{place}: an event must be one JSON object, got {type(row).__name__}; the line is left out.")
    return None
