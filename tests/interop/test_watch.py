"""Models of ours, watched: in an agent of ours, in its tools and in its sub-agents."""

import asyncio
import copy
import threading

import pytest

from nb_agentscope import Agent, ScriptedModel, tool, watch_model
from nb_agentscope.analysis import model_calls_df, replies_df
from nb_agentscope.interop import ReplayAgent
from nb_agentscope.message import ToolCallBlock, Usage
from nb_agentscope.model import ChatModel
from nb_agentscope.run import Run
from nb_agentscope.stream import MODEL_CALL_NAME, View, fold, verify
from tests.run.fakes import assert_ended_well, types, until

USED = Usage(input_tokens=7, output_tokens=3, cache_input_tokens=2)


def told(log):
    return [event.value for event in log if getattr(event, "name", "") == MODEL_CALL_NAME]


def shape(log):
    """Types of the events, with the calls of watched models among them."""
    return ["call" if getattr(event, "name", "") == MODEL_CALL_NAME else event.type for event in log]


def check(run):
    """What was told changes nothing of what a view shows, and the sums are those of the events."""
    without = [record for record in run.log.records if getattr(record.event, "name", "") != MODEL_CALL_NAME]
    assert verify(list(run.log), complete=True) == []
    assert fold(run.log) == fold(record.event for record in without) == run.msg
    assert View.of(without).progress == run.progress
    visible = model_calls_df(run.log, where={"kind": "visible"}, strict=True)
    assert visible["output_tokens"].sum() == replies_df(run.log)["own_output_tokens"].sum()
    assert visible["attempts"].isna().sum() == 0


def calls(name, input="{}", id="c1"):
    return ToolCallBlock(id=id, name=name, input=input)


async def test_a_call_is_one_try_and_stands_before_its_end():
    run = Agent("a", None, model=watch_model(ScriptedModel([["Hello there", USED]]))).start("hi")
    assert (await run).get_text_content() == "Hello there"
    assert_ended_well(run, "completed")
    [value] = told(run.log)
    assert (value["model"], value["reply_id"], value["kind"]) == ("scripted", run.msg.id, "visible")
    assert (value["status"], value["tokens"]["input_tokens"], value["tokens"]["cache_input_tokens"]) == (
        "completed",
        7,
        2,
    )
    assert shape(run.log)[-4:] == ["TEXT_BLOCK_END", "call", "MODEL_CALL_END", "REPLY_END"]
    check(run)


async def test_retries_and_the_fallback_are_tries():
    main = ScriptedModel([ConnectionError("no route"), ConnectionError("no route")], name="main")
    other = ScriptedModel([["Hi.", USED]], name="other")
    agent = Agent("a", None, model=watch_model(main), fallback_model=watch_model(other), max_retries=1, retry_wait_s=0)
    run = agent.start("hi")
    await run
    assert [(v["model"], v["status"], v["error"]) for v in told(run.log)] == [
        ("main", "error", "ConnectionError"),
        ("main", "error", "ConnectionError"),
        ("other", "completed", None),
    ]
    frame = model_calls_df(run.log)
    assert (frame["kind"].tolist(), frame["attempts"].tolist()) == (["visible"], [3])
    check(run)


async def test_a_model_that_fails_for_good():
    run = Agent("a", None, model=watch_model(ScriptedModel([["so far", KeyError("k")]]))).start("hi")
    with pytest.raises(KeyError):
        await run
    assert [v["error"] for v in told(run.log)] == ["KeyError"]
    assert_ended_well(run, "error")
    check(run)


async def test_a_stopped_call():
    run = Agent("a", None, model=watch_model(ScriptedModel(["word " * 100], delay=0.01))).start("hi")
    await until(lambda: "TEXT_BLOCK_DELTA" in types(run))
    run.stop()
    await run
    assert [v["status"] for v in told(run.log)] == ["interrupted"]
    assert_ended_well(run, "interrupted")
    check(run)


async def test_what_a_tool_asks_a_model_is_hidden():
    inner = watch_model(ScriptedModel([["Summary.", USED]], name="inner"))

    @tool
    async def summarise() -> str:
        """Ask a model."""
        return "".join([chunk.text or "" async for chunk in inner.stream([])])

    script = [[calls("summarise"), USED], ["Done.", USED]]
    agent = Agent("a", None, model=watch_model(ScriptedModel(script)), tools=[summarise], mode="bypass")
    run = agent.start("hi")
    await run
    frame = model_calls_df(run.log)
    assert frame["kind"].tolist() == ["visible", "hidden", "visible"]
    assert frame["model"].tolist() == ["scripted", "inner", "scripted"]
    assert frame["reply_id"].tolist() == [run.msg.id] * 3
    assert replies_df(run.log)["own_output_tokens"].tolist() == [6]
    check(run)


