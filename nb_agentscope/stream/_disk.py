"""Logs on disk: one JSON object a line, an event with one extra key `recorded`."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import FileIO
from json.encoder import encode_basestring as quote  # the fast half of json.dumps, which keeps non-ASCII text
from pathlib import Path
from typing import Any

from pydantic import BaseModel, FiniteFloat, PositiveInt, ValidationError
from pydantic_core import PydanticSerializationError, from_json, to_json

from nb_agentscope._common import first_problem
from nb_agentscope.event import (
    AgentEvent,
    TextBlockDeltaEvent,
    ThinkingBlockDeltaEvent,
    ToolCallDeltaEvent,
    ToolResultTextDeltaEvent,
    parse_event,
)
from nb_agentscope.stream._media import Media, MediaFolder, MediaReference
from nb_agentscope.stream._media_lines import put_media_back, with_media_beside
from nb_agentscope.stream._record import By, Compacted, Direction, Moment, Record, direction_of

CHUNK = 1000
"""Records that are turned into text at once."""


class _Moment(BaseModel):
    seq: int
    at: str | None = None
    mono: FiniteFloat | None = None
    created_at: str


class _Recorded(BaseModel):
    seq: int | None = None
    at: str | None = None
    mono: FiniteFloat | None = None
    dir: Direction | None = None
    by: By | None = None
    n: PositiveInt | None = None
    times: PositiveInt = 1
    last: _Moment | None = None
    media: Any = None

    def compacted(self, seq: int) -> Compacted | None:
        """What the line stands for, if it is of a compacted log."""
        if self.n is None:
            return None
        last = None if self.last is None else Moment(**self.last.model_dump())
        return Compacted(seq if self.seq is None else self.seq, self.n, self.times, last)


class _Line(BaseModel):
    recorded: _Recorded | None = None


_DELTAS: dict[type[Any], tuple[str, str]] = {
    TextBlockDeltaEvent: ("TEXT_BLOCK_DELTA", "block_id"),
    ThinkingBlockDeltaEvent: ("THINKING_BLOCK_DELTA", "block_id"),
    ToolCallDeltaEvent: ("TOOL_CALL_DELTA", "tool_call_id"),
    ToolResultTextDeltaEvent: ("TOOL_RESULT_TEXT_DELTA", "tool_call_id"),
}
"""Type and id field of the events that come by the thousand; all their fields are text, which an f-string writes fastest."""


def line_of(record: Record) -> str:
    """The record as one line; a record of a plain stream gives a plain line, without `recorded`."""
    seq, at, mono, direction, by, event, compacted, missing = record
    names = _DELTAS.get(type(event))
    body = _event_json(event) if names is None or event.metadata else _delta_json(event, names)
    if compacted is not None or missing:
        return f"{body},{_more_json(record)}}}\n"
    if at is None and mono is None:
        return body + "}\n"
    when = "null" if at is None else quote(at)
    clock = "null" if mono is None else to_json(mono).decode()  # the same digits as repr, in a third of the time
    who = "null" if by is None else quote(by)
    return f'{body},"recorded":{{"seq":{seq},"at":{when},"mono":{clock},"dir":"{direction}","by":{who}}}}}\n'


def _more_json(record: Record) -> str:
    """The key `recorded` of a record that holds more than when and how it came."""
    value: dict[str, Any] = {"seq": record.recorded_seq, "at": record.at, "mono": record.mono}
    value |= {"dir": record.dir, "by": record.by}
    if record.compacted is not None:
        value["n"] = record.compacted.n
        if record.compacted.last is not None:
            value |= {"times": record.compacted.times, "last": record.compacted.last._asdict()}
    if record.missing:
        value["media"] = [reference._asdict() for reference in record.missing]
    return f'"recorded":{json.dumps(value, ensure_ascii=False, separators=(",", ":"))}'


def _event_json(event: AgentEvent) -> str:
    """The event as a JSON object that is not closed yet."""
    try:
        return event.__pydantic_serializer__.to_json(event, fallback=repr)[:-1].decode()
    except PydanticSerializationError:  # raw bytes, or half an emoji, in metadata: no reason to lose the event
        return json.dumps(event.model_dump(), default=repr, ensure_ascii=False, separators=(",", ":"))[:-1]


def _delta_json(event: Any, names: tuple[str, str]) -> str:
    """What `_event_json` says of a text delta without metadata."""
    middle = _delta_middle(names, event.reply_id, getattr(event, names[1]))
    return f'{{"id":{quote(event.id)},"created_at":{quote(event.created_at)}{middle}{quote(event.delta)}'


@lru_cache(maxsize=256)
def _delta_middle(names: tuple[str, str], reply_id: str, id: str) -> str:
    """What all deltas of a block have in common."""
    type, id_field = names
    return f',"metadata":{{}},"type":"{type}","reply_id":{quote(reply_id)},"{id_field}":{quote(id)},"delta":'


def encoded(text: str) -> bytes:
    """`text` as UTF-8; a delta may end in half an emoji, which UTF-8 cannot write: U+FFFD instead."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def record_json(record: Record) -> bytes:
    """The line of the record in a log on disk, as UTF-8."""
    return encoded(line_of(record))


