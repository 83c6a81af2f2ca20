"""Rows of the table of events: one pass, each event looked at once."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from hashlib import sha256
from typing import Any

from nb_agentscope.analysis._clock import Clock
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._read import FIELDS
from nb_agentscope.analysis._source import Source
from nb_agentscope.analysis._values import mapping, mappings, payload_size, stored_data, text
from nb_agentscope.event import EventType
from nb_agentscope.stream import HEADER_NAME, INPUT_NAME, PARENT_CALL_KEY, SOURCE_KEY

_IN = frozenset({"USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "USER_INTERRUPT"})
_KNOWN = frozenset(map(str, EventType))
_CALLS = {"REQUIRE_USER_CONFIRM": "tool_calls", "REQUIRE_EXTERNAL_EXECUTION": "tool_calls"}


class Event:
    """One event, as its columns see it."""

    __slots__ = (
        "at",
        "created",
        "direction",
        "duplicate",
        "id",
        "key",
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
    key: tuple[object, ...] | None
    """What deltas of text have in common that differ in a few columns only; None for other events."""
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
        self._alike: dict[tuple[object, ...], list[Any]] = {}
        self._at: tuple[str | None, int | None] = (None, None)
        self._seq: int | None = None

    def problem(self, rule: str, message: str) -> None:
        """Note what does not fit, at the event that is being read."""
        self.problems.append(AnalysisProblem(self.name, self._seq, rule, message))

    def rows(self, names: Sequence[str]) -> Iterator[Sequence[Any]]:
        """The values of these columns, for each event."""
        values = [_VALUES[name] for name in names]
        places = {name: names.index(name) for name in _CHANGING if name in names}
        event = Event()
        for row in self._source.rows(self.problem):
            made = self._like_another(row, places)
            if made is None and self._take(event, row):
                made = [value(self, event) for value in values]
                if event.key is not None:
                    self._alike[event.key] = made
                if self.first_us is None:
                    self.first_us = _recorded_at(self, event) or _created_at(self, event)
            self.n_events += 1
            if made is not None:
                yield made
        self._seq = None

    def _like_another(self, row: dict[str, Any], places: dict[str, int]) -> list[Any] | None:
        """The values for a delta of text that differs from an earlier one in a few columns only; None for all other events."""
        type_, reply_id, recorded = row.get("type"), row.get("reply_id"), row.get("recorded")
        field = FIELDS.get(type_) if type(type_) is str else None
        if field is None or type(recorded) is not dict or type(reply_id) is not str:
            return None
        target = row.get(field)
        key = type_, reply_id, target, text(recorded, "dir")
        like = self._alike.get(key) if type(target) is str else None
        id, mono = row.get("id"), recorded.get("mono")
        if like is None or row.get("metadata") or type(id) is not str or type(mono) is not float:
            return None
        made = like.copy()
        self._change(made, places, row, recorded)
        duplicate = self._is_duplicate(id)
        if "duplicate" in places:
            made[places["duplicate"]] = duplicate
        return made

    def _change(self, made: list[Any], places: dict[str, int], row: dict[str, Any], recorded: dict[str, Any]) -> None:
        """Put in what is not alike; written out, because nearly all events of a log come here."""
        chunk, seq = text(row, "delta"), recorded.get("seq")
        self._seq = seq if type(seq) is int else self.n_events
        for name, place in places.items():
            if name == "created_at":
                made[place] = self.clock.utc(row.get("created_at"))
            elif name == "recorded_at":
                made[place] = self.recorded_us(recorded.get("at"))
            elif name == "event_id":
                made[place] = row["id"]
            elif name == "seq":
                made[place] = self._seq
            elif name == "mono_s":
                made[place] = recorded["mono"]
            elif name == "delta_chars":
                made[place] = None if chunk is None else len(chunk)
            elif name == "text":
                made[place] = chunk

    def _take(self, event: Event, row: dict[str, Any]) -> bool:
        recorded = mapping(row, "recorded")
        seq = recorded.get("seq")
        event.seq = self._seq = seq if type(seq) is int else self.n_events
        event.row, event.type, event.id = row, text(row, "type") or "", text(row, "id")
        if event.type not in _KNOWN:
            self.problem("bad_event", f"An event has the unknown type {row.get('type')!r:.60}; it is left out.")
            return False
        event.created, event.at = row.get("created_at"), recorded.get("at")
        mono = recorded.get("mono")
        event.mono = float(mono) if isinstance(mono, int | float) and not isinstance(mono, bool) else None
        event.reply_id, event.text = text(row, "reply_id"), text(row, "delta")
        event.duplicate = event.id is not None and self._is_duplicate(event.id)
        direction = text(recorded, "dir")
        field = FIELDS.get(event.type)
        event.key = None
        if field is not None and not row.get("metadata"):
            event.key = event.type, event.reply_id, text(row, field), direction
        is_in = event.type in _IN or (event.type == "CUSTOM" and row.get("name") == INPUT_NAME)
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
            self._alike.clear()
        lane = self._lanes.get(reply_id)
        event.lane = self._lanes[reply_id] = _lane(metadata) if lane is None else lane
        event.session = text(row, "session_id") or self._sessions.get(reply_id)
        name, call = text(row, "tool_call_name"), text(row, "tool_call_id")
        if name is not None and call is not None:
            self.tools[reply_id, call] = name
            self._alike.clear()

    def _is_duplicate(self, id: str) -> bool:
        if self._ids is None:
            return False
        known = len(self._ids)
        self._ids.add(id)
        return len(self._ids) == known

    def recorded_us(self, at: Any) -> int | None:
        """The time of the recorder; several events in a row have the same."""
        if at is None:
            return None
        if self._at[0] != at:
            self._at = at, self.clock.utc(at)
        return self._at[1]


_NOTHING: dict[str, Any] = {}
_MAIN: tuple[str | None, str | None] = (None, None)


def _lane(metadata: dict[str, Any]) -> tuple[str | None, str | None]:
    source = text(metadata, SOURCE_KEY)
    return _MAIN if source is None else (source, text(metadata, PARENT_CALL_KEY))


def _created_at(scan: EventScan, event: Event) -> Any:
    return scan.clock.utc(event.created)


def _recorded_at(scan: EventScan, event: Event) -> Any:
    return scan.recorded_us(event.at)


def _block_id(_scan: EventScan, event: Event) -> Any:
    return text(event.row, "block_id")


def _tool_call_id(_scan: EventScan, event: Event) -> Any:
    field = _CALLS.get(event.type)
    if field is not None:
        calls = mappings(event.row, field)
        return text(calls[0], "id") if len(calls) == 1 else None
    return text(event.row, "tool_call_id")


def _tool_name(scan: EventScan, event: Event) -> Any:
    id = _tool_call_id(scan, event)
    return None if id is None or event.reply_id is None else scan.tools.get((event.reply_id, id))


def _delta_chars(_scan: EventScan, event: Event) -> Any:
    return None if event.text is None else len(event.text)


def _data_bytes(_scan: EventScan, event: Event) -> Any:
    return None if text(event.row, "data") is None else payload_size(event.row)


def _sha256(_scan: EventScan, event: Event) -> Any:
    data = text(event.row, "data")
    if data is None:
        return None
    stored = stored_data(event.row)
    if stored is not None:
        return stored[1]
    try:
        return sha256(b64decode(data, validate=True)).hexdigest()
    except ValueError:
        return None


def _metadata(_scan: EventScan, event: Event) -> Any:
    return mapping(event.row, "metadata")


Value = Callable[[EventScan, Event], Any]


def _field(name: str) -> Value:
    return lambda _scan, event: text(event.row, name)


_CHANGING = frozenset({"seq", "event_id", "created_at", "recorded_at", "mono_s", "delta_chars", "text", "duplicate"})
"""Columns in which the deltas of a block differ."""
_VALUES: dict[str, Value] = {
    "run": lambda scan, _event: scan.name,
    "seq": lambda _scan, event: event.seq,
    "event_id": lambda _scan, event: event.id,
    "type": lambda _scan, event: event.type,
    "created_at": _created_at,
    "recorded_at": _recorded_at,
    "mono_s": lambda _scan, event: event.mono,
    "session_id": lambda _scan, event: event.session,
    "reply_id": lambda _scan, event: event.reply_id,
    "source": lambda _scan, event: event.lane[0],
    "parent_tool_call_id": lambda _scan, event: event.lane[1],
    "block_id": _block_id,
    "tool_call_id": _tool_call_id,
    "tool_name": _tool_name,
    "direction": lambda _scan, event: event.direction,
    "delta_chars": _delta_chars,
    "data_bytes": _data_bytes,
    "media_type": _field("media_type"),
    "data_sha256": _sha256,
    "text": lambda _scan, event: event.text if event.text is not None else text(event.row, "text"),
    "finished_reason": _field("finished_reason"),
    "state": _field("state"),
    "metadata": _metadata,
    "duplicate": lambda _scan, event: event.duplicate,
}