async def test_sub_agents_side_by_side_have_their_own():
    def helper(name):
        return Agent(name, None, model=watch_model(ScriptedModel([["Hm.", USED]] * 2, name=name)))

    script = [[calls("one", '{"task": "x"}', "c1"), calls("two", '{"task": "y"}', "c2"), USED], ["Done.", USED]]
    model = watch_model(ScriptedModel(script, name="boss"))
    agent = Agent("a", None, model=model, tools=[helper("one").as_tool(), helper("two").as_tool()], mode="bypass")
    run = agent.start("hi")
    await run
    frame = model_calls_df(run.log, strict=True)
    assert frame["kind"].tolist() == ["visible"] * 4
    assert frame["attempts"].tolist() == [1] * 4
    assert sorted(v["model"] for v in told(run.log)) == ["boss", "boss", "one", "two"]
    names = dict(zip(frame["reply_id"], frame["model"], strict=True))
    assert all(names[v["reply_id"]] == v["model"] for v in told(run.log))
    check(run)


async def test_a_model_of_two_agents_at_once_tells_each_run_its_own_calls():
    model = watch_model(ScriptedModel(["Hi.", "Ho.", "Hm."], delay=0.01))
    runs = [Agent(name, None, model=model).start("hi") for name in ("a", "b", "c")]
    await asyncio.gather(*(run for run in runs))
    for run in runs:
        assert [value["reply_id"] for value in told(run.log)] == [run.msg.id]
        check(run)


async def test_from_another_thread():
    class Threaded:
        name = "threaded"

        async def stream(self, messages, tools=(), *, tool_choice="auto"):
            async for chunk in ScriptedModel([["Hi.", USED]]).stream(messages):
                yield chunk

    model = watch_model(Threaded())

    class Foreign:
        name = "foreign"

        async def reply_stream(self, inputs):
            async for event in Agent("a", None, model=ScriptedModel(["x"])).reply_stream(inputs):
                yield event
                if event.type == "MODEL_CALL_START":
                    await asyncio.to_thread(lambda: asyncio.run(self._ask()))

        async def _ask(self):
            assert threading.current_thread() is not threading.main_thread()
            return [chunk async for chunk in model.stream([])]

    run = Run(Foreign(), "hi")
    await run
    assert [v["model"] for v in told(run.log)] == ["threaded"]
    assert_ended_well(run, "completed")


async def test_outside_of_a_run_and_after_it_nothing_happens():
    model = watch_model(ScriptedModel(["a", "b", "c"]))
    left = asyncio.Event()
    tasks = []

    class Leaving:
        """Leaves a task behind that asks the model when the run is over."""

        name = "leaving"

        async def reply_stream(self, inputs):
            tasks.append(asyncio.ensure_future(self._later()))
            async for event in Agent("a", None, model=model).reply_stream(inputs):
                yield event

        async def _later(self):
            await left.wait()
            return [chunk async for chunk in model.stream([])]

    run = Run(Leaving(), "hi")
    await run
    assert len(told(run.log)) == 1
    before = len(run.log)
    left.set()
    assert len(await tasks[0]) > 0
    assert len(run.log) == before
    events = [event async for event in Agent("a", None, model=model).reply_stream("hi")]
    assert told(events) == []


async def test_a_replay_does_not_play_it():
    run = Agent("a", None, model=watch_model(ScriptedModel([["Hi.", USED]]))).start("hi")
    await run
    again = ReplayAgent(run.log, speed=1000.0).start("hi")
    await again
    assert told(again.log) == []
    assert again.msg.get_text_content() == "Hi."


def test_all_but_its_stream_is_the_models_own():
    model = ScriptedModel(["a"], name="m")
    watched = watch_model(model)
    assert isinstance(watched, ChatModel)
    assert (watched.name, watched.calls, repr(watched)) == ("m", [], f"watch_model({model!r})")
    watched.name = "n"
    assert (model.name, watched.name) == ("n", "n")
    assert watch_model(watched) is watched
    assert copy.copy(watched).name == "n"
    with pytest.raises(AttributeError):
        _ = watched.nothing


@pytest.mark.parametrize("what", [None, "gpt", object(), ScriptedModel])
def test_what_is_no_model(what):
    with pytest.raises(TypeError, match="model") as caught:
        watch_model(what)
    assert "\n" not in str(caught.value)


async def test_a_stream_that_is_none_is_the_agents_affair():
    class Wrong:
        name = "wrong"

        def stream(self, messages, tools=(), *, tool_choice="auto"):
            if tool_choice == "raise":
                raise ZeroDivisionError
            return 3

    run = Agent("a", None, model=watch_model(Wrong())).start("hi")
    with pytest.raises(TypeError, match="must give an async iterator"):
        await run
    assert watch_model(Wrong()).stream([]) == 3
    with pytest.raises(ZeroDivisionError):
        watch_model(Wrong()).stream([], tool_choice="raise")
