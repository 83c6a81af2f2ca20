"""The life of one tool call: checked, permitted or asked for, run, answered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nb_agentscope._common import short_repr
from nb_agentscope.agent._output import output_events, result_events, start_event
from nb_agentscope.agent._scope import Scope
from nb_agentscope.agent._sub_agent import SubAgentTool, sub_reply
from nb_agentscope.event import AgentEvent, RequireExternalExecutionEvent, RequireUserConfirmEvent
from nb_agentscope.message import ToolCallBlock, ToolCallState, ToolResultState
from nb_agentscope.permission import Decision, PermissionBehavior, PermissionRule, covered, decide, forbids
from nb_agentscope.tools import Tool, ToolInputError

Arguments = dict[str, Any]


@dataclass
class Batch:
    """What the calls of one batch share."""

    concurrent: bool
    """In such a batch a call is held back while the prompt of an earlier one suggests a rule that would cover it."""
    suggested: list[PermissionRule] = field(default_factory=list)
    parked: bool = False
    """Whether a call of it waits for someone."""


class Plan(NamedTuple):
    """What is said at once about a call, and the stream that follows if it runs."""

    events: Sequence[AgentEvent]
    stream: AsyncGenerator[AgentEvent, None] | None = None


async def answer(scope: Scope, call: ToolCallBlock, batch: Batch) -> AsyncGenerator[AgentEvent, None]:
    """All events of one call: its result, or its request to a person or to someone outside."""
    plan = _plan(scope, call, batch)
    for event in plan.events:
        yield event
    if plan.stream is not None:
        async with aclosing(plan.stream) as stream:
            async for event in stream:
                yield event


def denied(scope: Scope, call: ToolCallBlock) -> list[AgentEvent]:
    """The result of a call that a person denied, with their reason."""
    note = scope.reply.notes.get(call.id)
    said = f" They said: {note}" if note else ""
    return result_events(scope, call.id, call.name, f"The user denied this call.{said}", ToolResultState.DENIED)


def _plan(scope: Scope, call: ToolCallBlock, batch: Batch) -> Plan:
    name, text = scope.to_run(call).name, scope.to_run(call).input
    tool = scope.toolkit.get(name)
    if tool is None:
        return Plan(result_events(scope, call.id, name, _unknown(scope, name), ToolResultState.ERROR))
    try:
        arguments = tool.parse(text)
    except ToolInputError as error:
        return Plan(result_events(scope, call.id, name, str(error), ToolResultState.ERROR))
    if call.state == ToolCallState.ALLOWED:
        return _approved(scope, call, tool, arguments, batch)
    decision = decide(scope.rules, scope.mode, tool, arguments, working_dirs=scope.state.working_dirs)
    if decision.behavior == PermissionBehavior.DENY:
        return Plan(result_events(scope, call.id, name, decision.message, ToolResultState.DENIED))
    if decision.behavior == PermissionBehavior.ASK:
        return _ask(scope, call, tool, arguments, decision, batch)
    return _run(scope, call, tool, arguments, batch)


def _unknown(scope: Scope, name: str) -> str:
    known = ", ".join(repr(tool.name) for tool in scope.toolkit) or "none"
    return f"There is no tool {short_repr(name)}; the tools are: {known}."


def _approved(scope: Scope, call: ToolCallBlock, tool: Tool, arguments: Arguments, batch: Batch) -> Plan:
    """A person said yes to exactly this. Only what they wrote themselves meets the deny rules again."""
    if scope.is_edited(call) and forbids(scope.rules, tool, arguments) is not None:
        text = f"The changed call of {tool.name!r} was not run: a rule denies it."
        return Plan(result_events(scope, call.id, tool.name, text, ToolResultState.DENIED))
    return _run(scope, call, tool, arguments, batch)


def _ask(scope: Scope, call: ToolCallBlock, tool: Tool, arguments: Arguments, decision: Decision, batch: Batch) -> Plan:
    batch.parked = True
    if batch.concurrent and covered(batch.suggested, tool, arguments):
        return Plan(())  # still pending: looked at again when the prompt that would cover it is answered
    batch.suggested.extend(decision.suggested_rules)
    asking = {"state": ToolCallState.ASKING, "suggested_rules": list(decision.suggested_rules)}
    block = call.model_copy(deep=True, update=asking)
    return Plan([RequireUserConfirmEvent(reply_id=scope.reply_id, tool_calls=[block])])


def _run(scope: Scope, call: ToolCallBlock, tool: Tool, arguments: Arguments, batch: Batch) -> Plan:
    start = start_event(scope, call.id, tool.name)
    if isinstance(tool, SubAgentTool):
        return Plan([start], sub_reply(scope, call.id, tool, arguments, batch))
    if not tool.external:
        return Plan([start], output_events(scope, call.id, tool, arguments))
    batch.parked = True
    block = call.model_copy(deep=True, update={"state": ToolCallState.SUBMITTED})
    return Plan([start, RequireExternalExecutionEvent(reply_id=scope.reply_id, tool_calls=[block])])
