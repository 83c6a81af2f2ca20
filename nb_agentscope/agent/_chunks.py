"""A model's chunks as events: which block begins, grows and ends with each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from nb_agentscope._common import encodable, new_id
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
        self._prose: dict[str, str] = {}
        self._known = set(known)
        self._ids: dict[str, str] = {}
        self._calls: dict[str, None] = {}
        self._ended_calls: set[str] = set()
        self._data: dict[str, str] = {}

    def push(self, chunk: ChatChunk) -> Iterator[AgentEvent]:
        """The events of one chunk."""
        yield from self._prose_part("thinking", chunk.thinking, bool(chunk.data))
        yield from self._prose_part("text", chunk.text, bool(chunk.data))
        if chunk.calls or self._calls:
            yield from self._call_part(chunk.calls)
        for block in chunk.data:
            yield from self._data_part(block)

    def close(self) -> Iterator[AgentEvent]:
        """The ENDs of all that is open, when the model has ended."""
        for kind in ("text", "thinking"):
            yield from self._end_prose(kind)
        yield from self._end_calls(list(self._calls))
        for id in self._data.values():
            yield DataBlockEndEvent(reply_id=self._reply_id, block_id=id)
        self._data = {}

    def _prose_part(self, kind: str, delta: str | None, beside_data: bool) -> Iterator[AgentEvent]:
        if delta is None:
            if not beside_data:
                yield from self._end_prose(kind)
            return
        start, more, _ = _PROSE[kind]
        if kind not in self._prose:
            self._prose[kind] = new_id()
            yield start(reply_id=self._reply_id, block_id=self._prose[kind])
        yield more(reply_id=self._reply_id, block_id=self._prose[kind], delta=encodable(delta))

    def _end_prose(self, kind: str) -> Iterator[AgentEvent]:
        if kind in self._prose:
            yield _PROSE[kind][2](reply_id=self._reply_id, block_id=self._prose.pop(kind))

    def _call_part(self, calls: Iterable[CallDelta]) -> Iterator[AgentEvent]:
        continued = set()
        for call in calls:
            continued.add(call.id)
            yield from self._call_delta(call)
        yield from self._end_calls([id for id in self._calls if id not in continued])

    def _call_delta(self, call: CallDelta) -> Iterator[AgentEvent]:
        if call.id in self._ended_calls:
            raise ValueError(
                f"The model continued its tool call {call.id!r}, which had ended; ids of calls must differ."
            )
        if call.id not in self._calls:
            self._calls[call.id] = None
            self._ids[call.id] = self._free_id(call.id)
            yield ToolCallStartEvent(
                reply_id=self._reply_id, tool_call_id=self._ids[call.id], tool_call_name=encodable(call.name)
            )
        yield ToolCallDeltaEvent(reply_id=self._reply_id, tool_call_id=self._ids[call.id], delta=encodable(call.input))

    def _free_id(self, id: str) -> str:
        id, times = encodable(id), 1
        free = id
        while free in self._known:
            times += 1
            free = f"{id}#{times}"
        self._known.add(free)
        return free

    def _end_calls(self, ids: list[str]) -> Iterator[AgentEvent]:
        for id in ids:
            del self._calls[id]
            self._ended_calls.add(id)
            yield ToolCallEndEvent(reply_id=self._reply_id, tool_call_id=self._ids[id])

    def _data_part(self, block: DataBlock) -> Iterator[AgentEvent]:
        source = block.source
        payload = {"data": source.data} if isinstance(source, Base64Source) else {"url": str(source.url)}
        if block.id not in self._data:
            self._data[block.id] = self._free_id(block.id)
            yield DataBlockStartEvent(
                reply_id=self._reply_id, block_id=self._data[block.id], media_type=source.media_type, name=block.name
            )
        yield DataBlockDeltaEvent(
            reply_id=self._reply_id, block_id=self._data[block.id], media_type=source.media_type, **payload
        )
