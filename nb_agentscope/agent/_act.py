"""Answer the calls of a round: in batches, side by side or one after the other."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncGenerator, Sequence
from itertools import groupby

from nb_agentscope.agent._call import Batch, answer, denied
from nb_agentscope.agent._next_action import unanswered
from nb_agentscope.agent._output import end_event, text_event
from nb_agentscope.agent._pump import Pump
from nb_agentscope.agent._scope import Scope
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import ToolCallBlock, ToolCallState, ToolResultState
from nb_agentscope.stream import calls_of

Events = AsyncGenerator[AgentEvent, None]
_CUT_OFF = "The process ended while this call ran: it may have done its work, or a part of it."


async def act(scope: Scope, calls: Sequence[ToolCallBlock], *, max_parallel: int, grace_s: float) -> Events:
    """Answer these calls.

    First what people denied. Then batches of neighbours of one kind, one batch after the other: calls of concurrent tools run
    side by side, at most `max_parallel` at a time; others one by one. After a batch in which a call waits for someone, nothing
    begins; in a batch of others not even its next call.
    """
    for call in calls:
        if call.state == ToolCallState.FINISHED:
            for event in denied(scope, call):
                yield event
    rest = [call for call in calls if call.state != ToolCallState.FINISHED]
    for concurrent, group in groupby(rest, key=lambda call: _is_concurrent(scope, call)):
        batch = Batch(concurrent)
        neighbours = list(group)
        for together in [neighbours] if concurrent else [[call] for call in neighbours]:
            answers = [answer(scope, call, batch) for call in together]
            names = [f"The tool {scope.to_run(call).name!r}" for call in together]
            with calls_of(scope.reply_id, "hidden"):  # what a tool asks a model has no events
                pump = Pump(answers, limit=max_parallel, grace_s=grace_s, names=names)
            async for event in pumped(pump):
                yield event
            if batch.parked:
                return


def cut_off(scope: Scope) -> list[AgentEvent]:
    """The ends of calls that had begun in a process which is gone: they may have done their work, so they do not run again."""
    waiting = {sub.call_id for sub in scope.reply.sub_replies.values()}
    begun = {block.id for block in scope.msg.content if block.type == "tool_result"}
    cut = [
        call.id
        for call in unanswered(scope.msg)
        if call.id in begun and call.id not in waiting and call.state != ToolCallState.SUBMITTED
    ]
    ends = [(text_event(scope, id, _CUT_OFF), end_event(scope, id, ToolResultState.INTERRUPTED)) for id in cut]
    return [event for both in ends for event in both]


async def pumped(pump: Pump[AgentEvent]) -> Events:
    """The events of a pump; after a cancellation also those that the streams end with."""
    try:
        async for event in pump:
            yield event
    except CancelledError:
        for event in await pump.stop():
            yield event
        raise
    finally:
        await pump.stop()


def _is_concurrent(scope: Scope, call: ToolCallBlock) -> bool:
    tool = scope.toolkit.get(scope.to_run(call).name)
    return tool is None or tool.concurrent
