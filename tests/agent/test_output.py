"""A tool's output as events, and a tool that fails in any way as a result that the model can read."""

import asyncio
import sys

import pytest

from nb_agentscope import tool
from nb_agentscope.message import Base64Source, DataBlock, TextBlock, URLSource
from nb_agentscope.stream import fold, verify
from nb_agentscope.tools import ToolChunk, ToolError, progress
from tests.agent.talking import agent_of, call, listen, of_type, overhear, results, types

IMAGE = DataBlock(id="d", source=Base64Source(data="AAAA", media_type="image/png"))


async def run(function, **options):
    """The events of one call of this tool, which can be saved."""
    made = tool(function, read_only=True, name="f", **options)
    agent = agent_of([call("f"), call("fine", id="c2")], ["ok"], tools=[made, tool(fine, read_only=True)])
    events = await listen(agent)
    assert verify(events, complete=True) == []
    assert events[-1].finished_reason == "completed"
    assert results(events)["c2"] == ("success", "fine")
    assert agent.state.model_validate_json(agent.state.model_dump_json()) == agent.state
    assert all(event.model_dump_json() for event in events)
    assert agent.state.context[-1] == fold(events)
    return [event for event in events if getattr(event, "tool_call_id", "c1") == "c1"]


def fine() -> str:
    return "fine"


async def end(function, **options):
    """State, text and metadata of the result."""
    events = await run(function, **options)
    return (*results(events)["c1"], of_type(events, "TOOL_RESULT_END")[0].metadata)


async def test_text_data_and_nothing():
    def mixed() -> list:
        return ["a", IMAGE, TextBlock(text="b")]

    events = await run(mixed)
    deltas = [event for event in events if "DELTA" in event.type and event.type.startswith("TOOL_RESULT")]
    assert types(deltas) == ["TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_DATA_DELTA", "TOOL_RESULT_TEXT_DELTA"]
    assert (deltas[1].block_id, deltas[1].data, deltas[1].media_type) == ("d", "AAAA", "image/png")
    assert await end(lambda: None) == ("success", "", {})


async def test_data_by_url():
    block = DataBlock(source=URLSource(url="https://example.org/a.png", media_type="image/png"))
    events = await run(lambda: block)
    [delta] = of_type(events, "TOOL_RESULT_DATA_DELTA")
    assert (delta.url, delta.data) == ("https://example.org/a.png", None)


async def test_a_generator_streams_and_its_progress_is_shown_and_not_kept():
    async def count():
        yield "one "
        yield progress(1, 2, "half")
        yield ToolChunk((TextBlock(text="two"),), metadata={"n": 2})

    events = await run(count)
    [shown] = of_type(events, "CUSTOM")
    assert shown.name == "mcp_progress"
    assert shown.value == {
        "progress": 1,
        "total": 2,
        "message": "half",
        "reply_id": events[0].reply_id,
        "tool_call_id": "c1",
    }
    assert results(events)["c1"] == ("success", "one two")
    assert of_type(events, "TOOL_RESULT_END")[0].metadata == {"n": 2}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["running"], "success"),
        (["success", "running"], "success"),
        (["denied", "running"], "denied"),
        (["denied", "interrupted"], "interrupted"),
        (["interrupted", "success"], "interrupted"),
        (["error", "success"], "error"),
        (["error", "denied"], "error"),
    ],
)
async def test_the_state_of_a_result(said, expected):
    def talk():
        for state in said:
            yield ToolChunk((TextBlock(text="x"),), state)

    assert (await end(talk))[0] == expected


async def test_metadata_are_joined():
    def talk():
        yield ToolChunk(metadata={"a": 1, "b": 1})
        yield ToolChunk(metadata={"b": 2})

    assert (await end(talk))[2] == {"a": 1, "b": 2}


async def test_metadata_with_a_source_stay_with_their_result():
    """`source` marks a sub-agent's events, but where a text was found is no sub-agent."""
    made = ToolChunk((TextBlock(text="x"),), metadata={"source": "an encyclopedia", "parent_reply_id": "r"})
    assert await end(lambda: made) == ("success", "x", {"source": "an encyclopedia", "parent_reply_id": "r"})


