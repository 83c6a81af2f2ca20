"""The agent: a light reason-act loop over a model and tools, which yields AgentScope's events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from nb_agentscope._common import check_count, check_wait
from nb_agentscope.agent._conversation import Settings
from nb_agentscope.agent._core import Core
from nb_agentscope.agent._hints import Hint
from nb_agentscope.agent._incoming import ClientEvent, Inputs, checked_messages
from nb_agentscope.agent._made_of import (
    check_model,
    check_names,
    check_rules,
    check_state,
    checked_hints,
)
from nb_agentscope.agent._reason import Models
from nb_agentscope.agent._state import AgentState, new_state, parsed_rule
from nb_agentscope.agent._steering import StructuredReplies, refusal, schemas
from nb_agentscope.agent._structured import STRUCTURED_TOOL, Schema, json_schema
from nb_agentscope.agent._sub_agent import SubAgentTool, check_sub_agents, sub_agent_tool
from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.message import AssistantMsg, Msg
from nb_agentscope.model import ChatModel
from nb_agentscope.permission import PermissionMode, PermissionRule
from nb_agentscope.stream import STRUCTURED_KEY
from nb_agentscope.tools import Tool, Toolkit

if TYPE_CHECKING:
    from nb_agentscope.run import Run
    from nb_agentscope.widget import AgentWidget

_GRACE_S = 0.3


class Agent(Core):
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
        max_iters: Rounds with tools in one reply; after them the model is called once more, without tools (but for a
            structured output that is owed).
        max_parallel: Concurrent tools that run at a time.
        hints: Functions of the state, called before each model call; what they give is told to the model and shown.
        max_retries: How often the model is called again if a call fails before it has said anything.
        retry_wait_s: Seconds before the first retry; each further one waits twice as long.
        fallback_model: Asked when the model has failed for good.
        state: Memory of an earlier agent, to go on with; then `mode`, `rules` and `working_dirs` are the state's.

    Raises:
        TypeError: An argument is of a wrong kind.
        ValueError: Two tools or sub-agents have one name, a number is too small, there is no such mode, or a rule can match no
            call of its tool.
    """

    def __init__(
        self,
        name: str,
        system_prompt: str | None,
        model: ChatModel,
        tools: Iterable[Tool | Callable[..., Any]] = (),
        *,
        mode: PermissionMode | str = PermissionMode.DEFAULT,
        rules: Iterable[PermissionRule | Mapping[str, Any]] = (),
        working_dirs: Iterable[str | PathLike[str]] | None = None,
        max_iters: int = 50,
        max_parallel: int = 8,
        hints: Sequence[Hint] = (),
        max_retries: int = 0,
        retry_wait_s: float = 1.0,
        fallback_model: ChatModel | None = None,
        state: AgentState | None = None,
    ) -> None:
        check_names(name, system_prompt)
        for what, number, least in (("max_iters", max_iters, 1), ("max_parallel", max_parallel, 1)):
            check_count(what, number, least)
        check_count("max_retries", max_retries, 0)
        check_wait("retry_wait_s", retry_wait_s)
        for given in (model, *([fallback_model] if fallback_model is not None else [])):
            check_model(given)
        if state is not None:
            check_state(state)
        toolkit = Toolkit(tools)
        if state is None:
            state = new_state(mode, rules, working_dirs)
            check_rules(state.rules, toolkit)  # those of an earlier agent were taken already
        check_sub_agents(toolkit, state)
        models = Models(model, fallback_model, max_retries, retry_wait_s)
        grace_s = _GRACE_S + max((tool.agent.grace_s for tool in toolkit if isinstance(tool, SubAgentTool)), default=0)
        settings = Settings(models, system_prompt or "", checked_hints(hints), max_iters, max_parallel, grace_s)
        super().__init__(name, toolkit, state, settings)
        self.model = model

    # -- what it knows -----------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> list[PermissionRule]:
        """A copy of the rules in force; those accepted with an approval come last."""
        return list(self.state.rules)

    def add_rule(self, rule: PermissionRule | Mapping[str, Any]) -> None:
        """Put a rule in force for the calls from now on.

        Raises:
            ValueError: It is no rule, or can match no call of its tool.
        """
        given = parsed_rule(rule)
        check_rules([given], self.toolkit)
        self.state.rules.append(given)

    def revoke(self, rule: PermissionRule | Mapping[str, Any]) -> None:
        """Take a rule out of force.

        Raises:
            ValueError: There is no such rule.
        """
        given = parsed_rule(rule)
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

        return start(self._streams(structured_schema), _startable(msg), **self._about(structured_schema) | options)

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

    def _streams(self, schema: Schema | None) -> Any:
        """What a Run reads: this agent, or one that gives a structured output."""
        json_schema(schema, self.toolkit)
        return self if schema is None else StructuredReplies(self, schema)

    def _about(self, schema: Schema | None) -> dict[str, Any]:
        """What a Run should know of this agent."""
        wanted = json_schema(schema, self.toolkit)
        return {
            "owner": self,
            "name": self.name,
            "model": self.model.name,
            "tools": [tool.name for tool in self.toolkit],
            "tool_schemas": schemas(self) | ({STRUCTURED_TOOL: wanted} if wanted is not None else {}),
            "check": partial(refusal, self),
        }


def _startable(inputs: Inputs) -> Any:
    """Inputs that a Run may log; refused before it begins."""
    return inputs if isinstance(inputs, ClientEvent) else checked_messages(inputs) or None