def write_lines(file: FileIO, records: Iterable[Record], folder: MediaFolder | None) -> None:
    """Write all `records` to the operating system, so that they outlive this process; large media into `folder` before that."""
    lines: Iterable[str] = map(line_of, records)
    if folder is not None:
        lines = (with_media_beside(line, folder) for line in lines)
    data = memoryview(encoded("".join(lines)))
    while data:
        data = data[file.write(data) or 0 :]


def save_lines(path: Path, records: Sequence[Record], media: Media = "inline") -> None:
    """Write a whole log; the file appears under its name only when it is complete."""
    folder = folder_of(path, media)
    partial = path.with_name(path.name + ".partial")
    with FileIO(partial, "w") as file:
        for start in range(0, len(records), CHUNK):
            write_lines(file, records[start : start + CHUNK], folder)
    partial.replace(path)


def folder_of(path: Path, media: Media) -> MediaFolder | None:
    """Where the large media of a log go; None if they stay in it."""
    return MediaFolder(path) if media == "files" else None


def read_lines(path: Path, *, remedy: str, strict: bool = True) -> Iterator[tuple[Record, int]]:
    """Yield each record with the number of bytes up to the end of its line.

    Args:
        path: The file.
        remedy: What the error of a bad line tells the user to do.
        strict: Whether a bad line is an error; else it is skipped with a warning.

    Raises:
        ValueError: A line is no event; one sentence names file, line and remedy.
        OSError: The file cannot be read.
    """
    end = 0
    seq = 0
    folder = MediaFolder(path)
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            end += len(line)
            if not line.strip():
                continue
            try:
                record, problems = _parse(line, seq, folder)
            except ValueError as error:
                if _half_written(line):
                    _warn(f"{path}, line {number}: dropped the last line, which was only half written.")
                    return
                sentence = f"{path}, line {number}: {str(error).rstrip('.')}; {remedy}."
                if strict:
                    raise ValueError(sentence) from error
                _warn(sentence)
                continue
            for problem in problems:
                _warn(f"{path}, line {number}: {problem}; the payload is left empty.")
            seq += 1
            yield record, end


def _parse(line: bytes, seq: int, folder: MediaFolder) -> tuple[Record, Sequence[str]]:
    """The record of a line, and what is wrong with its media."""
    event = parse_event(line)
    try:
        recorded = _Line.model_validate_json(line).recorded
    except ValidationError as error:
        raise ValueError(f"Bad value at {first_problem(error)}.") from error
    if recorded is None:
        return Record(seq, None, None, direction_of(event), None, event), ()
    missing: tuple[MediaReference, ...] = ()
    problems: Sequence[str] = ()
    if recorded.media is not None:
        row = from_json(line)
        missing, problems = put_media_back(row, recorded.media, folder)
        event = parse_event(row)
    direction = recorded.dir or direction_of(event)
    compacted = recorded.compacted(seq)
    return Record(seq, recorded.at, recorded.mono, direction, recorded.by, event, compacted, missing), problems


def _half_written(line: bytes) -> bool:
    """Whether this is the last line of a log, cut in the middle; a whole JSON object is never cut, and other text is no log."""
    if line.endswith(b"\n") or not line.startswith(b'{"'[: len(line)]):
        return False
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _warn(sentence: str) -> None:
    warnings.warn(sentence, UserWarning, stacklevel=4)


class LogFile:
    """A file that follows a growing list of records; holds no reference to the log, so that its finalizer can run."""

    def __init__(self, path: Path, records: Sequence[Record], size: int, media: Media = "inline") -> None:
        """Open `path` for appending after its first `size` bytes, which hold what is in `records` now."""
        self.path = path
        self.media: Media = media
        self._folder = folder_of(path, media)
        self._records = records
        self._written = len(records)
        self._file = FileIO(path, "a+")
        try:
            self._file.truncate(size)
            if size and not self._ends_line():
                self._file.write(b"\n")
        except OSError:
            self._file.close()
            raise

    def _ends_line(self) -> bool:
        self._file.seek(-1, os.SEEK_END)
        return self._file.read(1) == b"\n"

    def flush(self) -> None:
        """Write what is not written yet.

        Raises:
            OSError: The system refused; the file then ends after a whole line, and the next flush tries again.
        """
        end = len(self._records)
        if self._file.closed or end == self._written:
            return
        whole = self._file.seek(0, os.SEEK_END)
        try:
            write_lines(self._file, self._records[self._written : end], self._folder)
        except OSError:
            self._file.truncate(whole)
            raise
        self._written = end

    def close(self) -> None:
        """Flush and close; again is harmless."""
        try:
            self.flush()
        finally:
            self._file.close()
