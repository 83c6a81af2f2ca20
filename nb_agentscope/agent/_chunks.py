"""A model's chunks as events: which block begins, grows and ends with each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from nb_agentscope._common import encodable, id_series, new_id
from nb_agentscope.event import (
    AgentEvent,
    DataBlockDeltaEvent,
    DataBlockEndEvent,
    DataBlockStartEvent,
    TextBlockDeltaEvent,
    TextBlockEndEvent,
    TextBlockStartEvent,
    ThinkingBlockDeltaEvent,
    ThinkingBlockEndEvent,
    ThinkingBlockStartEvent,
    ToolCallDeltaEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)
from nb_agentscope.message import Base64Source, DataBlock
from nb_agentscope.model import CallDelta, ChatChunk

_PROSE: dict[str, tuple[type[Any], type[Any], type[Any]]] = {
    "thinking": (ThinkingBlockStartEvent, ThinkingBlockDeltaEvent, ThinkingBlockEndEvent),
    "text": (TextBlockStartEvent, TextBlockDeltaEvent, TextBlockEndEvent),
}


class ChunkEvents:
    """The open blocks of one model call.

    In a chunk: thinking, then text, then calls, then the ENDs of calls that this chunk does not continue, then data. Thinking and
    text end with a chunk that has none of them, unless it carries data: sound comes beside its text.

    Args:
        reply_id: The reply that the events belong to.
        known: Ids of the calls and data blocks of earlier rounds. A model that uses one again (`c1` in each round) means another
            call, which becomes `c1#2`.
    """

    def __init__(self, reply_id: str, known: Collection[str] = ()) -> None:
        self._reply_id = reply_id
        self._event_id = id_series()
        self._prose: dict[str, str] = {}
        self._known = set(known)
        self._ids: dict[str, str] = {}
        self._calls: dict[str, None] = {}
        self._ended_calls: set[str] = set()
        self._data: dict[str, str] = {}

    def push(self, chunk: ChatChunk) -> list[AgentEvent]:
        """The events of one chunk."""
        events: list[AgentEvent] = []
        data = chunk.data
        for kind, delta in (("thinking", chunk.thinking), ("text", chunk.text)):
            if delta is not None:
                self._prose_delta(events, kind, delta)
            elif kind in self._prose and not data:
                self._end_prose(events, kind)
        if chunk.calls or self._calls:
            self._call_part(events, chunk.calls)
        for block in data:
            self._data_part(events, block)
        return events

    def close(self) -> list[AgentEvent]:
        """The ENDs of all that is open, when the model has ended."""
        events: list[AgentEvent] = []
        for kind in ("text", "thinking"):
            self._end_prose(events, kind)
        self._end_calls(events, list(self._calls))
        events += [DataBlockEndEvent(reply_id=self._reply_id, block_id=id) for id in self._data.values()]
        self._data = {}
        return events

    def _prose_delta(self, events: list[AgentEvent], kind: str, delta: str) -> None:
        start, more, _ = _PROSE[kind]
        id = self._prose.get(kind)
        if id is None:
            id = self._prose[kind] = new_id()
            events.append(start(reply_id=self._reply_id, block_id=id))
        events.append(more(id=self._event_id(), reply_id=self._reply_id, block_id=id, delta=encodable(delta)))

    def _end_prose(self, events: list[AgentEvent], kind: str) -> None:
        id = self._prose.pop(kind, None)
        if id is not None:
            events.append(_PROSE[kind][2](reply_id=self._reply_id, block_id=id))

    def _call_part(self, events: list[AgentEvent], calls: Iterable[CallDelta]) -> None:
        continued = set()
        for call in calls:
            continued.add(call.id)
            self._call_delta(events, call)
        self._end_calls(events, [id for id in self._calls if id not in continued])

    def _call_delta(self, events: list[AgentEvent], call: CallDelta) -> None:
        if call.id in self._ended_calls:
            raise ValueError(
                f"The model continued its tool call {call.id!r}, which had ended; ids of calls must differ."
            )
        if call.id not in self._calls:
            self._calls[call.id] = None
            id = self._ids[call.id] = self._free_id(call.id)
            name = encodable(call.name)
            events.append(ToolCallStartEvent(reply_id=self._reply_id, tool_call_id=id, tool_call_name=name))
        delta = encodable(call.input)
        events.append(ToolCallDeltaEvent(reply_id=self._reply_id, tool_call_id=self._ids[call.id], delta=delta))

    def _free_id(self, id: str) -> str:
        id, times = encodable(id), 1
        free = id
        while free in self._known:
            times += 1
            free = f"{id}#{times}"
        self._known.add(free)
        return free

    def _end_calls(self, events: list[AgentEvent], ids: Iterable[str]) -> None:
        for id in ids:
            del self._calls[id]
            self._ended_calls.add(id)
            events.append(ToolCallEndEvent(reply_id=self._reply_id, tool_call_id=self._ids[id]))

    def _data_part(self, events: list[AgentEvent], block: DataBlock) -> None:
        source = block.source
        payload = {"data": source.data} if isinstance(source, Base64Source) else {"url": str(source.url)}
        is_new = block.id not in self._data
        if is_new:
            self._data[block.id] = self._free_id(block.id)
        fields: dict[str, Any] = {
            "reply_id": self._reply_id,
            "block_id": self._data[block.id],
            "media_type": source.media_type,
        }
        if is_new:
            events.append(DataBlockStartEvent(**fields, name=block.name))
        events.append(DataBlockDeltaEvent(**fields, **payload))
