"""One live run per agent."""

import asyncio
import gc
import weakref

import pytest

from nb_agentscope.run import AlreadyRunningError, Run, live_run
from tests.run.fakes import Agent, asking, assert_ended_well, end, forever, parked, start, types, until


def busy():
    return Agent([start(), forever], [start("r2"), end("r2")])


async def test_a_second_run_is_refused():
    agent = busy()
    run = Run(agent, "hi", stop_grace_s=0.01, cell="one")
    assert live_run(agent) is run
    await until(lambda: "REPLY_START" in types(run))
    for cell in (None, "two"):
        with pytest.raises(AlreadyRunningError, match=r"'Friday' is still running: stop that run with \.stop\(\)"):
            Run(agent, "again", cell=cell)
    run.stop()
    await run
    assert live_run(agent) is None
    assert (await Run(agent, "again", cell="two")).id == "r2"


async def test_the_refusal_names_what_waits():
    agent = Agent(asking("c1"), [])
    run = Run(agent, "hi", stop_grace_s=0.01)
    await parked(run)
    with pytest.raises(AlreadyRunningError, match="waits for an answer on rm"):
        Run(agent, "again")
    run.stop()
    await run


async def test_the_same_cell_stops_its_old_run_first():
    agent = busy()
    old = Run(agent, "hi", stop_grace_s=0.01, cell="one")
    await until(lambda: "REPLY_START" in types(old))
    new = Run(agent, "hi", cell="one")
    assert (await new).id == "r2"
    assert_ended_well(old, "interrupted")
    assert_ended_well(new, "completed")


async def test_three_in_a_row():
    agent = busy()
    runs = [Run(agent, "hi", stop_grace_s=0.01, cell="one")]
    await until(lambda: "REPLY_START" in types(runs[0]))
    runs += [Run(agent, "hi", stop_grace_s=0.01, cell="one") for _ in range(2)]
    await asyncio.gather(*(run._waiting.ended() for run in runs))
    assert [run.msg.finished_reason for run in runs] == ["interrupted", "interrupted", "completed"]


async def test_a_run_does_not_keep_the_one_it_replaced():
    agent = busy()
    runs = [Run(agent, "hi", stop_grace_s=0.01, cell="one")]
    await until(lambda: "REPLY_START" in types(runs[0]))
    new = Run(agent, "hi", cell="one")
    await new
    gone = weakref.ref(runs.pop())
    await asyncio.sleep(0)  # the loop lets go of the task that ended last
    gc.collect()
    assert gone() is None


async def test_keep_keeps_the_old_run():
    agent = busy()
    old = Run(agent, "hi", stop_grace_s=0.01, cell="one")
    with pytest.raises(AlreadyRunningError):
        Run(agent, "again", cell="one", on_rerun="keep")
    old.stop()
    await old


def test_a_run_that_never_began_gives_way():
    agent = Agent([start(), end()])
    old = Run(agent, "hi", cell="one")
    new = Run(agent, "hi", cell="one")
    new.wait()
    assert_ended_well(old, "interrupted")
    assert_ended_well(new, "completed")


def test_a_run_whose_loop_stands_still_gives_way():
    agent = busy()
    old = Run(agent, "hi", cell="one", stop_grace_s=0.01)
    with pytest.raises(TimeoutError):
        old.wait(0.01)
    new = Run(agent, "hi", cell="one")
    new.wait()
    assert_ended_well(old, "interrupted")
    old._waiting._close_own_loop()


async def test_agents_need_not_be_hashable():
    class Odd(Agent):
        __hash__ = None

        def __eq__(self, other):
            return True

    one, two = Odd([start(), forever]), Odd([start(), end()])
    run = Run(one, "hi", stop_grace_s=0.01)
    await Run(two, "hi")
    run.stop()
    await run
