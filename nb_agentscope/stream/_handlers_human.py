"""Handlers of what a reply asks of people and programs outside, and of their answers."""

from __future__ import annotations

from nb_agentscope.event import (
    EventType,
    ExternalExecutionResultEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    UserConfirmResultEvent,
)
from nb_agentscope.message import Msg, ToolCallState
from nb_agentscope.stream._handler import Handler
from nb_agentscope.stream._index import append_block, find_block


def require_confirm(msg: Msg, event: RequireUserConfirmEvent) -> None:
    """A call asks, whatever its state was; name and input stay those that were streamed."""
    for asked in event.tool_calls:
        call = find_block(msg, "tool_call", asked.id)
        if call is not None:
            call.state = ToolCallState.ASKING
            call.suggested_rules = [rule.model_copy() for rule in asked.suggested_rules]


def require_external(msg: Msg, event: RequireExternalExecutionEvent) -> None:
    """A call runs outside."""
    for asked in event.tool_calls:
        call = find_block(msg, "tool_call", asked.id)
        if call is not None:
            call.state = ToolCallState.SUBMITTED


def confirm_result(msg: Msg, event: UserConfirmResultEvent) -> None:
    """Only a call that asks can be decided: a late answer changes nothing. An edited input is not taken over."""
    for result in event.confirm_results:
        call = find_block(msg, "tool_call", result.tool_call.id)
        if call is not None and call.state == ToolCallState.ASKING:
            call.state = ToolCallState.ALLOWED if result.confirmed else ToolCallState.FINISHED


def external_result(msg: Msg, event: ExternalExecutionResultEvent) -> None:
    """Results of calls that had none before this event are appended; the call's state stays."""
    new = [result for result in event.execution_results if find_block(msg, "tool_result", result.id) is None]
    for result in new:
        block = result.model_copy(deep=True)
        if block.finished_at is None:
            block.finished_at = event.created_at
        append_block(msg, block)


HANDLERS: dict[EventType, Handler] = {
    EventType.REQUIRE_USER_CONFIRM: require_confirm,
    EventType.REQUIRE_EXTERNAL_EXECUTION: require_external,
    EventType.USER_CONFIRM_RESULT: confirm_result,
    EventType.EXTERNAL_EXECUTION_RESULT: external_result,
}
