"""A thread that makes items: bounded while it is read, left alone afterwards."""

import asyncio
import contextvars
import logging
import subprocess
import sys
import textwrap
import threading
from contextlib import aclosing

import pytest

from nb_agentscope.tools._thread import AHEAD, in_thread

NAME = "tool under test"


def threads():
    return [thread for thread in threading.enumerate() if thread.name == NAME]


async def gone(limit=20):
    """Wait until no thread of ours is left."""
    for thread in threads():
        await asyncio.to_thread(thread.join, limit)
    assert threads() == []


async def test_items_come_in_order_from_one_other_thread():
    seen = set()

    def numbers():
        for number in range(1000):
            seen.add(threading.get_ident())
            yield number

    assert [item async for item in in_thread(numbers, NAME)] == list(range(1000))
    assert len(seen) == 1
    assert threading.get_ident() not in seen
    await gone()


async def test_context_variables_are_kept():
    variable = contextvars.ContextVar("variable", default="none")
    variable.set("mine")

    def read():
        yield variable.get()

    assert [item async for item in in_thread(read, NAME)] == ["mine"]


async def test_a_generator_without_end_waits_for_its_reader_and_is_closed():
    pulled, closed = [], []

    def endless():
        try:
            while True:
                pulled.append(threading.get_ident())
                yield len(pulled)
        finally:
            closed.append(threading.get_ident())

    async with aclosing(in_thread(endless, NAME)) as items:
        for read in range(1, 100):
            assert await anext(items) == read
            assert len(pulled) <= read + AHEAD
        await asyncio.to_thread(threads()[0].join, 0.05)  # it would run on, if it could
        assert len(pulled) <= 99 + AHEAD
    await gone()
    assert closed == [pulled[0]]
    assert len(pulled) <= 99 + AHEAD


async def test_who_is_cancelled_returns_while_the_thread_still_blocks(caplog):
    caplog.set_level(logging.DEBUG, "nb_agentscope")
    started, release = threading.Event(), threading.Event()

    def blocks():
        started.set()
        release.wait(60)
        yield "too late"
        raise AssertionError("pulled once more")

    async def read():
        return [item async for item in in_thread(blocks, NAME)]

    task = asyncio.create_task(read())
    await asyncio.to_thread(started.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(threads()) == 1
    release.set()
    await gone()
    assert caplog.records == []


async def test_an_error_that_nobody_waits_for_is_only_logged(caplog):
    caplog.set_level(logging.DEBUG, "nb_agentscope")
    started, release = threading.Event(), threading.Event()

    def fails():
        yield 1
        started.set()
        release.wait(60)
        raise ValueError("late")

    items = in_thread(fails, NAME)
    await anext(items)
    await asyncio.to_thread(started.wait, 20)
    await items.aclose()
    release.set()
    await gone()
    assert [record.getMessage() for record in caplog.records] == ["A tool that was left alone failed."]


async def test_an_error_comes_after_the_items_before_it():
    def fails():
        yield 1
        yield 2
        raise KeyError("k")

    seen, items = [], in_thread(fails, NAME)
    seen += [await anext(items), await anext(items)]
    with pytest.raises(KeyError, match="k"):
        await anext(items)
    assert seen == [1, 2]


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()])
async def test_what_would_end_the_reader_is_told_as_an_error(error):
    def leaves():
        raise error
        yield

    with pytest.raises(RuntimeError, match=rf"^The tool raised {type(error).__name__}\b.*\.$") as caught:
        await anext(in_thread(leaves, NAME))
    assert caught.value.__cause__ is error


def test_a_loop_that_is_gone():
    started, release = threading.Event(), threading.Event()

    def blocks():
        yield 1
        started.set()
        release.wait(60)
        yield 2

    loop = asyncio.new_event_loop()
    items = in_thread(blocks, NAME)
    assert loop.run_until_complete(anext(items)) == 1
    assert started.wait(20)
    loop.close()
    release.set()
    for thread in threads():
        thread.join(20)
    assert threads() == []


def test_a_blocked_thread_does_not_keep_the_interpreter():
    code = """
        import asyncio, threading
        from nb_agentscope.tools import tool

        started = threading.Event()

        @tool
        def hang() -> str:
            started.set()
            threading.Event().wait()

        async def read():
            async for chunk in hang.run({}):
                pass

        async def main():
            task = asyncio.create_task(read())
            await asyncio.to_thread(started.wait)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                print("left", flush=True)

        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "left\n", "")
