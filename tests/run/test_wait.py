"""Waiting without `await`: scripts, threads, other loops."""

import asyncio
import threading

import pytest

from nb_agentscope.run import Run
from tests.run.fakes import Agent, assert_ended_well, end, forever, one_approval, parked, start


def test_a_script_waits():
    run = Run(Agent([start(), end()]), "hi")
    assert run.status == "running"
    assert run.wait().finished_reason == "completed"
    assert_ended_well(run, "completed")
    assert run.wait() is run.msg


def test_a_script_waits_twice():
    agent = one_approval()
    run = Run(agent, "hi")
    with pytest.raises(TimeoutError, match=r"still waiting after 0\.05 s"):
        run.wait(0.05)
    run.approve()
    run.wait(5)
    assert_ended_well(run, "completed")


def test_a_script_stops_between_two_waits():
    run = Run(Agent([start(), forever]), "hi", stop_grace_s=0.01)
    with pytest.raises(TimeoutError, match="still running"):
        run.wait(0.01)
    run.stop()
    assert run.wait().finished_reason == "interrupted"


def test_a_script_decides_by_policy():
    run = Run(one_approval(), "hi", grace_s=0)
    run.wait()
    assert run.progress.decisions["c1"].by == "policy"


def test_what_failed_is_raised():
    run = Run(Agent([start(), ValueError("boom")]), "hi")
    with pytest.raises(ValueError, match="boom"):
        run.wait()


async def test_wait_refuses_to_block_a_loop():
    run = Run(Agent([start(), forever]), "hi", stop_grace_s=0.01)
    with pytest.raises(RuntimeError, match="await run"):
        run.wait()
    run.stop()
    await run
    assert run.wait() is run.msg


async def test_another_thread_waits():
    run = Run(one_approval(), "hi", on_no_frontend="wait")
    with pytest.raises(TimeoutError, match="still waiting"):
        await asyncio.to_thread(run.wait, 0.05)
    assert run.status == "waiting"
    waiter = asyncio.ensure_future(asyncio.to_thread(run.wait, 5))
    run.approve()
    assert await waiter is run.msg


async def test_another_loop_may_not_await():
    run = Run(Agent([start(), forever]), "hi", stop_grace_s=0.01)

    async def elsewhere():
        return await run

    def other_thread():
        with pytest.raises(RuntimeError, match="another event loop"):
            asyncio.run(elsewhere())

    await asyncio.to_thread(other_thread)
    run.stop()
    await run


def test_a_run_made_without_a_loop_can_be_awaited_in_one():
    run = Run(Agent([start(), end()]), "hi")

    async def main():
        return await run

    assert asyncio.run(main()) is run.msg


def test_ctrl_c_stops_the_run():
    async def interrupt(_agent):
        asyncio.get_running_loop().call_soon(_raise)
        await asyncio.Event().wait()

    def _raise():
        raise KeyboardInterrupt

    run = Run(Agent([start(), interrupt]), "hi", stop_grace_s=0.01)
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    assert_ended_well(run, "interrupted")


def test_no_thread_is_left():
    before = threading.active_count()
    Run(Agent([start(), end()]), "hi").wait()
    assert threading.active_count() == before


async def test_the_wait_of_a_script_gives_up_a_deaf_stream():
    def script():
        async def deaf(_agent):
            for _ in range(8):
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    continue

        run = Run(Agent([start(), deaf]), "hi", stop_grace_s=0.01)
        with pytest.raises(TimeoutError):
            run.wait(0.02)
        run.stop()
        run.wait()
        return run

    assert_ended_well(await asyncio.to_thread(script), "interrupted")


async def test_parked_runs_can_be_awaited_by_many():
    run = Run(one_approval(), "hi", on_no_frontend="wait")
    waiters = [asyncio.ensure_future(run._waiting.result()) for _ in range(3)]
    await parked(run)
    run.approve()
    assert await asyncio.gather(*waiters) == [run.msg] * 3
