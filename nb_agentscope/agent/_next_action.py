"""What an agent does next: a pure function of the message so far."""

from __future__ import annotations

from dataclasses import dataclass

from nb_agentscope.agent._state import OpenReply
from nb_agentscope.message import ContentBlock, Msg, ReplyFinishedReason, ToolCallBlock, ToolCallState

_WAITS = (ToolCallState.ASKING, ToolCallState.SUBMITTED)
_DECIDED = (ToolCallState.ALLOWED, ToolCallState.FINISHED)


@dataclass(frozen=True, slots=True)
class Reason:
    """Call the model."""

    last: bool = False
    """Without tools: the rounds are used up."""


@dataclass(frozen=True, slots=True)
class Act:
    """Answer these calls: run them, ask for them, or say that they were denied."""

    calls: tuple[ToolCallBlock, ...]


@dataclass(frozen=True, slots=True)
class Park:
    """End the stream, for others must decide or answer first."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the reply."""

    reason: ReplyFinishedReason


Action = Reason | Act | Park | Finish


def next_action(msg: Msg, reply: OpenReply, max_iters: int) -> Action:
    """The next step of a reply.

    Args:
        msg: Its message: the fold of all its events and of the decisions so far.
        reply: What is known about it beside the message.
        max_iters: Rounds with tools that it may take.
    """
    open_calls = unanswered(msg)
    waiting = {call.id for call in open_calls if call.state in _WAITS} | {s.call_id for s in reply.sub_replies.values()}
    # A call that nobody was asked about yet (held back by a sibling's prompt, or of a later batch) waits with the others.
    ready = [call for call in open_calls if call.id not in waiting and (call.state in _DECIDED or not waiting)]
    if ready:
        return Act(tuple(ready))
    if waiting:
        return Park()
    return _after_a_round(msg, reply, max_iters)


def unanswered(msg: Msg) -> list[ToolCallBlock]:
    """The calls of a message whose results are missing or still running."""
    answered = {block.id for block in msg.content if block.type == "tool_result" and block.finished_at is not None}
    return [block for block in msg.content if block.type == "tool_call" and block.id not in answered]


def _after_a_round(msg: Msg, reply: OpenReply, max_iters: int) -> Action:
    if reply.structured_output is not None:
        return Finish(ReplyFinishedReason.COMPLETED)
    if reply.last_round:
        return Finish(ReplyFinishedReason.EXCEED_MAX_ITERS)
    if reply.rounds and not _goes_on(msg.content[reply.round_start :], reply):
        return Finish(ReplyFinishedReason.COMPLETED)
    return Reason(last=reply.rounds >= max_iters)


def _goes_on(blocks: list[ContentBlock], reply: OpenReply) -> bool:
    """Whether the model has more to say: it called tools, only thought, or owes a structured output."""
    kinds = {block.type for block in blocks}
    only_thought = "thinking" in kinds and not kinds & {"text", "data"}
    return "tool_call" in kinds or only_thought or reply.schema_wanted is not None