class UnreadableError(Exception):
    def __str__(self):
        raise RuntimeError


def raising(error):
    def sync():
        raise error

    async def on_the_loop():
        raise error

    def generator():
        yield "begun "
        raise error

    return sync, on_the_loop, generator


@pytest.mark.parametrize("kind", [0, 1, 2])
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no"), "no"),
        (ValueError(), "ValueError"),
        (KeyError("x"), "KeyError: 'x'"),
        (ToolError("sorry"), "sorry"),
        (UnreadableError(), "(its text cannot be read)"),
        (ValueError("no \udc80"), "no �"),
        (ToolError("no \udc80"), "no �"),
        (ExceptionGroup("many", [ValueError(1)]), "many (1 sub-exception)"),
        (SystemExit(3), "The tool raised SystemExit: 3."),
        (BaseException("odd"), "The tool raised BaseException: odd."),
    ],
)
async def test_an_exception_is_an_error_result_and_the_reply_goes_on(error, text, kind):
    state, told, _ = await end(raising(error)[kind])
    assert (state, told.removeprefix("begun ")) == ("error", text)


async def test_the_metadata_of_a_tool_error_are_the_results():
    def fails():
        raise ToolError("sorry", metadata={"code": 7})

    assert await end(fails) == ("error", "sorry", {"code": 7})


async def test_a_keyboard_interrupt_in_a_thread_is_the_tools_on_the_loop_it_is_the_persons():
    sync, on_the_loop, _ = raising(KeyboardInterrupt())
    assert await end(sync) == ("error", "The tool raised KeyboardInterrupt.", {})
    agent = agent_of([call("f")], ["ok"], tools=[tool(on_the_loop, name="f", read_only=True)])
    events, error = await overhear(agent)
    assert isinstance(error, KeyboardInterrupt)
    assert events[-1].finished_reason == "interrupted"
    assert verify(events, complete=True) == []
    assert agent.state.reply is None


async def test_a_tool_that_waits_for_something_cancelled_has_failed():
    """AgentScope takes it for a stop of the whole reply."""

    async def lost():
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    assert await end(lost) == ("error", "The tool waited for something that was cancelled.", {})


async def test_endless_recursion_of_a_tool():
    def deeper():
        return deeper()

    assert (await end(deeper))[:2] == ("error", "maximum recursion depth exceeded")
    assert sys.getrecursionlimit() < 10_000


NOT_JSON = "The metadata of a ToolChunk must be what JSON can hold: "


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (object(), "A tool gave <object object at"),
        (b"\x00\x01", "A tool gave 2 bytes that are no PNG"),
        (ToolChunk("text"), "The content of a ToolChunk is a list of blocks, got 'text'"),
        (ToolChunk([5]), "The content of a ToolChunk is text and data blocks, got 5 of type int."),
        (
            ToolChunk(state="bogus"),
            "The state of a ToolChunk is one of success, error, interrupted, denied, running, got 'bogus'.",
        ),
        (ToolChunk(metadata=5), "The metadata of a ToolChunk are a dict, got 5 of type int."),
        (ToolChunk(metadata={"x": object()}), NOT_JSON),
        (
            ToolChunk(metadata={"mcp_progress": 5}),
            "The mcp_progress of a ToolChunk is a dict, got 5 of type int: use progress",
        ),
        (ToolChunk(metadata={"mcp_progress": {"progress": object()}}), NOT_JSON),
    ],
)
async def test_nonsense_is_an_error_result(value, text):
    """AgentScope says success first and then lets a developer's error leave the stream."""

    def nonsense():
        yield "a "
        yield value

    state, told, _ = await end(nonsense)
    assert (state, told[2 : 2 + len(text)]) == ("error", text)
    assert "\n" not in told


async def test_a_chunks_state_may_be_plain_text_and_its_metadata_what_becomes_json():
    def talk():
        return ToolChunk((TextBlock(text="x"),), "error", {"when": (1, 2)})

    assert await end(talk) == ("error", "x", {"when": [1, 2]})
