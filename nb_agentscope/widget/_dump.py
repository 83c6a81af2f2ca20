"""Events and messages as the JSON that travels: well-formed text, no large payloads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.stream import Record, coalesce
from nb_agentscope.widget._protocol import Recorded

WITHHELD_ABOVE = 16_384
"""Characters of base64 above which a payload stays in the kernel until it is shown."""
DELTAS = frozenset(type for type in EventType if type.endswith("_DELTA"))
_DATA_DELTAS = frozenset({EventType.DATA_BLOCK_DELTA, EventType.TOOL_RESULT_DATA_DELTA})
_MAY_HOLD_SOURCES = frozenset({EventType.HINT_BLOCK, EventType.CUSTOM, EventType.EXTERNAL_EXECUTION_RESULT})


def dump(model: BaseModel) -> Any:
    """The JSON of a model as the browser would parse it; lone surrogates, which UTF-8 cannot carry, become U+FFFD."""
    return json.loads(dump_text(model))


def dump_text(model: BaseModel) -> str:
    """As `dump`, as text."""
    try:
        return model.model_dump_json()
    except ValueError:  # pydantic's serialization error: the text is not UTF-8
        text = json.dumps(model.model_dump(mode="json"), ensure_ascii=False)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def decoded_size(base64: str) -> int:
    """Number of bytes that padded base64 stands for, without decoding it."""
    return len(base64) * 3 // 4 - base64[-2:].count("=")


def withhold(value: Any, limit: int = WITHHELD_ABOVE) -> Any:
    """Empty every base64 source in dumped JSON that is longer than `limit`, in place, and note its size as `withheld`."""
    if isinstance(value, list):
        for item in value:
            withhold(item, limit)
    elif isinstance(value, dict):
        data = value.get("data")
        if value.get("type") == "base64" and isinstance(data, str) and len(data) > limit:
            value.update(data="", withheld=decoded_size(data))
        for item in value.values():
            if isinstance(item, dict | list):
                withhold(item, limit)
    return value


def dump_events(pairs: Iterable[tuple[Record, list[AgentEvent]]]) -> tuple[list[dict[str, Any]], int]:
    """The events of `pairs` (record, its tidied events) as they travel, and their size in bytes."""
    records = {id(event): record for record, events in pairs for event in events}
    joined = coalesce([event for _, events in pairs for event in events])
    dumped, size = [], 0
    for event in joined:
        data, length = _dump_event(event, records.get(id(event)))
        dumped.append(data)
        size += length
    return dumped, size


def _dump_event(event: AgentEvent, record: Record | None) -> tuple[dict[str, Any], int]:
    text = dump_text(event)
    data = json.loads(text)
    size = len(text.encode()) if not text.isascii() else len(text)
    if event.type in _DATA_DELTAS and len(data["data"] or "") > WITHHELD_ABOVE:
        size -= len(data["data"])
        data.update(withheld=decoded_size(data["data"]), data="")
    elif event.type in _MAY_HOLD_SOURCES:
        withhold(data)
        size = len(json.dumps(data))
    if event.type not in DELTAS and record is not None:
        recorded = Recorded(seq=record.seq, at=record.at, mono=record.mono, dir=record.dir, by=record.by)
        data["recorded"] = recorded.model_dump()
        size += 160
    return data, size + 2
