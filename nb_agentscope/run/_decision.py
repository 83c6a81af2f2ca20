"""The events that carry a person's decision to the agent, made from our own pending call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from nb_agentscope._common import first_problem
from nb_agentscope.event import ConfirmResult, ExternalExecutionResultEvent, UserConfirmResultEvent
from nb_agentscope.message import DataBlock, TextBlock, ToolCallBlock, ToolResultBlock, ToolResultState
from nb_agentscope.permission import PermissionRule
from nb_agentscope.run._pending_call import PendingCall
from nb_agentscope.run._refused import DecisionRefused
from nb_agentscope.stream import NOTE_KEY, SHOWN_KEY

Rules = Sequence[PermissionRule | Mapping[str, Any]]
Output = str | Sequence[TextBlock | DataBlock]


def approval(
    call: PendingCall, block: ToolCallBlock, input: str, rules: Rules | None, note: str | None
) -> UserConfirmResultEvent:
    """Run `call`, with `input` as its arguments; `rules` are taken over by the agent."""
    approved = block.model_copy(update={"input": input})
    result = ConfirmResult(confirmed=True, tool_call=approved, rules=_rules(rules))
    return UserConfirmResultEvent(reply_id=call.reply_id, confirm_results=[result], metadata=_said(call, note))


def denial(call: PendingCall, block: ToolCallBlock, note: str | None) -> UserConfirmResultEvent:
    """Do not run `call`; AgentScope has no field for the reason, so the note travels in the event's metadata."""
    result = ConfirmResult(confirmed=False, tool_call=block)
    return UserConfirmResultEvent(reply_id=call.reply_id, confirm_results=[result], metadata=_said(call, note))


def result(
    call: PendingCall,
    output: Output,
    state: str = "success",
    metadata: Mapping[str, Any] | None = None,
    note: str | None = None,
) -> ExternalExecutionResultEvent:
    """What someone outside made of `call`.

    Raises:
        DecisionRefused: The output is neither text nor a list of text and data blocks, or the state is unknown.
    """
    try:
        block = ToolResultBlock(
            id=call.tool_call_id,
            name=call.name,
            output=output if isinstance(output, str) else list(output),
            state=ToolResultState(state),
            metadata=dict(metadata or {}),
        )
    except (ValueError, TypeError) as error:
        problem = first_problem(error) if isinstance(error, ValidationError) else error
        raise DecisionRefused(f"The result of {call.name!r} cannot be used: {problem}.") from error
    return ExternalExecutionResultEvent(reply_id=call.reply_id, execution_results=[block], metadata=_note(note))


def _said(call: PendingCall, note: str | None) -> dict[str, Any]:
    """The note, and the input that was shown where we had repaired it: that difference is no edit of the person's."""
    return _note(note) | ({SHOWN_KEY: call.input} if call.repaired else {})


def _note(note: str | None) -> dict[str, Any]:
    return {NOTE_KEY: note} if note else {}


def _rules(rules: Rules | None) -> list[PermissionRule] | None:
    if not rules:
        return None
    try:
        return [PermissionRule.model_validate(rule) for rule in rules]
    except ValidationError as error:
        raise DecisionRefused(f"A permission rule cannot be used: {first_problem(error)}.") from error
