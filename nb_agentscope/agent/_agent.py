"""The agent: a light reason-act loop over a model and tools, which yields AgentScope's events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from nb_agentscope.agent._conversation import Conversation, Settings
from nb_agentscope.agent._hints import Hint
from nb_agentscope.agent._incoming import (
    ClientEvent,
    Inputs,
    check_answer,
    checked_messages,
    refuse_messages,
)
from nb_agentscope.agent._reason import Models
from nb_agentscope.agent._scope import Overruling, Scope
from nb_agentscope.agent._state import AgentState, OpenReply, new_state
from nb_agentscope.agent._steering import StructuredReplies, refusal, schemas
from nb_agentscope.agent._structured import Schema, json_schema, structured_tool
from nb_agentscope.agent._sub_agent import SubAgentTool, sub_agent_tool, worker_of
from nb_agentscope.event import AgentEvent, EventType, UserInterruptEvent
from nb_agentscope.message import AssistantMsg, Msg, ReplyFinishedReason, ToolCallBlock, ToolCallState
from nb_agentscope.model import ChatModel
from nb_agentscope.permission import PermissionMode, PermissionRule
from nb_agentscope.stream import STRUCTURED_KEY
from nb_agentscope.tools import Tool, Toolkit

if TYPE_CHECKING:
    from nb_agentscope.run import Run
    from nb_agentscope.widget import AgentWidget

_GRACE_S = 0.3
_WAITING = (ToolCallState.ASKING, ToolCallState.SUBMITTED)


class Agent:
    """Answers messages with a model that may call tools; people approve, change or deny what the tools do.

    Its context for a reply is the fold of the events that it yields.

    Args:
        name: Its name in events, messages and tables.
        system_prompt: What the model is told first.
        model: The chat model.
        tools: Tools, or functions with annotated parameters.
        mode: What happens to calls that no rule is about; see `PermissionMode`.
        rules: Permission rules in force from the start.
        working_dirs: Folders in which the mode `accept_edits` lets files be changed; by default the current one.
        max_iters: Rounds with tools in one reply; after them the model is called once more, without tools.
        max_parallel: Concurrent tools that run at a time.
        hints: Functions of the state, called before each model call; what they give is told to the model and shown.
        max_retries: How often the model is called again if a call fails before it has said anything.
        retry_wait_s: Seconds before the first retry; each further one waits twice as long.
        fallback_model: Asked when the model has failed for good.
        state: Memory of an earlier agent, to go on with; then `mode`, `rules` and `working_dirs` are the state's.

    Raises:
        TypeError: A tool or the model is none.
        ValueError: Two tools have one name, or a number is too small.
    """

    def __init__(
        self,
        name: str,
        system_prompt: str,
        model: ChatModel,
        tools: Iterable[Tool | Callable[..., Any]] = (),
        *,
        mode: PermissionMode | str = PermissionMode.DEFAULT,
        rules: Iterable[PermissionRule | Mapping[str, Any]] = (),
        working_dirs: Iterable[str] | None = None,
        max_iters: int = 50,
        max_parallel: int = 8,
        hints: Sequence[Hint] = (),
        max_retries: int = 0,
        retry_wait_s: float = 1.0,
        fallback_model: ChatModel | None = None,
        state: AgentState | None = None,
    ) -> None:
        for what, number in (("max_iters", max_iters), ("max_parallel", max_parallel)):
            if number < 1:
                raise ValueError(f"{what} must be at least 1, got {number}.")
        for given in (model, *([fallback_model] if fallback_model is not None else [])):
            if not isinstance(given, ChatModel):
                raise TypeError(
                    f"A model needs a name and a method stream(messages, tools), got {type(given).__name__}."
                )
        self.name = name
        self.model = model
        self.toolkit = Toolkit(tools)
        self.state = state or new_state(mode, rules, working_dirs)
        models = Models(model, fallback_model, max_retries, retry_wait_s)
        grace_s = _GRACE_S + max(
            (tool.agent.grace_s for tool in self.toolkit if isinstance(tool, SubAgentTool)), default=0
        )
        self._settings = Settings(models, system_prompt, tuple(hints), max_iters, max_parallel, grace_s)
        self._overruling = Overruling()
        self._path = name
        self._tag: Mapping[str, str] = {}
        self._workers: dict[str, Agent] = {}
        self._schema: Schema | None = None
        self._busy = False

    # -- what it knows -----------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> list[PermissionRule]:
        """A copy of the rules in force; those accepted with an approval come last."""
        return list(self.state.rules)

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

    def add_rule(self, rule: PermissionRule | Mapping[str, Any]) -> None:
        """Put a rule in force for the calls from now on."""
        self.state.rules.append(PermissionRule.model_validate(rule))

    def revoke(self, rule: PermissionRule | Mapping[str, Any]) -> None:
        """Take a rule out of force.

        Raises:
            ValueError: There is no such rule.
        """
        given = PermissionRule.model_validate(rule)
        if given not in self.state.rules:
            raise ValueError(f"There is no such rule to revoke: {given!r}; see .rules for those in force.")
        self.state.rules[:] = [other for other in self.state.rules if other != given]

    def __repr__(self) -> str:
        return f"<Agent {self.name!r} with {self.model.name}, {len(list(self.toolkit))} tools, mode {self.state.mode}>"

    # -- what it does ------------------------------------------------------------------------------------------------------

    async def reply_stream(
        self, inputs: Inputs = None, structured_schema: Schema | None = None
    ) -> AsyncGenerator[AgentEvent, None]:
        """Answer, event by event. A reply that waits for a person ends its stream without REPLY_END.

        A cancellation of the task ends the reply `interrupted`, and the stream normally.

        Args:
            inputs: Text, a Msg, a list of Msg, or None; for a reply that waits, one of the three client events.
            structured_schema: Model class or JSON schema of the output that the model must give.

        Raises:
            TypeError: `inputs` or `structured_schema` is of a wrong kind.
            ValueError: A message that may not be given, now or ever, or an answer that nothing waits for.
            RuntimeError: Another reply of this agent is being read.
            Exception: What the model raised, after the REPLY_END that tells of it.
        """
        conversation = self._conversation(inputs, structured_schema)
        if conversation is None:
            return
        self._busy = True
        try:
            given = inputs if isinstance(inputs, ClientEvent) else None
            async with aclosing(conversation.events(given)) as events:
                async for event in events:
                    yield event
        finally:
            self._busy = False

    async def reply(self, inputs: Inputs = None, structured_schema: Schema | None = None) -> Msg:
        """Answer; the arguments and exceptions are those of `reply_stream`.

        Returns:
            A copy of the reply's message. While it waits for someone, it is not finished (`finished_at` is None), and `pending`
            holds the calls. A structured output is in `structured_output`.
        """
        output = None
        async for event in self.reply_stream(inputs, structured_schema):
            output = event.metadata.get(STRUCTURED_KEY) if event.type == EventType.REPLY_END else None
        if not self.state.context:
            return AssistantMsg(self.name, [])
        return self.state.context[-1].model_copy(deep=True, update={"structured_output": output})

    async def observe(self, msgs: str | Msg | Sequence[Msg] | None) -> None:
        """Take messages into the context without answering; those given during a reply stand before it."""
        place = len(self.state.context) - (self.state.reply is not None)
        self.state.context[place:place] = [msg.model_copy(deep=True) for msg in checked_messages(msgs)]

    def start(self, msg: Inputs = None, *, structured_schema: Schema | None = None, **options: Any) -> Run:
        """Start a reply that runs by itself; returns at once. `options` are those of `Run`."""
        from nb_agentscope.run import start

        return start(self._streams(structured_schema), _startable(msg), **self._about() | options)

    def widget(self, msg: Inputs = None, **options: Any) -> AgentWidget:
        """Start a reply and give the widget that shows it; `options` are those of `Run` and of `AgentWidget`."""
        from nb_agentscope.widget import show

        return show(self.start, msg, **options)

    def as_tool(
        self, name: str | None = None, description: str | None = None, *, concurrent: bool = True
    ) -> SubAgentTool:
        """This agent as a tool of another one; each call works with an empty context.

        Args:
            name: The tool's name; the agent's by default.
            description: What the other model is told about it.
            concurrent: Whether several may work at once.

        Raises:
            ValueError: The agent's name holds a `/`, which separates the names in a path of agents.
        """
        return sub_agent_tool(self, name, description, concurrent=concurrent)

    # -- inside ------------------------------------------------------------------------------------------------------------

    def spawn(
        self, path: str, tag: Mapping[str, str], overruling: Overruling, state: AgentState | None = None
    ) -> Agent:
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
        elif reply is not None and inputs.reply_id in reply.sub_replies:
            worker_of(self._scope(), inputs.reply_id).check(inputs)
        elif not isinstance(inputs, UserInterruptEvent):
            check_answer(self.state.context[-1] if reply is not None else None, inputs, self.toolkit)

    def _conversation(self, inputs: Inputs, schema: Schema | None) -> Conversation | None:
        """The open reply that `inputs` continue, or a new one; None for an interrupt when there is nothing to interrupt."""
        if self._busy:
            raise RuntimeError(
                f"{self.name!r} is answering already: read that stream to its end, or make another Agent."
            )
        self.check(inputs)
        if not isinstance(inputs, ClientEvent):
            wanted = json_schema(schema)
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

    def _streams(self, schema: Schema | None) -> Any:
        """What a Run reads: this agent, or one that gives a structured output."""
        json_schema(schema)
        return self if schema is None else StructuredReplies(self, schema)

    def _about(self) -> dict[str, Any]:
        """What a Run should know of this agent."""
        return {
            "owner": self,
            "name": self.name,
            "model": self.model.name,
            "tools": [tool.name for tool in self.toolkit],
            "tool_schemas": schemas(self),
            "check": partial(refusal, self),
        }


def _startable(inputs: Inputs) -> Any:
    """Inputs that a Run may log; refused before it begins."""
    return inputs if isinstance(inputs, ClientEvent) else checked_messages(inputs) or None
