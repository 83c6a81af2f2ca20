"""A tool's output as the events of a result."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from nb_agentscope._common import encodable
from nb_agentscope.agent._scope import Scope
from nb_agentscope.event import (
    AgentEvent,
    CustomEvent,
    ToolResultDataDeltaEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
)
from nb_agentscope.message import Base64Source, DataBlock, TextBlock, ToolResultState
from nb_agentscope.tools import Tool, ToolChunk, ToolError

PROGRESS = "mcp_progress"
"""Name of the CUSTOM event, and key in a chunk's metadata."""


def start_event(scope: Scope, call_id: str, name: str) -> AgentEvent:
    """The beginning of a result."""
    return ToolResultStartEvent(reply_id=scope.reply_id, tool_call_id=call_id, tool_call_name=name)


def text_event(scope: Scope, call_id: str, text: str) -> AgentEvent:
    """More text of a result."""
    return ToolResultTextDeltaEvent(reply_id=scope.reply_id, tool_call_id=call_id, delta=encodable(text))


def end_event(
    scope: Scope, call_id: str, state: ToolResultState, metadata: Mapping[str, Any] | None = None
) -> AgentEvent:
    """The end of a result."""
    return ToolResultEndEvent(reply_id=scope.reply_id, tool_call_id=call_id, state=state, metadata=dict(metadata or {}))


def result_events(scope: Scope, call_id: str, name: str, text: str, state: ToolResultState) -> list[AgentEvent]:
    """A whole result of one text."""
    return [
        start_event(scope, call_id, name),
        text_event(scope, call_id, text),
        end_event(scope, call_id, state),
    ]


async def output_events(
    scope: Scope, call_id: str, tool: Tool, arguments: dict[str, Any]
) -> AsyncGenerator[AgentEvent, None]:
    """Run the tool; what follows its TOOL_RESULT_START.

    An exception of the tool is an error result, for the model to read. The result is an error if any chunk says so, else what the
    last one said of `interrupted` and `denied`, else a success.
    """
    state = ToolResultState.SUCCESS
    metadata: dict[str, Any] = {}
    try:
        async with aclosing(tool.run(arguments)) as chunks:
            async for chunk in chunks:
                for event in _chunk_events(scope, call_id, chunk):
                    yield event
                state = _joined(state, chunk.state)
                metadata.update({key: value for key, value in chunk.metadata.items() if key != PROGRESS})
    except Exception as error:  # noqa: BLE001 - a tool may fail in any way; its model, its log and its people read how
        state = ToolResultState.ERROR
        metadata.update(error.metadata if isinstance(error, ToolError) else {})
        yield text_event(scope, call_id, _words(error))
    yield end_event(scope, call_id, state, metadata)


def blocks_events(scope: Scope, call_id: str, output: str | Sequence[TextBlock | DataBlock]) -> Iterator[AgentEvent]:
    """The deltas of text and data."""
    if isinstance(output, str):
        yield text_event(scope, call_id, output)
        return
    for block in output:
        yield text_event(scope, call_id, block.text) if isinstance(block, TextBlock) else _data(scope, call_id, block)


def _chunk_events(scope: Scope, call_id: str, chunk: ToolChunk) -> Iterator[AgentEvent]:
    progress = chunk.metadata.get(PROGRESS)
    if progress is not None:
        ids = {"reply_id": scope.reply_id, "tool_call_id": call_id}
        yield CustomEvent(name=PROGRESS, value={**progress, **ids})
    yield from blocks_events(scope, call_id, chunk.content)


def _data(scope: Scope, call_id: str, block: DataBlock) -> AgentEvent:
    source = block.source
    payload = {"data": source.data} if isinstance(source, Base64Source) else {"url": str(source.url)}
    return ToolResultDataDeltaEvent(
        reply_id=scope.reply_id, tool_call_id=call_id, block_id=block.id, media_type=source.media_type, **payload
    )


def _joined(state: ToolResultState, said: ToolResultState) -> ToolResultState:
    if state == ToolResultState.ERROR or said in (ToolResultState.RUNNING, ToolResultState.SUCCESS):
        return state
    return said


def _words(error: Exception) -> str:
    try:
        text = str(error).strip()
    except Exception:  # noqa: BLE001 - the exception's own code fails
        text = "(its text cannot be read)"
    if isinstance(error, KeyError):  # its text is the key alone
        return f"{type(error).__name__}: {text}"
    return text or type(error).__name__
