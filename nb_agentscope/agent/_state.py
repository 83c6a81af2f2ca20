"""Everything that an agent remembers, as one value that can be saved and given to a new agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from nb_agentscope._common import first_problem, new_id, short_repr
from nb_agentscope.message import Msg, ToolCallBlock
from nb_agentscope.permission import PermissionMode, PermissionRule, checked_mode


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

    def branch(self, reply_id: str) -> str | None:
        """Id of the sub-agent's reply that is this one or has it below itself; None if there is none."""
        for id, sub in self.sub_replies.items():
            below = sub.state.reply
            if id == reply_id or (below is not None and below.branch(reply_id) is not None):
                return id
        return None


class AgentState(BaseModel):
    """An agent's memory, rules and open reply.

    It is trusted: a call that it holds as allowed runs without a question, and its rules and mode are in force. Load only what
    you have written yourself.
    """

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

    def to_run(self, reply_id: str, call: ToolCallBlock) -> ToRun:
        """Name and arguments with which a call runs: the model's, or those that a person approved instead."""
        return self.ran.get(reply_id, {}).get(call.id) or ToRun(name=call.name, input=call.input)


def new_state(
    mode: PermissionMode | str,
    rules: Iterable[PermissionRule | Mapping[str, Any]],
    working_dirs: Iterable[str | PathLike[str]] | None,
) -> AgentState:
    """The memory of a new agent.

    Raises:
        TypeError: `rules` or `working_dirs` is no list.
        ValueError: There is no such mode, or a rule is none.
    """
    checked = checked_mode(mode)
    if isinstance(rules, str | Mapping | PermissionRule) or not isinstance(rules, Iterable):
        raise TypeError(f"rules is a list of permission rules, got {short_repr(rules)}: put a single one into a list.")
    given = Path.cwd() if working_dirs is None else working_dirs
    dirs = [given] if isinstance(given, str | PathLike) else given
    if not isinstance(dirs, Iterable):
        raise TypeError(f"working_dirs is a list of folders, got {short_repr(working_dirs)}.")
    return AgentState(
        mode=checked,
        rules=[parsed_rule(rule) for rule in rules],
        working_dirs=[fspath(dir) for dir in dirs],
    )


def parsed_rule(rule: PermissionRule | Mapping[str, Any]) -> PermissionRule:
    """A rule from a rule or its fields.

    Raises:
        ValueError: It is none.
    """
    try:
        return PermissionRule.model_validate(rule)
    except ValidationError as error:
        raise ValueError(
            f"{short_repr(rule)} is no permission rule: {first_problem(error)}; it needs tool_name, rule_content (None: every "
            "call), behavior and source."
        ) from error
