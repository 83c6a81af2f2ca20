"""Everything that an agent remembers, as one value that can be saved and given to a new agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from nb_agentscope._common import new_id
from nb_agentscope.message import Msg
from nb_agentscope.permission import PermissionMode, PermissionRule


class ToRun(BaseModel):
    """What a person approved where it is not what the model asked for."""

    name: str
    input: str


class SubReply(BaseModel):
    """A sub-agent's reply inside a tool call of this one."""

    call_id: str
    """The tool call that it works for."""
    state: AgentState
    """The sub-agent's own memory."""


class OpenReply(BaseModel):
    """What is known about the reply that runs or waits, beside its message."""

    reply_id: str
    rounds: int = 0
    """Model calls that have ended."""
    round_start: int = 0
    """Where in the message's content the blocks of the last model call begin."""
    last_round: bool = False
    """Whether the call without tools, which follows the last allowed round, has been made."""
    schema_wanted: dict[str, Any] | None = None
    """JSON schema of the structured output that this reply must give."""
    structured_output: dict[str, Any] | None = None
    notes: dict[str, str] = Field(default_factory=dict)
    """By call id: why a person denied it."""
    sub_replies: dict[str, SubReply] = Field(default_factory=dict)
    """By their reply id: sub-agents that have not finished."""


class AgentState(BaseModel):
    """An agent's memory, rules and open reply."""

    session_id: str = Field(default_factory=new_id)
    context: list[Msg] = Field(default_factory=list)
    """The conversation; the last message is the reply that runs or waits, if one does."""
    mode: PermissionMode = PermissionMode.DEFAULT
    rules: list[PermissionRule] = Field(default_factory=list)
    """Rules in force, in the order they were added."""
    working_dirs: list[str] = Field(default_factory=list)
    """Folders in which the mode `accept_edits` lets files be changed."""
    reply: OpenReply | None = None
    """None between replies."""
    ran: dict[str, dict[str, ToRun]] = Field(default_factory=dict)
    """By reply id and call id: what people approved instead of what the model wrote. It is what runs, and what the model sees
    from then on; the message keeps what the model wrote."""


def new_state(
    mode: PermissionMode | str, rules: Iterable[PermissionRule | Mapping[str, Any]], working_dirs: Iterable[str] | None
) -> AgentState:
    """The memory of a new agent.

    Raises:
        ValueError: There is no such mode, or a rule is none.
    """
    if mode not in list(PermissionMode):
        raise ValueError(f"There is no permission mode {mode!r}; choose one of {', '.join(PermissionMode)}.")
    dirs = [str(Path.cwd())] if working_dirs is None else working_dirs
    parsed = [PermissionRule.model_validate(rule) for rule in rules]
    return AgentState(
        mode=PermissionMode(mode), rules=parsed, working_dirs=[dirs] if isinstance(dirs, str) else list(dirs)
    )
