"""The columns of the table of events, each made of one event."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from nb_agentscope.analysis._column import metadata_key
from nb_agentscope.analysis._values import mapping, mappings, one_line, payload_size, stored_data, text

if TYPE_CHECKING:
    from nb_agentscope.analysis._events import Event, EventScan
    from nb_agentscope.analysis._read import Delta

Value = Callable[["EventScan", "Event"], Any]
_CALLS = {"REQUIRE_USER_CONFIRM": "tool_calls", "REQUIRE_EXTERNAL_EXECUTION": "tool_calls"}


def created_at(scan: EventScan, event: Event) -> Any:
    """The event's own time."""
    return scan.clock.utc(event.created)


def recorded_at(scan: EventScan, event: Event) -> Any:
    """The time of the recorder."""
    return None if event.at is None else scan.clock.utc(event.at)


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
        return sha256(b64decode(one_line(data), validate=True)).hexdigest()
    except ValueError:
        return None


def _metadata(_scan: EventScan, event: Event) -> Any:
    return mapping(event.row, "metadata")


def value_of(name: str) -> Value:
    """What makes a column; one of `VALUES`, or one that shows a key of the metadata."""
    made = VALUES.get(name)
    if made is not None:
        return made
    key = metadata_key(name)
    return lambda _scan, event: mapping(event.row, "metadata").get(key)


def _run(scan: EventScan, _event: Event) -> str:
    return scan.name


def _field(name: str) -> Value:
    return lambda _scan, event: text(event.row, name)


VALUES: dict[str, Value] = {
    "run": _run,
    "seq": lambda _scan, event: event.seq,
    "event_id": lambda _scan, event: event.id,
    "type": lambda _scan, event: event.type,
    "created_at": created_at,
    "recorded_at": recorded_at,
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


Values = Callable[["EventScan", "list[Delta]"], "Sequence[Any]"]


def _each(field: str) -> Values:
    get = attrgetter(field)
    return lambda _scan, deltas: list(map(get, deltas))


def _recorded(field: str) -> Values:
    get = attrgetter(f"recorded.{field}")
    return lambda _scan, deltas: [None] * len(deltas) if deltas[0].recorded is UNSET else list(map(get, deltas))


def _seqs(scan: EventScan, deltas: list[Delta]) -> Sequence[int]:
    if deltas[0].recorded is UNSET:  # of a plain stream
        return range(scan.n_events, scan.n_events + len(deltas))
    return list(map(_SEQ, deltas))


def _times(values: Values) -> Values:
    return lambda scan, deltas: scan.times(_seqs(scan, deltas), values(scan, deltas))


_SEQ = attrgetter("recorded.seq")
CHANGING: dict[str, Values] = {
    "event_id": _each("id"),
    "seq": _seqs,
    "created_at": _times(_each("created_at")),
    "recorded_at": _times(_recorded("at")),
    "mono_s": _recorded("mono"),
    "delta_chars": lambda _scan, deltas: [len(delta.delta) for delta in deltas],
    "text": _each("delta"),
    "duplicate": lambda scan, deltas: scan.duplicates([delta.id for delta in deltas]),
}
"""Columns in which the deltas of a block differ, each made of many deltas at once."""
