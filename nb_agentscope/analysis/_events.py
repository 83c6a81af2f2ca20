"""Rows of the table of events: one pass, each event looked at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from nb_agentscope.analysis._clock import Clock, is_time
from nb_agentscope.analysis._coded import Values
from nb_agentscope.analysis._events_rows import Rows
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._read import Delta, Row
from nb_agentscope.analysis._source import Source
from nb_agentscope.analysis._values import is_int, mapping, text
from nb_agentscope.analysis._where import Test
from nb_agentscope.event import EventType
from nb_agentscope.stream import HEADER_NAME, IN_NAMES, PARENT_CALL_KEY, SOURCE_KEY

_IN = frozenset({"USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "USER_INTERRUPT"})
_KNOWN = frozenset(map(str, EventType))


class Event:
    """One event, as its columns see it."""

    __slots__ = (
        "at",
        "created",
        "direction",
        "duplicate",
        "id",
        "lane",
        "mono",
        "reply_id",
        "row",
        "seq",
        "session",
        "text",
        "type",
    )  # fmt: skip

    row: dict[str, Any]
    type: str
    id: str | None
    seq: int
    created: Any
    at: Any
    mono: float | None
    reply_id: str | None
    session: str | None
    lane: tuple[str | None, str | None]
    direction: str
    text: str | None
    duplicate: bool


class EventScan:
    """The events of one log.

    Args:
        source: The log.
        tz: Zone of times that name none.
    """

    def __init__(self, source: Source, tz: tzinfo | None) -> None:
        self.name = source.name
        self.problems: list[AnalysisProblem] = []
        self.n_events = 0
        self.first_us: int | None = None
        self._source = source
        self.clock = Clock(tz, self.problem)
        self._ids: set[str] | None = None if source.unique else set()
        self._sessions: dict[str, str | None] = {}
        self._lanes: dict[str, tuple[str | None, str | None]] = {}
        self.tools: dict[tuple[str, str], str | None] = {}
        self.is_new = False
        """Whether what is alike changes with this event."""
        self._event = Event()
        self._seq: int | None = None

    def problem(self, rule: str, message: str) -> None:
        """Note what does not fit, at the event that is being read."""
        self.problems.append(AnalysisProblem(self.name, self._seq, rule, message))

    def batches(
        self, names: Sequence[str], tests: Mapping[str, Test] | None = None, size: int | None = None
    ) -> Iterator[list[Values]]:
        """The values of these columns, at most `size` events at a time.

        Deltas of a block differ in a few columns only; the others are kept once for all of them.
        """
        rows = Rows(self, [*names, *(tests or {})], tests or {})
        for item in self._source.rows(self.problem):
            parts = _parts(item, size, rows) if isinstance(item, list) else [item]
            for part in parts:
                if isinstance(part, list):
                    self._burst(rows, part)
                else:
                    self._one(rows, part)
                if len(rows) == size:
                    yield rows.values(names)
        self._seq = None
        yield rows.values(names)

    def _one(self, rows: Rows, row: Row) -> None:
        """One event; it is left out if it is of no known type."""
        if self._take(self._event, row):
            rows.add(self._event)
        self.n_events += 1

    def _burst(self, rows: Rows, deltas: list[Delta]) -> None:
        """Deltas of one block."""
        first = deltas[0]
        key = first.type, first.reply_id, first.block_id, first.tool_call_id, bytes(first.metadata)
        code = rows.codes.get(key)
        if code is None:
            self._one(rows, first.row())
            code = rows.codes[key] = rows.newest
            deltas = deltas[1:]
        if deltas:
            rows.add_like(code, deltas)
            self.n_events += len(deltas)

    def _take(self, event: Event, row: dict[str, Any]) -> bool:
        self.is_new = False
        recorded = mapping(row, "recorded")
        seq = recorded.get("seq")
        event.seq = self._seq = seq if is_int(seq) else self.n_events
        event.row, event.type, event.id = row, text(row, "type") or "", text(row, "id")
        if event.type not in _KNOWN:
            self.problem("bad_event", f"An event has the unknown type {row.get('type')!r:.60}; it is left out.")
            return False
        event.created, event.at = row.get("created_at"), recorded.get("at")
        mono = recorded.get("mono")
        event.mono = float(mono) if is_time(mono) else None
        event.reply_id, event.text = text(row, "reply_id"), text(row, "delta")
        event.duplicate = event.id is not None and self.is_duplicate(event.id)
        direction = text(recorded, "dir")
        is_in = event.type in _IN or (event.type == "CUSTOM" and row.get("name") in IN_NAMES)
        event.direction = direction or ("in" if is_in else "out")
        self._follow(event, row)
        return True

    def _follow(self, event: Event, row: dict[str, Any]) -> None:
        """Keep what later events do not repeat: sessions, lanes, names of tools, zones."""
        reply_id, metadata = event.reply_id, mapping(row, "metadata")
        if reply_id is None:
            event.lane, event.session = _lane(metadata), None
            if row.get("name") == HEADER_NAME:
                self.clock.header(row.get("value"))
            return
        if event.type == "REPLY_START":
            self._sessions.setdefault(reply_id, text(row, "session_id"))
            self.is_new = True
        lane = self._lanes.get(reply_id)
        event.lane = self._lanes[reply_id] = _lane(metadata) if lane is None else lane
        event.session = text(row, "session_id") or self._sessions.get(reply_id)
        name, call = text(row, "tool_call_name"), text(row, "tool_call_id")
        if name is not None and call is not None:
            self.tools[reply_id, call] = name
            self.is_new = True

    def is_duplicate(self, id: str) -> bool:
        if self._ids is None:
            return False
        known = len(self._ids)
        self._ids.add(id)
        return len(self._ids) == known

    def duplicates(self, ids: list[str]) -> list[bool]:
        """For each id whether it came before."""
        new = set(ids)
        if self._ids is None or (len(new) == len(ids) and self._ids.isdisjoint(new)):
            if self._ids is not None:
                self._ids |= new
            return [False] * len(ids)
        return [self.is_duplicate(id) for id in ids]

    def times(self, seqs: Sequence[int], texts: Sequence[str | None]) -> Sequence[int | None]:
        """Microseconds since 1970 (UTC) of the times of these events."""
        if (made := self.clock.utc_all(texts)) is not None:
            return made
        each: list[int | None] = []
        for self._seq, text_ in zip(seqs, texts, strict=True):
            each.append(None if text_ is None else self.clock.utc(text_))
        return each


def _parts(deltas: list[Delta], size: int | None, rows: Rows) -> Iterator[list[Delta]]:
    """The deltas, cut where so many rows are reached."""
    while deltas:
        room = len(deltas) if size is None else size - len(rows)
        yield deltas[:room]
        deltas = deltas[room:]


_MAIN: tuple[str | None, str | None] = (None, None)


def _lane(metadata: dict[str, Any]) -> tuple[str | None, str | None]:
    source = text(metadata, SOURCE_KEY)
    return _MAIN if source is None else (source, text(metadata, PARENT_CALL_KEY))
