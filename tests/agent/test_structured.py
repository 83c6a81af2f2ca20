"""Structured output: a tool that the model must call; its argument is the output."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel, RootModel

from nb_agentscope import tool
from nb_agentscope.agent import AgentState
from nb_agentscope.stream import STRUCTURED_KEY, fold, verify
from tests.agent.talking import agent_of, call, listen, overhear, requests, results, said, types

NAME = "GenerateStructuredOutput"


class City(BaseModel):
    name: str
    people: int = 0


SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def gives(input, id="c1"):
    return call(NAME, input, id)


@pytest.mark.parametrize(("schema", "output"), [(City, {"name": "Rome", "people": 0}), (SCHEMA, {"name": "Rome"})])
async def test_the_output_is_on_the_message_and_in_the_last_event(schema, output):
    agent = agent_of([gives('{"name": "Rome"}')], ["more"])
    reply = await agent.reply("x", structured_schema=schema)
    assert reply.structured_output == output
    assert len(agent.model.calls) == 1, "it ends the reply"
    assert [spec.name for spec in agent.model.calls[0].tools] == [NAME]
    assert (await agent.reply("y")).structured_output is None
    assert agent.model.calls[1].tools == []


async def test_it_is_an_ordinary_call_in_the_events():
    agent = agent_of([gives('{"name": "Rome"}')])
    events = await listen(agent, structured_schema=City)
    assert results(events)["c1"] == ("success", "The output was taken.")
    assert events[-1].metadata == {STRUCTURED_KEY: {"name": "Rome", "people": 0}}
    assert verify(events, complete=True) == []
    assert agent.state.context[-1] == fold(events)


async def test_text_before_it_does_not_end_the_reply():
    agent = agent_of(["Let me see."], [gives('{"name": "Rome"}')])
    assert (await agent.reply("x", City)).structured_output == {"name": "Rome", "people": 0}


@pytest.mark.parametrize("schema", [City, SCHEMA])
async def test_what_does_not_fit_goes_back_to_the_model(schema):
    agent = agent_of([gives('{"name": {"a": 1}}')], [gives('{"name": "Rome"}', "c2")])
    events = await listen(agent, structured_schema=schema)
    assert [state for state, _ in results(events).values()] == ["error", "success"]
    assert events[-1].finished_reason == "completed"


async def test_beside_a_call_that_asks_it_waits():
    @tool(concurrent=True)
    def ask() -> str:
        return "asked"

    agent = agent_of([gives('{"name": "Rome"}'), call("ask", id="c2")], tools=[ask])
    events = await listen(agent, structured_schema=City)
    assert "REPLY_END" not in types(events)
    saved = AgentState.model_validate_json(agent.state.model_dump_json())
    for one in (agent, agent_of(tools=[ask], state=saved)):
        more = await listen(one, said(*requests(events)))
        assert more[-1].metadata[STRUCTURED_KEY]["name"] == "Rome"


async def test_it_may_be_given_when_the_rounds_are_used_up():
    @tool(read_only=True)
    def look() -> str:
        return "seen"

    agent = agent_of([call("look")], [gives('{"name": "Rome"}')], tools=[look], max_iters=1)
    reply = await agent.reply("x", structured_schema=City)
    assert reply.structured_output == {"name": "Rome", "people": 0}
    assert reply.finished_reason == "completed"
    last = agent.model.calls[-1]
    assert (last.tool_choice, [spec.name for spec in last.tools]) == ("required", [NAME])


async def test_a_model_that_never_gives_it():
    agent = agent_of(["no"], ["no"], ["no"], max_iters=2)
    reply = await agent.reply("x", City)
    assert (reply.finished_reason, reply.structured_output) == ("exceed_max_iters", None)


class Calls(BaseModel):
    x: Callable[[int], int]


KINDS = "structured_schema must be a pydantic model class or a JSON schema with type object, got "


@pytest.mark.parametrize(
    ("schema", "error", "text"),
    [
        (int, TypeError, KINDS + "<class 'int'>."),
        (5, TypeError, KINDS + "5."),
        ([], TypeError, KINDS + "[]."),
        (City(name="x"), TypeError, KINDS),
        ({"type": "array"}, TypeError, KINDS),
        (RootModel[list[int]], TypeError, KINDS),
        (Calls, TypeError, "structured_schema <class '"),
        ({"type": "object", "properties": 5}, ValueError, "structured_schema cannot be used: "),
        ({"type": "object", "properties": {"x": {"type": "yolo"}}}, ValueError, "structured_schema cannot be used: "),
        ({"type": "object", "x": object()}, ValueError, "structured_schema cannot be used: "),
    ],
)
async def test_a_schema_that_is_none(schema, error, text):
    agent = agent_of(["ok"])
    events, raised = await overhear(agent, structured_schema=schema)
    assert (events, type(raised)) == ([], error)
    assert str(raised).startswith(text)
    assert "\n" not in str(raised)
    with pytest.raises(error):
        agent.start("x", structured_schema=schema)
    assert agent.state.context == []
    assert (await agent.reply("again")).get_text_content() == "ok", "nothing is left of it"


async def test_an_own_tool_of_that_name():
    @tool(name=NAME, read_only=True)
    def own() -> str:
        return "own"

    agent = agent_of([call(NAME)], ["ok"], tools=[own])
    _, raised = await overhear(agent, structured_schema=City)
    assert str(raised) == f"The tool that takes the structured output is called {NAME!r}: give your own another name."
    assert results(await listen(agent))["c1"] == ("success", "own"), "without a schema it is a tool like any other"
