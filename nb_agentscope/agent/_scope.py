"""What the parts of an agent work on while a reply is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nb_agentscope.agent._state import AgentState, OpenReply, ToRun
from nb_agentscope.message import Msg, ToolCallBlock
from nb_agentscope.permission import PermissionBehavior, PermissionMode, PermissionRule
from nb_agentscope.tools import Toolkit

if TYPE_CHECKING:
    from nb_agentscope.agent._agent import Agent

_STRICT = (PermissionMode.EXPLORE, PermissionMode.DONT_ASK)
"""Modes that also bind the sub-agents of an agent, the strictest first."""
_BINDING = (PermissionBehavior.DENY, PermissionBehavior.ASK)
"""Rules that do so."""


@dataclass(frozen=True)
class Overruling:
    """What a sub-agent must obey beside its own rules: those of the agents that it works for, as they are now."""

    above: tuple[AgentState, ...] = ()
    """The states of those agents, the outermost one first."""

    def mode_of(self, state: AgentState) -> PermissionMode:
        """The mode in force."""
        modes = {one.mode for one in self.above}
        strict = next((mode for mode in _STRICT if mode in modes), state.mode)
        return state.mode if state.mode == PermissionMode.EXPLORE else PermissionMode(strict)

    def rules_of(self, state: AgentState) -> list[PermissionRule]:
        """The rules in force."""
        return [*(rule for one in self.above for rule in one.rules if rule.behavior in _BINDING), *state.rules]

    def below(self, state: AgentState) -> Overruling:
        """What the sub-agents of an agent with this state must obey."""
        return Overruling((*self.above, state))


@dataclass
class Scope:
    """One open reply and its surroundings."""

    name: str
    """The agent's name."""
    path: str
    """The names of the agents above it and its own, joined by `/`."""
    state: AgentState
    reply: OpenReply
    msg: Msg
    """The fold of all that was yielded and decided; the last message of the context."""
    toolkit: Toolkit
    overruling: Overruling = field(default_factory=Overruling)
    tag: Mapping[str, str] = field(default_factory=dict)
    """Metadata that every event of a sub-agent carries."""
    workers: dict[str, Agent] = field(default_factory=dict)
    """By reply id: the sub-agents that have not finished."""
    model_open: bool = False
    """Whether a model call has started and not ended."""

    @property
    def reply_id(self) -> str:
        """Id of the reply."""
        return self.reply.reply_id

    @property
    def mode(self) -> PermissionMode:
        """The mode in force."""
        return self.overruling.mode_of(self.state)

    @property
    def rules(self) -> list[PermissionRule]:
        """The rules in force."""
        return self.overruling.rules_of(self.state)

    def to_run(self, call: ToolCallBlock) -> ToRun:
        """Name and arguments with which a call runs: the model's, or those that a person approved instead."""
        return self.state.to_run(self.reply_id, call)

    def is_edited(self, call: ToolCallBlock) -> bool:
        """Whether a person approved something else than the model asked for."""
        return call.id in self.state.ran.get(self.reply_id, {})
