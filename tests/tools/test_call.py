"""Every kind of function gives one stream of chunks."""

import asyncio
import functools
import threading
from contextlib import aclosing

import pytest

from nb_agentscope.message import TextBlock, ToolResultState
from nb_agentscope.tools import ToolChunk, ToolError, ToolOutputError, progress, tool


def plain() -> str:
    return "ab"


def generator():
    yield "a"
    yield "b"


def generator_that_returns():
    yield "a"
    return "b"


async def later() -> str:
    await asyncio.sleep(0)
    return "ab"


async def streams():
    yield "a"
    await asyncio.sleep(0)
    yield "b"


async def gives_stream():
    return streams()


async def gives_generator():
    return generator()


def gives_later():
    return later()


def gives_streams():
    return streams()


class Callable:
    async def __call__(self) -> str:
        return "ab"


class StreamingCallable:
    async def __call__(self):
        yield "ab"


KINDS = [
    plain,
    generator,
    generator_that_returns,
    later,
    streams,
    gives_stream,
    gives_generator,
    gives_later,
    gives_streams,
    functools.partial(later),
    functools.partial(streams),
    Callable(),
    StreamingCallable(),
]


def said(chunks):
    return "".join(block.text for chunk in chunks for block in chunk.content)


async def run(function, arguments=None, **options):
    return [chunk async for chunk in tool(function, **options).run(arguments or {})]


@pytest.mark.parametrize("function", KINDS, ids=lambda f: getattr(f, "__name__", type(f).__name__))
async def test_every_kind_says_the_same(function):
    assert said(await run(function)) == "ab"


@pytest.mark.parametrize("function", [later, streams, Callable()])
async def test_async_functions_stay_on_the_loop(function):
    before = threading.active_count()
    async with aclosing(tool(function).run({})) as chunks:
        async for _ in chunks:
            assert threading.active_count() == before


async def test_plain_functions_do_not_hold_the_loop_up():
    first, second = threading.Event(), threading.Event()

    def one():
        first.set()
        assert second.wait(20)
        return "1"

    def two():
        second.set()
        assert first.wait(20)
        return "2"

    assert [said(chunks) for chunks in await asyncio.gather(run(one), run(two))] == ["1", "2"]


async def fails_later():
    raise LookupError("gone")


def fails():
    raise LookupError("gone")


def fails_midway():
    yield "a"
    raise LookupError("gone")


async def fails_midway_later():
    yield "a"
    raise LookupError("gone")


@pytest.mark.parametrize("function", [fails, fails_later, fails_midway, fails_midway_later])
async def test_an_exception_is_the_callers(function):
    seen = []
    with pytest.raises(LookupError, match=r"^gone$"):
        seen += await run(function)
    assert seen == []


async def test_a_tool_error_is_a_result():
    def refuses():
        yield "so far, "
        raise ToolError("no such file", metadata={"errno": 2})

    before, last = await run(refuses)
    assert (said([before]), said([last])) == ("so far, ", "no such file")
    assert (last.state, last.metadata) == (ToolResultState.ERROR, {"errno": 2})


async def test_what_is_no_result_is_an_error():
    with pytest.raises(ToolOutputError, match="which is no result"):
        await run(lambda: object(), name="odd")


async def test_progress_and_chunks_pass_through():
    chunk = ToolChunk([TextBlock(text="x")], metadata={"k": 1})

    def works():
        yield progress(1, 3, "reading")
        yield chunk

    first, second = await run(works)
    assert first == ToolChunk(metadata={"mcp_progress": {"progress": 1, "total": 3, "message": "reading"}})
    assert second is chunk


async def test_closing_closes_an_async_generator_at_once():
    closed = []

    async def endless():
        try:
            while True:
                yield "a"
        finally:
            closed.append(True)

    async with aclosing(tool(endless).run({})) as chunks:
        await anext(chunks)
    assert closed == [True]


async def test_cancelling_reaches_an_async_function():
    states, started = [], asyncio.Event()

    async def waits():
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            states.append("cancelled")
            raise

    task = asyncio.create_task(run(waits))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert states == ["cancelled"]


async def test_an_external_tool_does_not_run():
    with pytest.raises(RuntimeError, match=r"^The tool 'plain' is external: its result comes from outside"):
        await run(plain, external=True)
