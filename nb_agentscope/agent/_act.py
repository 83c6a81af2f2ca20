"""Answer the calls of a round: in batches, side by side or one after the other."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncGenerator, Sequence
from itertools import groupby

from nb_agentscope.agent._call import Batch, answer, denied
from nb_agentscope.agent._pump import Pump
from nb_agentscope.agent._scope import Scope
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import ToolCallBlock, ToolCallState

Events = AsyncGenerator[AgentEvent, None]


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
            async for event in pumped(Pump(answers, limit=max_parallel, grace_s=grace_s)):
                yield event
            if batch.parked:
                return


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
