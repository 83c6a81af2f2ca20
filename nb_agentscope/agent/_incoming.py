"""What may be given to an agent, and what it does to an open reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nb_agentscope._common import short_repr
from nb_agentscope.agent._scope import Scope
from nb_agentscope.agent._state import AgentState, ToRun
from nb_agentscope.event import ExternalExecutionResultEvent, UserConfirmResultEvent, UserInterruptEvent
from nb_agentscope.message import Msg, ToolCallBlock, ToolCallState, ToolResultState, UserMsg
from nb_agentscope.stream import NOTE_KEY, append_event
from nb_agentscope.tools import Toolkit

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
    if not isinstance(given, list | tuple) or not all(isinstance(msg, Msg) for msg in given):
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


def check_answer(
    state: AgentState, event: UserConfirmResultEvent | ExternalExecutionResultEvent, toolkit: Toolkit
) -> None:
    """An answer must be about calls that wait for it.

    Args:
        state: The agent's memory.
        event: The answer.
        toolkit: The agent's tools; an external tool may demand a shape of its result's metadata.

    Raises:
        ValueError: Nothing waits for such an answer, one of the ids does not, or a result has no final state.
        TypeError: A result's metadata are not what its tool demands.
    """
    msg = state.context[-1] if state.reply is not None else None
    if msg is not None and event.reply_id != msg.id:
        raise ValueError(f"This answer belongs to the reply {event.reply_id!r}, but {msg.id!r} is the one that waits.")
    confirm = isinstance(event, UserConfirmResultEvent)
    what = "decision" if confirm else "result"
    waiting = _in_state(msg, ToolCallState.ASKING if confirm else ToolCallState.SUBMITTED) if msg is not None else {}
    if not waiting:
        raise ValueError(f"No call waits for a {what}: this one came too late, or to the wrong agent.")
    ids = answered_ids(event)
    for id in ids:
        if ids.count(id) > 1:
            raise ValueError(f"The call {id!r} is answered twice in one event.")
        if id not in waiting:
            raise ValueError(f"The call {id!r} waits for no {what}; waiting: {', '.join(map(repr, waiting))}.")
    for result in event.execution_results if isinstance(event, ExternalExecutionResultEvent) else ():
        if result.state == ToolResultState.RUNNING:
            raise ValueError(
                f"The result of {result.id!r} must say how it ended: success, error, denied or interrupted."
            )
        tool = toolkit.get(
            state.to_run(event.reply_id, waiting[result.id]).name
        )  # not by the name that the answer bears
        if tool is not None and result.state == ToolResultState.SUCCESS:
            tool.check_metadata(result.metadata)


def check_interrupt(state: AgentState, event: UserInterruptEvent) -> None:
    """An interrupt is of the open reply, if there is one; when nothing is open it does nothing.

    Raises:
        ValueError: It is of another reply.
    """
    if state.reply is not None and event.reply_id and event.reply_id != state.reply.reply_id:
        raise ValueError(
            f"This interrupt is of the reply {event.reply_id!r}, but {state.reply.reply_id!r} is the one that waits."
        )


def answered_ids(event: UserConfirmResultEvent | ExternalExecutionResultEvent) -> list[str]:
    """Ids of the calls that an answer is about."""
    if isinstance(event, UserConfirmResultEvent):
        return [result.tool_call.id for result in event.confirm_results]
    return [result.id for result in event.execution_results]


def apply_decisions(scope: Scope, event: UserConfirmResultEvent) -> None:
    """Take over what people decided: what runs, why not, and from now on allowed by which rules."""
    calls = {call.id: call for call in scope.msg.content if call.type == "tool_call"}
    append_event(scope.msg, event)
    note = event.metadata.get(NOTE_KEY)
    for result in event.confirm_results:
        if not result.confirmed:
            scope.reply.notes |= {result.tool_call.id: note} if isinstance(note, str) else {}
            continue
        scope.state.rules.extend(rule for rule in result.rules or () if rule not in scope.state.rules)
        call, approved = calls[result.tool_call.id], result.tool_call
        if (approved.name, approved.input) != (call.name, call.input):
            to_run = ToRun(name=approved.name, input=approved.input)
            scope.state.ran.setdefault(scope.reply_id, {})[call.id] = to_run


def _in_state(msg: Msg, state: ToolCallState) -> dict[str, ToolCallBlock]:
    return {block.id: block for block in msg.content if block.type == "tool_call" and block.state == state}
