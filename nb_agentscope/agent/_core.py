"""What an agent is inside: its memory, its open reply, and who works for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

from nb_agentscope.agent._conversation import Conversation, Settings
from nb_agentscope.agent._incoming import (
    ClientEvent,
    Inputs,
    check_answer,
    check_interrupt,
    checked_messages,
    refuse_messages,
)
from nb_agentscope.agent._scope import Overruling, Scope
from nb_agentscope.agent._state import AgentState, OpenReply
from nb_agentscope.agent._structured import Schema, json_schema, structured_tool
from nb_agentscope.agent._sub_agent import worker_of
from nb_agentscope.event import AgentEvent, UserInterruptEvent
from nb_agentscope.message import AssistantMsg, Msg, ReplyFinishedReason, ToolCallBlock, ToolCallState
from nb_agentscope.tools import Toolkit

_WAITING = (ToolCallState.ASKING, ToolCallState.SUBMITTED)


class Core:
    """Opens, continues and closes the replies of an agent; `Agent` is its public face.

    Args:
        name: The agent's name.
        toolkit: Its tools.
        state: Its memory.
        settings: What its loop needs.
    """

    def __init__(self, name: str, toolkit: Toolkit, state: AgentState, settings: Settings) -> None:
        self.name = name
        self.state = state
        self._toolkit = toolkit
        self._settings = settings
        self._overruling = Overruling()
        self._path = name
        self._tag: Mapping[str, str] = {}
        self._workers: dict[str, Any] = {}
        self._schema: Schema | None = None
        self._busy = False

    @property
    def toolkit(self) -> Toolkit:
        """Its tools."""
        return self._toolkit

    @property
    def pending(self) -> list[ToolCallBlock]:
        """The calls of the open reply that wait for a decision or a result, those of sub-agents included."""
        reply = self.state.reply
        if reply is None:
            return []
        own = [b for b in self.state.context[-1].content if b.type == "tool_call" and b.state in _WAITING]
        return own + [call for id in reply.sub_replies for call in worker_of(self._scope(), id).pending]

    @property
    def grace_s(self) -> float:
        """Seconds after which a stop no longer waits for a model or tool that does not end."""
        return self._settings.grace_s

    def spawn(self, path: str, tag: Mapping[str, str], overruling: Overruling, state: AgentState | None = None) -> Self:
        """An agent like this one for one task of another agent; rules that it is given are this one's as well."""
        worker = copy(self)
        worker.state = state or AgentState(mode=self.state.mode, working_dirs=self.state.working_dirs)
        self.state.rules.extend(rule for rule in worker.state.rules if rule not in self.state.rules)
        worker.state.rules = self.state.rules
        worker._path, worker._tag, worker._overruling = path, tag, overruling
        worker._workers, worker._schema, worker._busy = {}, None, False
        return worker

    def close(self, reason: ReplyFinishedReason) -> list[AgentEvent]:
        """End the open reply where it stands; the events that say so."""
        if self.state.reply is None:
            return []
        events = list(Conversation(self._scope(), self._settings).closing(reason))
        self.state.reply = None
        return events

    def check(self, inputs: Inputs) -> None:
        """Whether this may be given now; see `reply_stream` for what is raised."""
        reply = self.state.reply
        if not isinstance(inputs, ClientEvent):
            checked_messages(inputs)
            refuse_messages(self.name, self.pending)
        elif reply is not None and (below := reply.branch(inputs.reply_id)) is not None:
            worker_of(self._scope(), below).check(inputs)
        elif isinstance(inputs, UserInterruptEvent):
            check_interrupt(self.state, inputs)
        else:
            check_answer(self.state, inputs, self.toolkit)

    def _conversation(self, inputs: Inputs, schema: Schema | None) -> Conversation | None:
        """The open reply that `inputs` continue, or a new one; None for an interrupt when there is nothing to interrupt."""
        if self._busy:
            raise RuntimeError(
                f"{self.name!r} is answering already: read that stream to its end, or make another Agent."
            )
        self.check(inputs)
        if not isinstance(inputs, ClientEvent):
            wanted = json_schema(schema, self.toolkit)
            self.close(ReplyFinishedReason.INTERRUPTED)  # of a state whose process ended in the middle of a reply
            self._begin(checked_messages(inputs), wanted)
            self._schema = schema
        return Conversation(self._scope(), self._settings) if self.state.reply is not None else None

    def _begin(self, msgs: Sequence[Msg], schema_wanted: dict[str, Any] | None) -> None:
        answer = AssistantMsg(self.name, [])
        self.state.context += [*(msg.model_copy(deep=True) for msg in msgs), answer]
        self.state.reply = OpenReply(reply_id=answer.id, schema_wanted=schema_wanted)

    def _scope(self) -> Scope:
        reply = self.state.reply
        if reply is None:
            raise RuntimeError(f"{self.name!r} has no open reply.")
        schema = self._schema or reply.schema_wanted
        tools = [*self.toolkit, *([structured_tool(reply, schema)] if schema is not None else [])]
        return Scope(
            name=self.name,
            path=self._path,
            state=self.state,
            reply=reply,
            msg=self.state.context[-1],
            toolkit=Toolkit(tools) if schema is not None else self.toolkit,
            overruling=self._overruling,
            tag=self._tag,
            workers=self._workers,
        )
