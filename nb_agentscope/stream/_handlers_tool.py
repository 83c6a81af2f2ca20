"""Handlers of tool calls and their results."""

from __future__ import annotations

from copy import deepcopy

from nb_agentscope.event import (
    EventType,
    ToolCallDeltaEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
    ToolResultDataDeltaEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
)
from nb_agentscope.message import (
    Base64Source,
    DataBlock,
    Msg,
    TextBlock,
    ToolCallBlock,
    ToolCallState,
    ToolResultBlock,
    URLSource,
)
from nb_agentscope.stream._complain import unknown_block
from nb_agentscope.stream._handler import Handler
from nb_agentscope.stream._handlers_data import grow_source, url_source
from nb_agentscope.stream._index import append_block, find_block, index_of


def call_start(msg: Msg, event: ToolCallStartEvent) -> None:
    """The arguments follow as raw JSON text."""
    call = ToolCallBlock(id=event.tool_call_id, name=event.tool_call_name, input="", created_at=event.created_at)
    append_block(msg, call)


def call_delta(msg: Msg, event: ToolCallDeltaEvent) -> None:
    """More of the arguments."""
    block = find_block(msg, "tool_call", event.tool_call_id)
    if block is None:
        return unknown_block(event, "tool call", event.tool_call_id)
    return block.grow(event.delta)  # type: ignore[no-any-return]


def call_end(msg: Msg, event: ToolCallEndEvent) -> None:
    """The arguments are complete; the state stays."""
    block = find_block(msg, "tool_call", event.tool_call_id)
    if block is None:
        return unknown_block(event, "tool call", event.tool_call_id)
    block.finished_at = event.created_at
    return None


def result_start(msg: Msg, event: ToolResultStartEvent) -> None:
    """The output is a list from the start."""
    result = ToolResultBlock(id=event.tool_call_id, name=event.tool_call_name, output=[], created_at=event.created_at)
    append_block(msg, result)


def _text(event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent, text: str) -> TextBlock:
    """A text block that no event names; its id comes from the event, so that every reader gives it the same one."""
    return TextBlock(id=f"{event.id}:text", text=text, created_at=event.created_at)


def _output(
    result: ToolResultBlock, event: ToolResultTextDeltaEvent | ToolResultDataDeltaEvent
) -> list[TextBlock | DataBlock]:
    """The result's output as a list; text of an external result becomes its first element."""
    if isinstance(result.output, str):
        result.output = [_text(event, result.output)]
    return result.output


def result_text(msg: Msg, event: ToolResultTextDeltaEvent) -> None:
    """Text joins the last element if that is text, else begins a new one, even if it is empty."""
    result = find_block(msg, "tool_result", event.tool_call_id)
    if result is None:
        return unknown_block(event, "tool result", event.tool_call_id)
    output = _output(result, event)
    last = output[-1] if output else None
    if isinstance(last, TextBlock):
        return last.grow(event.delta)
    return index_of(msg).output(result.id).append(output, _text(event, event.delta))


def result_data(msg: Msg, event: ToolResultDataDeltaEvent) -> None:
    """Bytes join the payload of their id wherever it stands; a URL, and the first bytes of an id, are a new element."""
    result = find_block(msg, "tool_result", event.tool_call_id)
    if result is None:
        return unknown_block(event, "tool result", event.tool_call_id)
    index = index_of(msg).output(result.id)
    known = None
    if event.data is not None and isinstance(result.output, list):
        known = index.find(result.output, ("base64", event.block_id))
    if known is None:
        source = _source(event)
        if source is not None:
            index.append(
                _output(result, event), DataBlock(id=event.block_id, source=source, created_at=event.created_at)
            )
    elif grow_source(known.source, event, event.block_id) and event.media_type:
        known.source.media_type = event.media_type
    return None


def _source(event: ToolResultDataDeltaEvent) -> Base64Source | URLSource | None:
    """What the event brings; a first chunk is kept as it is, base64 or not."""
    if event.data is None:
        return url_source(event, event.block_id)
    return Base64Source(data=event.data, media_type=event.media_type)


def result_end(msg: Msg, event: ToolResultEndEvent) -> None:
    """The result's end is the call's, too."""
    result = find_block(msg, "tool_result", event.tool_call_id)
    if result is None:
        return unknown_block(event, "tool result", event.tool_call_id)
    result.state = event.state
    result.metadata = deepcopy(event.metadata)
    result.finished_at = event.created_at
    call = find_block(msg, "tool_call", event.tool_call_id)
    if call is not None:
        call.state = ToolCallState.FINISHED
    return None


HANDLERS: dict[EventType, Handler] = {
    EventType.TOOL_CALL_START: call_start,
    EventType.TOOL_CALL_DELTA: call_delta,
    EventType.TOOL_CALL_END: call_end,
    EventType.TOOL_RESULT_START: result_start,
    EventType.TOOL_RESULT_TEXT_DELTA: result_text,
    EventType.TOOL_RESULT_DATA_DELTA: result_data,
    EventType.TOOL_RESULT_END: result_end,
}
