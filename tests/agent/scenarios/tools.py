"""What tools do: in turn and at once, with arguments in pieces, with errors, pictures, progress."""

import asyncio

from nb_agentscope.message import DataBlock, TextBlock, ToolResultState, URLSource
from nb_agentscope.model import CallDelta, ChatChunk
from nb_agentscope.tools import ToolChunk, tool
from tests.agent.scenarios._scenario import Scenario, calls, calls_at_once, data, says, scenario, used


@scenario
def batched_tools():
    """two not concurrency safe calls and one concurrent: batches"""

    @tool(read_only=True, concurrent=False)
    async def seq(x: str) -> str:
        return f"seq {x}"

    @tool(read_only=True, concurrent=True)
    async def conc(x: str) -> str:
        return f"conc {x}"

    four = calls_at_once(
        ("c1", "seq", '{"x":"1"}'), ("c2", "seq", '{"x":"2"}'), ("c3", "conc", '{"x":"3"}'), ("c4", "seq", '{"x":"4"}')
    )
    return Scenario(script=[four, says("ok")], tools=[seq, conc])


@scenario
def parallel_tools():
    """three concurrency safe tool calls run in parallel, one of them streams chunks"""
    begun, done = asyncio.Event(), {"A": asyncio.Event(), "C": asyncio.Event()}

    @tool(read_only=True, concurrent=True)
    async def quick(x: str):
        if x == "A":
            await begun.wait()  # the first call waits until all three have begun
        else:
            begun.set()
            await done["A"].wait()
        yield f"quick {x}"
        done[x].set()

    @tool(read_only=True, concurrent=True)
    async def slow():
        yield "one "
        await done["C"].wait()
        yield "two "
        yield "three"

    three = calls_at_once(
        ("call_a", "quick", '{"x": "A"}'), ("call_b", "slow", "{}"), ("call_c", "quick", '{"x": "C"}'), usage=(40, 22)
    )
    last = says("All three ", "are done.", usage=(80, 6))
    return Scenario(script=[[*says("Working on it."), *three], last], tools=[quick, slow])


@scenario
def streaming_tool_args():
    """tool arguments streamed in many small fragments, interleaved over two calls"""

    @tool(read_only=True, concurrent=True)
    async def weather(city: str, days: int) -> str:
        return f"{city}: sunny for {days} days"

    first = _fours('{"city": "\u5317\u4eac", "days": 3}')
    second = _fours('{"city": "Z\xfcrich \\"Hb\\"", "days": 10}')
    chunks = [
        ChatChunk(
            calls=[
                CallDelta(id, "weather", pieces[i])
                for id, pieces in (("call_1", first), ("call_2", second))
                if i < len(pieces)
            ]
        )
        for i in range(len(second))
    ]
    return Scenario(script=[[*chunks, *used((30, 40))], says("Sunny.", usage=(60, 3))], tools=[weather])


def _fours(text):
    return [text[i : i + 4] for i in range(0, len(text), 4)]


@scenario
def empty_tool_args():
    """tool without arguments: empty input string"""

    @tool(read_only=True, concurrent=True)
    async def now() -> str:
        return "12:00"

    return Scenario(script=[calls("c1", "now", ""), says("It is noon.")], tools=[now])


@scenario
def invalid_json_args():
    """model sends arguments that cannot be parsed as an object"""

    @tool(read_only=True, concurrent=True)
    async def echo(x: str) -> str:
        return x

    @tool(read_only=True, concurrent=True)
    async def typed(n: int) -> str:
        return str(n)

    script = [calls("c1", "echo", "[1,", " 2]"), calls("c2", "typed", '{"n": ', '"abc"}'), says("Sorry.")]
    return Scenario(script=script, tools=[echo, typed])


@scenario
def tool_error():
    """tool raises an exception; a second one reports state error itself after partial output"""

    @tool(read_only=True, concurrent=True)
    async def boom(x: str) -> str:
        raise ZeroDivisionError(f"division by zero: {x}")

    @tool(read_only=True, concurrent=True)
    async def part():
        yield "partial line\n"
        yield ToolChunk([TextBlock(text="disk full")], state=ToolResultState.ERROR, metadata={"errno": 28})

    script = [calls("c1", "boom", '{"x":', ' "1"}'), calls("c2", "part", "{", "}"), says("Both failed.")]
    return Scenario(script=script, tools=[boom, part])


@scenario
def tool_multimodal():
    """tool output: text, two base64 chunks of one image, url data, text again, with metadata"""
    picture = bytes(range(40))
    linked = URLSource(url="https://example.com/x%20y.png?q=1", media_type="image/png")

    @tool(read_only=True, concurrent=True)
    async def shot():
        yield ToolChunk([TextBlock(text="Screenshot: "), data("img1", picture[:7], "image/png", "a.png")])
        yield ToolChunk([data("img1", picture[7:], "image/png", "a.png")], metadata={"width": 4})
        yield ToolChunk([DataBlock(id="url1", source=linked), TextBlock(text="done")], metadata={"tags": ["a", "b"]})
        yield "!"

    script = [calls("c1", "shot", "{", "}", usage=(5, 5)), says("Here it is.", usage=(9, 4))]
    return Scenario(script=script, tools=[shot])


@scenario
def custom_progress():
    """tool result metadata and mcp progress as CUSTOM events"""

    @tool(name="mcp__srv__job", read_only=True, concurrent=True)
    async def job():
        yield ToolChunk(metadata={"mcp_progress": {"progress": 1, "total": 2, "message": "half"}})
        yield ToolChunk(metadata={"mcp_progress": {"progress": 2, "total": 2, "message": None}})
        yield ToolChunk([TextBlock(text="full")], metadata={"k": "v"})

    return Scenario(script=[calls("c1", "mcp__srv__job", "{", "}"), says("ok")], tools=[job])


@scenario
def permission_denied():
    """explore mode denies a writing tool; a denying tool; a read only tool is allowed"""

    @tool(concurrent=True)
    async def write(x: str) -> str:
        raise AssertionError(f"written: {x}")

    @tool(read_only=True, concurrent=True)
    async def look() -> str:
        return "seen"

    @tool(concurrent=True)
    async def never() -> str:
        raise AssertionError("ran")

    three = calls_at_once(("c1", "write", '{"x":"f"}'), ("c2", "look", "{}"), ("c3", "never", "{}"))
    return Scenario(script=[three, says("Not allowed.")], tools=[write, look, never], options={"mode": "explore"})
