"""wrap: any object with reply_stream."""

import asyncio

import pytest

from nb_agentscope.interop import wrap
from nb_agentscope.message import UserMsg
from nb_agentscope.run import live_run
from tests.run.fakes import (
    Agent,
    asking,
    assert_ended_well,
    end,
    model,
    model_end,
    parked,
    result,
    text,
    types,
    until,
)
from tests.run.fakes import start as reply_start


class Dicts:
    """Yields dicts, one of them unknown."""

    def __init__(self):
        self.received = []

    async def reply_stream(self, inputs):
        self.received.append(inputs)
        for event in [reply_start(), model(), *text("hi"), model_end(), end()]:
            yield event.model_dump(mode="json")
            if event.type == "REPLY_START":
                yield {"type": "NEWS", "what": "x"}


async def test_dicts_are_events_and_unknown_types_are_kept_with_a_sentence():
    agent = Dicts()
    run = wrap(agent).start("hi")
    msg = await run
    assert msg.get_text_content() == "hi"
    assert_ended_well(run, "completed")
    [kept] = [e for e in run.log if e.type == "CUSTOM" and e.name == "nb_agentscope.unknown"]
    assert kept.value["raw"]["what"] == "x"
    assert kept.value["problem"].startswith("Unknown event type 'NEWS'; the known types are ")
    assert run.name == "Dicts"
    assert agent.received[0].role == "user"


@pytest.mark.parametrize(
    ("agent", "says"),
    [(object(), "got object"), (5, "got int"), (Dicts, "the class Dicts, make an object of it first")],
)
def test_what_cannot_be_wrapped(agent, says):
    with pytest.raises(TypeError, match=says):
        wrap(agent)


def test_wrapping_twice():
    wrapped = wrap(Dicts())
    assert wrap(wrapped) is wrapped
    assert repr(wrapped) == "<WrappedAgent 'Dicts' of Dicts>"


async def test_inputs_are_taken_over():
    agent = Dicts()
    await wrap(agent).start([UserMsg("a", "x").model_dump(), UserMsg("b", "y")])
    assert [m.name for m in agent.received[0]] == ["a", "b"]
    await wrap(agent).start(None)
    assert agent.received[1] is None
    with pytest.raises(TypeError, match="got int"):
        wrap(agent).start(5)


async def test_decisions_reach_the_wrapped_object():
    agent = Agent(asking("c1"), [*result(), end()])
    run = wrap(agent).start("hi")
    await parked(run)
    run.approve()
    await run
    assert agent.answers[0].confirm_results[0].confirmed


async def test_a_stop_reaches_the_wrapped_stream():
    cancelled = []

    async def notice(_agent):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    run = wrap(Agent([reply_start(), notice])).start("hi", stop_grace_s=0.01)
    await until(lambda: "REPLY_START" in types(run))
    run.stop()
    await run
    assert cancelled == [True]
    assert_ended_well(run, "interrupted")


async def test_reply_stream_that_is_no_stream():
    class Plain:
        def reply_stream(self, inputs):
            return 5

    with pytest.raises(TypeError, match="got int"):
        await wrap(Plain()).start("x")


async def test_a_wrong_option_of_the_widget_starts_nothing():
    agent = Agent([reply_start(), end()])
    with pytest.raises(TypeError, match="thme"):
        wrap(agent).widget("x", thme="dark")
    assert live_run(agent) is None
    assert agent.received == []


async def test_the_widget_shows_a_run():
    agent = Agent([reply_start(), end()])
    widget = wrap(agent).widget("x", theme="dark", grace_s=1)
    assert (widget.theme, widget.run.grace_s) == ("dark", 1)
    assert (await widget) is widget.run.msg
