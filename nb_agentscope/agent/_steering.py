"""What a Run must know of an agent to check decisions before they are taken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from nb_agentscope.agent._made_of import check_rules
from nb_agentscope.agent._structured import Schema
from nb_agentscope.agent._sub_agent import SubAgentTool
from nb_agentscope.event import AgentEvent
from nb_agentscope.permission import PermissionBehavior, PermissionRule, forbids, matches
from nb_agentscope.tools import Tool, ToolInputError

if TYPE_CHECKING:
    from nb_agentscope.agent._agent import Agent


class Waiting(Protocol):
    """A call that a person decides on."""

    @property
    def name(self) -> str:
        """Name of the tool."""

    @property
    def input(self) -> str:
        """The arguments that were shown."""

    @property
    def source(self) -> str | None:
        """Path of the sub-agent that asks; None for the agent itself."""


class StructuredReplies:
    """An agent whose replies give a structured output."""

    def __init__(self, agent: Agent, schema: Schema) -> None:
        self.agent = agent
        self._schema = schema

    def reply_stream(self, inputs: Any = None) -> AsyncIterator[AgentEvent]:
        """As `Agent.reply_stream`."""
        return self.agent.reply_stream(inputs, self._schema)


def schemas(agent: Agent, path: str = "") -> dict[str, Any]:
    """The JSON schemas of all tools, those of sub-agents under their path."""
    found = {path + tool.name: tool.parameters for tool in agent.toolkit}
    for worker in _workers(agent):
        found |= schemas(worker, f"{path or agent.name + '/'}{worker.name}/")
    return found


def refusal(agent: Agent, call: Waiting, input: str, rules: Sequence[PermissionRule]) -> str | None:
    """Why an approval must not be taken; None if it may.

    Changed arguments meet the deny rules again. An allow rule must cover the call that it is accepted with: else it would allow
    something that nobody looks at. Every other rule must be able to match: else it would guard nothing.
    """
    asking = _find(agent, call.source)
    if asking is not None and (deaf := _deaf(rules, asking)) is not None:
        return deaf
    tool = asking.toolkit.get(call.name) if asking is not None else None
    if tool is None:
        return _uncovered(call, rules)
    try:
        arguments = tool.parse(input, repair=input == call.input)
    except ToolInputError as error:
        return str(error) if input != call.input else _uncovered(call, rules)
    if input != call.input and forbids(_rules(agent, call.source), tool, arguments) is not None:
        return f"The changed call of {call.name!r} may not run: a rule denies it."
    return next(filter(None, (_unfit(rule, tool, arguments) for rule in rules)), None)


def _deaf(rules: Sequence[PermissionRule], agent: Agent) -> str | None:
    """What `Agent(rules=)` would say of these rules; allow rules must cover the call anyway."""
    try:
        check_rules([rule for rule in rules if rule.behavior != PermissionBehavior.ALLOW], agent.toolkit)
    except ValueError as error:
        return str(error)
    return None


def _uncovered(call: Waiting, rules: Sequence[PermissionRule]) -> str | None:
    """Of a call that no tool can read, only a rule about all calls of this name is sure to cover it."""
    allowing = (rule for rule in rules if rule.behavior == PermissionBehavior.ALLOW)
    return next(
        (_misses(rule, call.name) for rule in allowing if rule.rule_content or rule.tool_name != call.name), None
    )


def _unfit(rule: PermissionRule, tool: Tool, arguments: dict[str, Any]) -> str | None:
    if rule.behavior != PermissionBehavior.ALLOW or matches(rule, tool, arguments):
        return None
    return _misses(rule, tool.name)


def _misses(rule: PermissionRule, name: str) -> str:
    return f"The rule {rule.pattern!r} does not cover this call of {name!r}: change the rule or leave it out."


def _workers(agent: Agent) -> Iterator[Agent]:
    return (tool.agent for tool in agent.toolkit if isinstance(tool, SubAgentTool))


def _line(agent: Agent, source: str | None) -> list[Agent]:
    """The agents from the outermost one down to the one that asks; empty if there is no such path."""
    line = [agent]
    for name in source.removeprefix(f"{agent.name}/").split("/") if source else []:
        below = next((worker for worker in _workers(line[-1]) if worker.name == name), None)
        if below is None:
            return []
        line.append(below)
    return line


def _find(agent: Agent, source: str | None) -> Agent | None:
    line = _line(agent, source)
    return line[-1] if line else None


def _rules(agent: Agent, source: str | None) -> list[PermissionRule]:
    return [rule for one in _line(agent, source) for rule in one.state.rules]
