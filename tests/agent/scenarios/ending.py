"""How replies end early, and what the agent adds by itself: limits, errors, cancellations, hints, a demanded shape."""

import asyncio

from pydantic import BaseModel

from nb_agentscope.agent import current_time, repeated_failure
from nb_agentscope.model import ChatChunk
from nb_agentscope.tools import tool
from tests.agent.scenarios._scenario import Scenario, calls, calls_at_once, says, scenario


def _echo():
    @tool(read_only=True, concurrent=True)
    async def echo(x: str) -> str:
        return x

    return echo


@scenario
def cancel_during_text():
    """task cancelled while the model streams text"""
    return Scenario(script=[says("One, ", "two, ", "three.")], cancel_after="two, ")


@scenario
def cancel_during_tool():
    """task cancelled while a sequential tool runs; a second call had not started"""

    @tool(read_only=True, concurrent=False)
    async def slow():
        yield "started "
        await asyncio.Event().wait()

    @tool(read_only=True, concurrent=False)
    async def other() -> str:
        raise AssertionError("ran")

    two = calls_at_once(("c1", "slow", "{}"), ("c2", "other", "{}"))
    return Scenario(script=[two], tools=[slow, other], cancel_after="started ")


@scenario
def max_iters():
    """max_iters=2 reached; the forced last call gives text"""
    rounds = [calls("c1", "echo", '{"x":', ' "1"}'), calls("c2", "echo", '{"x":', ' "2"}')]
    return Scenario(script=[*rounds, says("So far: ", "2 steps.")], tools=[_echo()], options={"max_iters": 2})


@scenario
def model_error():
    """the model call fails: the generator raises, no REPLY_END"""
    failing = [ChatChunk(text="I was about"), RuntimeError("socket closed")]
    return Scenario(script=[calls("c1", "echo", '{"x":', ' "1"}'), failing], tools=[_echo()])


@scenario
def hints():
    """runtime state injection emits HINT_BLOCK; the clock of the hint is fixed"""

    @tool(read_only=True, concurrent=True)
    async def fail() -> str:
        raise RuntimeError("nope")

    rounds = [calls(id, "fail", "{", "}") for id in ("c1", "c2", "c3")]
    options = {"hints": [current_time, repeated_failure]}
    return Scenario(script=[*rounds, says("It is 8.")], tools=[fail], options=options)


class City(BaseModel):
    name: str
    people: int


@scenario
def structured_output():
    """structured output requested and given at once"""
    answer = calls("c1", "GenerateStructuredOutput", '{"name": "Berlin", ', '"people": 3700000}', usage=(7, 7))
    return Scenario(script=[answer], structured_schema=City)
