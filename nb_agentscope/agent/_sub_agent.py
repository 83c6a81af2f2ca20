"""An agent as a tool of another: its events come through the other's stream, in a lane of their own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from nb_agentscope.agent._output import end_event, text_event
from nb_agentscope.agent._scope import Scope
from nb_agentscope.agent._state import AgentState, SubReply
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg, ReplyFinishedReason, ToolCallBlock, ToolResultState, UserMsg
from nb_agentscope.stream import PARENT_CALL_KEY, PARENT_REPLY_KEY, SOURCE_KEY, error_info
from nb_agentscope.tools import Tool, Toolkit

if TYPE_CHECKING:
    from nb_agentscope.agent._agent import Agent
    from nb_agentscope.agent._call import Batch

Events = AsyncGenerator[AgentEvent, None]

_STATES = {
    ReplyFinishedReason.ERROR: ToolResultState.ERROR,
    ReplyFinishedReason.INTERRUPTED: ToolResultState.INTERRUPTED,
}


class SubAgentTool(Tool):
    """Hands a task to an agent. Each call makes a new one with an empty context, so several can work at once.

    The call itself needs no permission: each tool that the sub-agent uses asks for its own, with the rules of the sub-agent and
    the deny and ask rules of the agent that calls it. Rules that people accept stay with the sub-agent for later calls.
    """

    agent: Agent
    """The agent that each new one is like."""

    def worker(self, scope: Scope, call_id: str, state: AgentState | None = None) -> Agent:
        """A new agent for one call, or the one of an earlier process, from its state."""
        path = f"{scope.path}/{self.agent.name}"
        tag = {SOURCE_KEY: path, PARENT_REPLY_KEY: scope.reply_id, PARENT_CALL_KEY: call_id}
        return self.agent.spawn(path, tag, scope.overruling.below(scope.state), state)


def sub_agent_tool(agent: Agent, name: str | None, description: str | None, *, concurrent: bool) -> SubAgentTool:
    """The tool that hands a task to `agent`; see `Agent.as_tool`."""
    if "/" in agent.name:
        raise ValueError(f"An agent that works for another needs a name without '/', got {agent.name!r}.")
    tools = ", ".join(tool.name for tool in agent.toolkit) or "none"
    told = description or f"Hand a task to the agent {agent.name!r} and get its answer. It has the tools: {tools}."
    tool = SubAgentTool(
        _alone, name=name or agent.name, description=told, parameters=_PARAMETERS, read_only=True, concurrent=concurrent
    )
    tool.agent = agent
    return tool


def check_sub_agents(toolkit: Toolkit, state: AgentState) -> None:
    """Make sure that an agent can go on with a state, and that a path of names leads to one sub-agent.

    Raises:
        ValueError: The state waits for a sub-agent that is not among the tools, or two of those have one name.
    """
    named: dict[str, Agent] = {}
    for tool in toolkit:
        if isinstance(tool, SubAgentTool) and named.setdefault(tool.agent.name, tool.agent) is not tool.agent:
            raise ValueError(f"Two sub-agents are called {tool.agent.name!r}: give one of them another name.")
    if state.reply is not None:
        for sub in state.reply.sub_replies.values():
            tool = _tool_of(toolkit, state, state.reply.reply_id, sub)
            check_sub_agents(tool.agent.toolkit, sub.state)


async def sub_reply(
    scope: Scope, call_id: str, tool: SubAgentTool, arguments: Mapping[str, Any], batch: Batch
) -> Events:
    """The events of a new sub-agent, then the end of the call's result; no end if it waits for someone."""
    worker = tool.worker(scope, call_id)
    async with aclosing(_drive(scope, call_id, worker, UserMsg(scope.name, arguments["task"]))) as events:
        async for event in events:
            yield event
    batch.parked |= worker.state.reply is not None


async def resume(scope: Scope, reply_id: str, inputs: Any) -> Events:
    """Hand an event to a sub-agent that waits, and go on with its call."""
    call_id = scope.reply.sub_replies[reply_id].call_id
    async with aclosing(_drive(scope, call_id, worker_of(scope, reply_id), inputs)) as events:
        async for event in events:
            yield event


def worker_of(scope: Scope, reply_id: str) -> Agent:
    """The sub-agent of an open reply."""
    if reply_id not in scope.workers:
        known = scope.reply.sub_replies[reply_id]
        tool = _tool_of(scope.toolkit, scope.state, scope.reply_id, known)
        scope.workers[reply_id] = tool.worker(scope, known.call_id, known.state)
    return scope.workers[reply_id]


def _tool_of(toolkit: Toolkit, state: AgentState, reply_id: str, sub: SubReply) -> SubAgentTool:
    calls = (block for msg in state.context[-1:] for block in msg.content if isinstance(block, ToolCallBlock))
    name = next((state.to_run(reply_id, call).name for call in calls if call.id == sub.call_id), "?")
    tool = toolkit.get(name)
    if not isinstance(tool, SubAgentTool):
        raise ValueError(  # noqa: TRY004 - the state is wrong, not a type
            f"The state waits for the sub-agent of the tool {name!r}, which this agent does not have: give it this tool."
        )
    return tool


async def _drive(scope: Scope, call_id: str, worker: Agent, inputs: Any) -> Events:
    failure: Exception | None = None
    reply_id = None
    try:
        async with aclosing(worker.reply_stream(inputs)) as events:
            async for event in events:
                if reply_id is None and worker.state.reply is not None:
                    reply_id = worker.state.reply.reply_id
                    scope.reply.sub_replies[reply_id] = SubReply.model_construct(call_id=call_id, state=worker.state)
                    scope.workers[reply_id] = worker
                yield event
    except Exception as error:  # noqa: BLE001 - as with any tool: the caller's model reads what went wrong
        failure = error
    if worker.state.reply is not None and failure is None:
        return
    scope.reply.sub_replies.pop(reply_id or "", None)
    scope.workers.pop(reply_id or "", None)
    yield text_event(scope, call_id, _answer(worker, failure))
    yield end_event(scope, call_id, _state(worker, failure))


def _answer(worker: Agent, failure: Exception | None) -> str:
    if failure is not None:
        return f"The agent {worker.name!r} failed: {error_info(failure).message}"
    msg = worker.state.context[-1]
    return _last_text(msg) or f"The agent {worker.name!r} ended without an answer ({msg.finished_reason})."


def _last_text(msg: Msg) -> str:
    """The text after the last tool result; else all text."""
    last_result = max((n for n, block in enumerate(msg.content) if block.type == "tool_result"), default=-1)
    texts = [block.text for block in msg.content[last_result + 1 :] if block.type == "text"]
    return "\n".join(texts) or msg.get_text_content() or ""


def _state(worker: Agent, failure: Exception | None) -> ToolResultState:
    if failure is not None:
        return ToolResultState.ERROR
    reason = worker.state.context[-1].finished_reason
    return _STATES.get(reason, ToolResultState.SUCCESS) if reason is not None else ToolResultState.SUCCESS


def _alone(task: str) -> str:
    raise TypeError(f"A sub-agent runs only inside the reply of another agent, so nobody takes the task {task!r}.")


_PARAMETERS = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "What to do, with all that one needs to know for it."}},
    "required": ["task"],
    "additionalProperties": False,
}
