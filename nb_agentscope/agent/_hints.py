"""Hints: what an agent is told beside the user's messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from nb_agentscope._common import new_id, short_repr
from nb_agentscope.agent._state import AgentState
from nb_agentscope.event import AgentEvent, HintBlockEvent
from nb_agentscope.message import HintBlock, ToolCallBlock, ToolResultBlock, ToolResultState

Hint = Callable[[AgentState], str | HintBlock | None]
"""Called before each model call with the agent's state; gives what the model should know now, or None."""

FAILURES = 3
"""Failures of the same call in a row after which `repeated_failure` speaks."""
_SOURCE = json.dumps({"label": "System", "sublabel": "Runtime State"})


def hint_events(hints: Sequence[Hint], state: AgentState, reply_id: str) -> Iterator[AgentEvent]:
    """The hints that are due before this model call.

    Raises:
        TypeError: A hint gives something else than text, a HintBlock or None.
    """
    for hint in hints:
        said = hint(state)
        if said is None:
            continue
        if isinstance(said, str):
            said = HintBlock(hint=said)
        if not isinstance(said, HintBlock):
            raise TypeError(f"A hint must give text, a HintBlock or None, got {short_repr(said)}.")
        # The id is a new one: a hint may give the same block each time.
        yield HintBlockEvent(reply_id=reply_id, block_id=new_id(), source=said.source, hint=said.hint)


def current_time(state: AgentState) -> HintBlock | None:
    """The date, time and time zone, once at the beginning of each reply."""
    if state.reply is None or state.reply.rounds:
        return None
    here = datetime.now().astimezone()
    return HintBlock(hint=f"It is now {here:%A, %Y-%m-%d %H:%M} ({here.tzname()}, UTC{here:%z}).", source=_SOURCE)


def repeated_failure(state: AgentState) -> HintBlock | None:
    """A warning when the same call, with the same arguments, has failed three times in a row."""
    blocks = state.context[-1].content if state.context else []
    calls = {block.id: block for block in blocks if isinstance(block, ToolCallBlock)}
    results = [block for block in blocks if isinstance(block, ToolResultBlock) and block.id in calls][-FAILURES:]
    same = {(calls[result.id].name, calls[result.id].input) for result in results}
    failed = len(results) == FAILURES and all(result.state == ToolResultState.ERROR for result in results)
    if not failed or len(same) > 1:
        return None
    name = same.pop()[0]
    text = f"The call of {name} has failed {FAILURES} times with the same arguments. Change them, or do without it."
    return HintBlock(hint=text, source=_SOURCE)
