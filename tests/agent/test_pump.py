"""Several streams as one: order, limit, back pressure, and a stop that nothing can hold up."""

import asyncio
import gc

import pytest

from nb_agentscope.agent._pump import MAX_WAITING, Pump


async def items_of(*items):
    for item in items:
        yield item


async def drained(pump):
    return [item async for item in pump]


async def test_no_streams_and_empty_streams():
    assert await drained(Pump([])) == []
    assert await drained(Pump([items_of(), items_of()], limit=2)) == []


async def test_one_at_a_time_keeps_the_order():
    assert await drained(Pump([items_of(1, 2), items_of(3)], limit=1)) == [1, 2, 3]


async def test_side_by_side_in_the_order_of_arrival():
    first, second = asyncio.Event(), asyncio.Event()

    async def slow():
        yield "a"
        first.set()
        await second.wait()
        yield "c"

    async def quick():
        await first.wait()
        yield "b"
        second.set()

    assert await drained(Pump([slow(), quick()], limit=2)) == ["a", "b", "c"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_no_more_than_the_limit_run(limit):
    running = most = 0

    async def stream():
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(3):
            await asyncio.sleep(0)
        running -= 1
        yield 1

    assert len(await drained(Pump([stream() for _ in range(6)], limit=limit))) == 6
    assert most == min(limit, 6)


async def test_a_writer_waits_for_a_slow_reader():
    made = 0

    async def endless():
        nonlocal made
        while True:
            made += 1
            yield made

    pump = Pump([endless()])
    assert await anext(pump) == 1
    for _ in range(10):
        await asyncio.sleep(0)
    assert made <= MAX_WAITING + 1
    got = [await anext(pump) for _ in range(3 * MAX_WAITING)]
    assert got == list(range(2, 3 * MAX_WAITING + 2))
    await pump.stop()


async def test_items_before_a_failure_are_not_lost_and_the_others_finish():
    async def fails():
        yield 1
        raise ValueError("no")

    pump = Pump([fails(), items_of(2, 3)], limit=2)
    got = []
    with pytest.raises(ValueError, match="no"):  # noqa: PT012 - what came before it counts
        async for item in pump:
            got.append(item)  # noqa: PERF401
    assert sorted(got) == [1, 2, 3]


async def test_several_failures_are_a_group():
    async def fails(error):
        raise error
        yield

    with pytest.raises(ExceptionGroup) as caught:
        await drained(Pump([fails(ValueError("a")), fails(KeyError("b"))], limit=2))
    assert {type(error) for error in caught.value.exceptions} == {ValueError, KeyError}


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
async def test_what_would_end_the_loop_is_raised_where_it_is_read(error):
    async def leaves():
        yield 1
        raise error

    pump = Pump([leaves()])
    assert await anext(pump) == 1
    with pytest.raises(type(error)):
        await anext(pump)


@pytest.mark.parametrize(("names", "who"), [((), "It"), (["The model 'm'"], "The model 'm'")])
async def test_a_stream_that_waited_for_something_cancelled_has_failed(names, who):
    """It must not look as if the reader had been cancelled."""
    lost = asyncio.get_running_loop().create_future()
    lost.cancel()

    async def stream():
        yield await lost

    with pytest.raises(RuntimeError, match=rf"^{who} waited for something that was cancelled\.$") as caught:
        await drained(Pump([stream()], names=names))
    assert isinstance(caught.value.__cause__, asyncio.CancelledError)


async def test_a_stream_that_cancels_its_own_task_is_a_cancellation():
    async def stream():
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
        yield

    with pytest.raises(asyncio.CancelledError):
        await drained(Pump([stream()]))


async def test_stop_gives_what_is_still_said_and_closes_the_streams():
    closed = []

    async def stream():
        try:
            yield "begun"
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            yield "last words"
            raise
        finally:
            closed.append(True)

    pump = Pump([stream()])
    assert await anext(pump) == "begun"
    assert await pump.stop() == ["last words"]
    assert closed == [True]
    assert await pump.stop() == []


async def test_what_has_not_begun_when_it_is_stopped_never_begins():
    begun = []

    async def stream(name):
        begun.append(name)
        yield name
        await asyncio.Event().wait()

    pump = Pump([stream("a"), stream("b")], limit=1)
    assert await anext(pump) == "a"
    await pump.stop()
    assert begun == ["a"]


async def test_one_that_does_not_end_is_given_up_once_and_its_items_are_dropped():
    """A second stop neither cancels it again nor waits for it again."""
    cancelled = 0
    release = asyncio.Event()

    async def stubborn():
        nonlocal cancelled
        yield 1
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                cancelled += 1
        yield "too late"

    pump = Pump([stubborn()], grace_s=0.01)
    assert await anext(pump) == 1
    assert await pump.stop() == []
    assert await pump.stop() == []
    assert cancelled == 1
    release.set()
    for _ in range(5):
        await asyncio.sleep(0)
    with pytest.raises(StopAsyncIteration):
        await anext(pump)


async def test_a_failure_after_it_was_given_up_is_told_to_the_loop():
    told = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    release = asyncio.Event()

    async def stubborn():
        yield 1
        try:
            await release.wait()
        except asyncio.CancelledError:
            await release.wait()
        raise ValueError("much later")

    pump = Pump([stubborn()], grace_s=0.01)
    await anext(pump)
    await pump.stop()
    release.set()
    for _ in range(5):
        await asyncio.sleep(0)
    gc.collect()
    assert [str(context["exception"]) for context in told] == ["much later"]


async def test_a_reader_is_cancelled_though_the_stream_swallows_it():
    async def deaf():
        yield 1
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                await release.wait()
                return

    release = asyncio.Event()
    pump = Pump([deaf()], grace_s=0.01)

    async def read():
        await drained(pump)

    task = asyncio.ensure_future(read())
    await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5)
    assert done
    assert task.cancelled()
    await pump.stop()
    release.set()
    for _ in range(3):
        await asyncio.sleep(0)
