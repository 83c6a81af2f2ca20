"""What may be given to an agent, and what it does to an open reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nb_agentscope._common import short_repr
from nb_agentscope.agent._scope import Scope
from nb_agentscope.agent._state import ToRun
from nb_agentscope.event import ConfirmResult, ExternalExecutionResultEvent, UserConfirmResultEvent, UserInterruptEvent
from nb_agentscope.message import Msg, ToolCallBlock, ToolCallState, ToolResultState, UserMsg
from nb_agentscope.stream import NOTE_KEY, append_event

ClientEvent = UserConfirmResultEvent | ExternalExecutionResultEvent | UserInterruptEvent
Inputs = str | Msg | Sequence[Msg] | ClientEvent | None

_FORBIDDEN = ("tool_call", "tool_result", "thinking")


def checked_messages(inputs: Inputs) -> list[Msg]:
    """The messages that a reply starts from.

    Raises:
        TypeError: Something is neither text nor a message.
        ValueError: A message has the role `system`, or blocks that only an agent's own reply may have.
    """
    given = [UserMsg("user", inputs)] if isinstance(inputs, str) else [inputs] if isinstance(inputs, Msg) else inputs
    if given is None:
        return []
    if not isinstance(given, Sequence) or not all(isinstance(msg, Msg) for msg in given):
        raise TypeError(
            f"An agent takes text, a Msg, a list of Msg, one of the three client events or None, got {short_repr(inputs)}."
        )
    for msg in given:
        if msg.role not in ("user", "assistant"):
            raise ValueError(
                f"A message with the role {msg.role!r} cannot be given to an agent: use UserMsg, or the system_prompt."
            )
        wrong = sorted({block.type for block in msg.content if block.type in _FORBIDDEN})
        if wrong:
            raise ValueError(
                f"A message with {', '.join(wrong)} blocks cannot be given to an agent: only its own replies have these."
            )
    return list(given)


def refuse_messages(name: str, waiting: Iterable[ToolCallBlock]) -> None:
    """Nothing new while calls wait.

    Raises:
        ValueError: Some do.
    """
    calls = ", ".join(f"{call.id!r} ({call.name})" for call in waiting)
    if calls:
        raise ValueError(
            f"{name!r} waits for an answer on {calls}: approve or deny them, give their results, or stop the reply, and then "
            "send a new message."
        )


def check_answer(msg: Msg, event: UserConfirmResultEvent | ExternalExecutionResultEvent, toolkit_of: Scope) -> None:
    """An answer must be about calls that wait for it.

    Raises:
        ValueError: Nothing waits for such an answer, one of the ids does not, or a result has no final state.
    """
    confirm = isinstance(event, UserConfirmResultEvent)
    state = ToolCallState.ASKING if confirm else ToolCallState.SUBMITTED
    waiting = [call.id for call in msg.content if call.type == "tool_call" and call.state == state]
    what = "decision" if confirm else "result"
    if not waiting:
        raise ValueError(f"No call waits for a {what}; the answer came too late, or to the wrong agent.")
    given = [r.tool_call.id for r in event.confirm_results] if confirm else [r.id for r in event.execution_results]
    for id in given:
        if id not in waiting:
            raise ValueError(f"The call {id!r} waits for no {what}; waiting: {', '.join(map(repr, waiting))}.")
