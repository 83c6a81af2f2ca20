"""What an agent may be made of: each mistake is told in one sentence before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nb_agentscope._common import short_repr
from nb_agentscope.agent._scope import BINDING
from nb_agentscope.agent._state import AgentState
from nb_agentscope.agent._sub_agent import SubAgentTool
from nb_agentscope.model import ChatModel
from nb_agentscope.permission import PermissionRule
from nb_agentscope.tools import Toolkit


def check_names(name: object, system_prompt: object) -> None:
    """A name is text that is not empty, a system prompt is text or None.

    Raises:
        TypeError: One of them is something else.
        ValueError: The name is empty.
    """
    if not isinstance(name, str):
        raise TypeError(f"The name of an agent is text, got {short_repr(name)}.")
    if not name:
        raise ValueError("An agent needs a name, got an empty one.")
    if system_prompt is not None and not isinstance(system_prompt, str):
        raise TypeError(f"system_prompt is text or None, got {short_repr(system_prompt)}.")


def check_model(model: object) -> None:
    """Something that can be asked.

    Raises:
        TypeError: It cannot.
    """
    if isinstance(model, type):
        raise TypeError(f"A model is an object, got the class {model.__name__}: make one, {model.__name__}(...).")
    if not isinstance(model, ChatModel):
        raise TypeError(
            f"A model needs a name and a method stream(messages, tools, *, tool_choice), got {type(model).__name__}."
        )


def checked_hints(hints: object) -> tuple[Callable[..., Any], ...]:
    """The hints.

    Raises:
        TypeError: They are no list of functions.
    """
    if isinstance(hints, str) or not isinstance(hints, Iterable):
        raise TypeError(f"hints is a list of functions, got {short_repr(hints)}: put a single one into a list.")
    given = tuple(hints)
    for hint in given:
        if not callable(hint):
            raise TypeError(f"A hint is a function of the agent's state, got {short_repr(hint)}.")
    return given


def check_rules(rules: Sequence[PermissionRule], toolkit: Toolkit) -> None:
    """Rules with a pattern must be able to match: a deny rule that never does would guard nothing, and nobody would notice.

    Rules about tools that are not here are left alone: one list may serve several agents.

    Args:
        rules: Of the agent.
        toolkit: Its tools; deny and ask rules bind those of its sub-agents, too.

    Raises:
        ValueError: A rule has a pattern, but permissions cannot look into the calls of its tool.
    """
    for rule in rules:
        tool = toolkit.get(rule.tool_name)
        if rule.rule_content and tool is not None and not tool.has_patterns:
            raise ValueError(
                f"The rule {rule.behavior} {rule.pattern} can match no call: make the tool with "
                "tool(path=...) or tool(command=...), or a rule about all its calls with rule_content=None."
            )
    binding = [rule for rule in rules if rule.behavior in BINDING]
    for tool in toolkit:
        if binding and isinstance(tool, SubAgentTool):
            check_rules(binding, tool.agent.toolkit)


def check_state(state: object) -> None:
    """The memory of an earlier agent.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(state, AgentState):
        raise TypeError(
            f"state is an AgentState, got {short_repr(state)}: read it with AgentState.model_validate(...)."
        )
