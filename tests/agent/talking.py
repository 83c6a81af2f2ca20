"""Short words for the tests of the agent: what a model says, what a person answers, what was heard."""

from typing import Any

from nb_agentscope.agent import Agent
from nb_agentscope.event import AgentEvent, ConfirmResult, RequireUserConfirmEvent, UserConfirmResultEvent
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.model import ScriptedModel
from nb_agentscope.permission import PermissionRule
from nb_agentscope.stream import NOTE_KEY


def call(name: str, input: str = "{}", id: str = "c1") -> ToolCallBlock:
    return ToolCallBlock(id=id, name=name, input=input)


def rule(name: str, behavior: str = "allow", content: str | None = None) -> PermissionRule:
    return PermissionRule(tool_name=name, rule_content=content, behavior=behavior, source="test")


def agent_of(*answers: Any, tools: Any = (), name: str = "assistant", **options: Any) -> Agent:
    """An agent whose model gives these answers, each item in one chunk."""
    return Agent(name, "Be brief.", ScriptedModel(list(answers), chunk_size=None), tools, **options)


async def listen(agent: Agent, inputs: Any = "go", **options: Any) -> list[AgentEvent]:
    return [event async for event in agent.reply_stream(inputs, **options)]


async def overhear(agent: Agent, inputs: Any = "go", **options: Any) -> tuple[list[AgentEvent], BaseException | None]:
    """The events, and what was raised after them."""
    heard: list[AgentEvent] = []
    try:
        async for event in agent.reply_stream(inputs, **options):
            heard.append(event)  # noqa: PERF401 - what came before the error counts
    except BaseException as error:
        return heard, error
    return heard, None


def types(events: list[AgentEvent]) -> list[str]:
    return [str(event.type) for event in events]


def of_type(events: list[AgentEvent], kind: str) -> list[Any]:
    return [event for event in events if event.type == kind]


def lane(events: list[AgentEvent], source: str | None) -> list[AgentEvent]:
    return [event for event in events if event.metadata.get("source") == source]


def requests(events: list[AgentEvent]) -> list[RequireUserConfirmEvent]:
    return of_type(events, "REQUIRE_USER_CONFIRM")


def results(events: list[AgentEvent]) -> dict[str, tuple[str, str]]:
    """By call id: state and text of each result that has ended, in the order of the ends."""
    texts: dict[str, str] = {}
    for event in of_type(events, "TOOL_RESULT_TEXT_DELTA"):
        texts[event.tool_call_id] = texts.get(event.tool_call_id, "") + event.delta
    ends = of_type(events, "TOOL_RESULT_END")
    return {end.tool_call_id: (str(end.state), texts.get(end.tool_call_id, "")) for end in ends}


def said(
    *asked: RequireUserConfirmEvent,
    yes: bool = True,
    rules: Any = None,
    note: str | None = None,
    **changed: Any,
) -> UserConfirmResultEvent:
    """What a person answers to these requests of one reply; `changed` is what they changed in the calls."""
    blocks = [block.model_copy(deep=True, update=changed) for request in asked for block in request.tool_calls]
    return UserConfirmResultEvent(
        reply_id=asked[0].reply_id,
        confirm_results=[ConfirmResult(confirmed=yes, tool_call=block, rules=rules) for block in blocks],
        metadata={NOTE_KEY: note} if note else {},
    )
