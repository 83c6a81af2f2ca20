"""The events that end a reply which cannot end itself."""

from __future__ import annotations

from collections.abc import Iterator

from nb_agentscope._common import new_id, now
from nb_agentscope.event import (
    AgentEvent,
    ModelCallEndEvent,
    ReplyEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
)
from nb_agentscope.message import (
    ErrorInfo,
    FinishedReason,
    Msg,
    ReplyFinishedReason,
    ToolCallBlock,
    ToolCallState,
    ToolResultBlock,
)
from nb_agentscope.stream._lane import Lane
from nb_agentscope.stream._parts import MODEL_KINDS, Stamp, end_event

BEGUN_KEY = "nb_agentscope.begun"
"""Key in the metadata of a result: it was running when it was interrupted, so it may still take effect."""
_BLOCK_TYPES = {"text": "text", "thinking": "thinking", "call": "tool_call", "data": "data"}
_NOTES = {
    ReplyFinishedReason.ERROR: "The reply failed before this call was finished.",
    ReplyFinishedReason.INTERRUPTED: "The reply was interrupted before this call was finished.",
}
_BEGUN = " It had begun, and what it does may still take effect."
_NOTE = "The reply ended before this call was finished."


def closing_events(
    msg: Msg,
    *,
    reason: ReplyFinishedReason,
    session_id: str,
    error: ErrorInfo | None = None,
    model_open: bool,
    lane: Lane | None = None,
) -> list[AgentEvent]:
    """What is missing until the reply of `msg` has ended well: the ENDs of open blocks, answers of open calls, one REPLY_END.

    Changes nothing; fold the events to see their effect. A finished message gives an empty list.

    Args:
        msg: The message so far, folded from the reply's events.
        reason: Why the reply ends.
        session_id: Session of the reply.
        error: What went wrong, if `reason` is `error`.
        model_open: Whether a model call has started and not ended; the message does not tell.
        lane: Of the reply, if it is a sub-agent's; the events are marked with it.
    """
    if msg.finished_at is not None:
        return []
    events = list(_block_ends(msg))
    if model_open:
        events.append(
            ModelCallEndEvent(
                **_stamp(msg).fields,
                input_tokens=0,
                output_tokens=0,
                finished_reason=FinishedReason.INTERRUPTED,
            )
        )
    events.extend(_answers(msg, _NOTES.get(reason, _NOTE)))
    events.append(ReplyEndEvent(**_stamp(msg).fields, session_id=session_id, finished_reason=reason, error=error))
    if lane is not None:
        for event in events:
            event.metadata = {**event.metadata, **lane.metadata}
    return events


def _stamp(msg: Msg) -> Stamp:
    return Stamp(new_id(), now(), msg.id)


def _block_ends(msg: Msg) -> Iterator[AgentEvent]:
    for kind in MODEL_KINDS:
        for block in msg.content:
            if block.type == _BLOCK_TYPES[kind] and block.finished_at is None:
                yield end_event(kind, block.id, _stamp(msg))


def _answers(msg: Msg, note: str) -> Iterator[AgentEvent]:
    results = {block.id: block for block in msg.content if isinstance(block, ToolResultBlock)}
    calls = {block.id: block for block in msg.content if isinstance(block, ToolCallBlock)}
    for id in {**calls, **results}:
        result = results.get(id)
        if result is not None and result.finished_at is not None:
            continue
        outside = id in calls and calls[id].state == ToolCallState.SUBMITTED
        if result is None:
            yield ToolResultStartEvent(**_stamp(msg).fields, tool_call_id=id, tool_call_name=calls[id].name)
        begun = result is not None and not outside
        text = note + _BEGUN if begun else note
        yield ToolResultTextDeltaEvent(**_stamp(msg).fields, tool_call_id=id, delta=text)
        end = end_event("result", id, _stamp(msg))
        end.metadata = {BEGUN_KEY: True} if begun else {}
        yield end
