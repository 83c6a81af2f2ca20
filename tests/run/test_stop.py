"""Stopping: whatever the agent does about it, the log ends well."""

import asyncio
import contextlib
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nb_agentscope.run import DecisionRefused, Run
from nb_agentscope.stream import verify
from tests.run.fakes import (
    Agent,
    ask_outside,
    asking,
    assert_ended_well,
    calls,
    end,
    ends,
    forever,
    model,
    one_approval,
    parked,
    result,
    start,
    text,
    types,
    until,
)
from tests.strategies import valid_streams

GRACE = 0.02


def endless():
    return Agent([start(), model(), *text("so ", "far", done=False), forever])


async def test_stop_while_it_streams():
    run = Run(endless(), "hi", stop_grace_s=GRACE)
    await until(lambda: len(run.log) == 7)
    run.stop()
    msg = await run
    assert msg.get_text_content() == "so far"
    assert_ended_well(run, "interrupted")
    assert types(run)[-3:] == ["TEXT_BLOCK_END", "MODEL_CALL_END", "REPLY_END"]


async def test_the_agent_closes_its_own_stream():
    class Polite(Agent):
        async def reply_stream(self, inputs):
            try:
                async for event in super().reply_stream(inputs):
                    yield event
            except asyncio.CancelledError:
                yield end(reason="interrupted")

    run = Run(Polite([start(), forever]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert_ended_well(run, "interrupted")


def interrupted():
    """An agent whose own code is hit by the kernel's Interrupt."""
    return Agent([start(), model(), *text("so ", "far", done=False), KeyboardInterrupt()])


async def test_an_interrupt_in_the_agents_code_stops_the_run_and_leaves_the_loop():
    run = Run(interrupted(), "hi", stop_grace_s=GRACE)
    msg = await run
    assert (msg.get_text_content(), run.error) == ("so far", None)
    assert_ended_well(run, "interrupted")
    [note] = [event for event in run.log if getattr(event, "name", "") == "nb_agentscope.note"]
    assert note.value["text"] == "The agent's code was interrupted (KeyboardInterrupt)."


async def test_an_interrupt_before_there_is_a_stream():
    class Blocking:
        def reply_stream(self, inputs):
            raise KeyboardInterrupt

    run = Run(Blocking(), "hi")
    await run
    assert_ended_well(run, "interrupted")


async def test_an_interrupt_while_the_agent_closes_its_stream_is_noted():
    async def blocks(_agent):
        try:
            await asyncio.Event().wait()
        finally:
            raise KeyboardInterrupt

    run = Run(Agent([start(), blocks]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert_ended_well(run, "interrupted")
    assert any(
        "KeyboardInterrupt" in event.value["text"]
        for event in run.log
        if event.type == "CUSTOM" and "text" in event.value
    )


def test_a_script_that_waits_gets_the_interrupt_once_the_run_has_ended():
    run = Run(interrupted(), "hi", stop_grace_s=GRACE)
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    assert_ended_well(run, "interrupted")
    assert run.wait() is run.msg


async def test_stop_while_it_is_parked_hands_the_interrupt_on():
    agent = Agent(
        [*calls("c1", "c2"), *asking("c2")[-1:], *ask_outside("c1")],
        [
            *result("c1", state="interrupted", started=False),
            *result("c2", state="interrupted"),
            end(reason="interrupted"),
        ],
    )
    run = Run(agent, "hi", stop_grace_s=GRACE)
    await parked(run)
    run.stop(by="user")
    await run
    assert_ended_well(run, "interrupted")
    assert agent.answers[0].type == "USER_INTERRUPT"
    [record] = [r for r in run.log.records if r.event.type == "USER_INTERRUPT"]
    assert (record.dir, record.by) == ("in", "user")


async def test_stop_while_it_is_parked_and_the_agent_says_nothing():
    run = Run(Agent(asking("c1"), []), "hi", stop_grace_s=GRACE)
    await parked(run)
    run.stop()
    with pytest.raises(DecisionRefused, match="was stopped"):
        run.approve()
    await run
    assert_ended_well(run, "interrupted")


async def test_an_agent_that_answers_the_interrupt_with_work_is_cut_off():
    agent = Agent(asking("c1"), [*result("c1"), model(), *text("on and on", done=False), forever])
    run = Run(agent, "hi", stop_grace_s=GRACE)
    await parked(run)
    run.stop()
    await run
    assert_ended_well(run, "interrupted")


async def test_stop_before_a_queued_decision_is_handed_on():
    agent = one_approval()
    run = Run(agent, "hi", stop_grace_s=GRACE)
    await parked(run)
    run.approve()
    run.stop()
    await run
    assert [str(a.type) for a in agent.answers] == ["USER_INTERRUPT"]
    assert types(run).count("USER_CONFIRM_RESULT") == 1
    # The agent of this test answers the interrupt as if it were the decision; what counts is what it was given.
    assert run.status == "finished"
    assert len(ends(run)) == 1


async def test_a_stream_that_swallows_the_cancellation_once():
    async def stubborn(_agent):
        for _ in range(2):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if stubborn.swallowed:
                    raise
                stubborn.swallowed = True

    stubborn.swallowed = False
    run = Run(Agent([start(), stubborn]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert stubborn.swallowed
    assert_ended_well(run, "interrupted")
    assert run.late_events == 0


async def test_a_stream_that_ignores_every_cancellation_is_given_up():
    release = asyncio.Event()

    async def deaf(_agent):
        while not release.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await release.wait()

    agent = Agent([start(), deaf, *text("too late"), end()])
    run = Run(agent, "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert_ended_well(run, "interrupted")
    size = len(run.log)
    release.set()
    await until(lambda: run.late_events == 1)
    assert len(run.log) == size
    assert len(ends(run)) == 1


async def test_a_stream_that_was_given_up_and_fails_is_reported():
    release = asyncio.Event()
    told = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))

    async def deaf(_agent):
        while not release.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await release.wait()
        raise ValueError("after all")

    run = Run(Agent([start(), deaf]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    release.set()
    await until(lambda: told)
    assert str(told[0]["exception"]) == "after all"


async def test_a_stream_that_blocks_in_a_thread():
    release = threading.Event()

    async def thread(_agent):
        await asyncio.to_thread(release.wait)

    run = Run(Agent([start(), thread]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    release.set()
    assert_ended_well(run, "interrupted")


async def test_a_stream_that_never_waits():
    class Busy:
        def __init__(self):
            self.made = 0

        async def reply_stream(self, inputs):
            yield start()
            yield model()
            while True:
                self.made += 1
                yield text("x", block=f"b{self.made}")[0]

    agent = Busy()
    run = Run(agent, "hi", stop_grace_s=GRACE)
    await until(lambda: agent.made > 100)
    run.stop()
    await run
    assert_ended_well(run, "interrupted")
    made = agent.made
    await asyncio.sleep(0)
    assert agent.made == made


async def test_an_exception_while_it_is_stopped_is_noted():
    async def clumsy(_agent):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ValueError("clean-up") from None

    run = Run(Agent([start(), clumsy]), "hi", stop_grace_s=GRACE)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert_ended_well(run, "interrupted")
    assert any(e.type == "CUSTOM" and "clean-up" in str(e.value) for e in run.log)


async def test_stop_before_the_first_event():
    agent = endless()
    run = Run(agent, "hi", stop_grace_s=GRACE)
    run.stop()
    msg = await run
    assert msg.content == []
    assert_ended_well(run, "interrupted")


def test_stop_before_the_start():
    agent = endless()
    run = Run(agent, "hi")
    run.stop()
    assert_ended_well(run, "interrupted")
    assert agent.received == []
    assert run.wait().finished_reason == "interrupted"


async def test_stop_twice_and_after_the_end():
    run = Run(endless(), "hi", stop_grace_s=GRACE)
    await until(lambda: len(run.log) > 4)
    run.stop()
    run.stop()
    await run
    size = len(run.log)
    run.stop()
    await asyncio.sleep(0)
    assert len(run.log) == size
    assert_ended_well(run, "interrupted")


async def test_stop_from_another_thread():
    run = Run(endless(), "hi", stop_grace_s=GRACE)
    await until(lambda: len(run.log) > 4)
    await asyncio.to_thread(run.stop)
    await run
    assert_ended_well(run, "interrupted")


async def test_cancelling_the_await_stops_the_run():
    agent = Agent([start(), forever], [start("r2"), end("r2")])
    run = Run(agent, "hi", stop_grace_s=GRACE)
    waiter = asyncio.ensure_future(_awaited(run))
    await until(lambda: "REPLY_START" in types(run))
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert_ended_well(run, "interrupted")
    assert (await Run(agent, "again")).id == "r2"


async def _awaited(run):
    return await run


async def test_a_stream_that_cancels_itself_is_interrupted():
    run = Run(Agent([start(), asyncio.CancelledError()]), "hi")
    await run
    assert_ended_well(run, "interrupted")


@pytest.mark.parametrize("ready", [False, True])
def test_a_loop_that_ends_stops_its_runs(ready):
    runs = []

    async def main():
        runs.append(Run(endless(), "hi", stop_grace_s=GRACE))
        if ready:
            await until(lambda: len(runs[0].log) > 4)

    asyncio.run(main())
    assert_ended_well(runs[0], "interrupted")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(events=valid_streams(), data=st.data())
def test_law_7_a_run_stopped_at_any_point_verifies(events, data):
    """Stop after any number of events: the log verifies and each reply in it has one REPLY_END."""
    events = [e for e in events if e.type not in ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "USER_INTERRUPT")]
    stop_after = data.draw(st.integers(0, len(events)))
    legs = [_answerable(events[:stop_after])]

    async def main():
        run = Run(Agent([*legs[0], forever]), "hi", stop_grace_s=0.001)
        await until(lambda: len(run.log) == 2 + len(legs[0]))
        run.stop()
        await run
        return run

    run = asyncio.run(main())
    assert verify(list(run.log), complete=True) == []
    started = {e.reply_id for e in run.log if e.type == "REPLY_START"}
    assert sorted(e.reply_id for e in ends(run)) == sorted(started)
    assert run.status == "finished"


def _answerable(events):
    """Up to the first prompt: what comes after it in the generated stream needs the answer that we took out."""
    for index, event in enumerate(events):
        if event.type in ("REQUIRE_USER_CONFIRM", "REQUIRE_EXTERNAL_EXECUTION"):
            return events[: index + 1]
    return events
