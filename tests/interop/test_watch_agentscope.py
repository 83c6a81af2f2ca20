"""Models of a real AgentScope agent, watched: retries are counted, and calls without events are there."""

import asyncio
import copy
import json
import logging
import pickle

import pytest

pytest.importorskip("agentscope")

from agentscope.agent import Agent, ContextConfig, ModelConfig
from agentscope.message import ToolCallBlock
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage
from agentscope.tool import Toolkit

from nb_agentscope.analysis import model_calls_df, replies_df, usage_df
from nb_agentscope.interop import watch_model, wrap
from nb_agentscope.stream import MODEL_CALL_NAME, View, fold, verify
from tests.agentscope_fixture import PAUSE, ScriptedChatModel, says
from tests.run.fakes import assert_ended_well, types, until

SUMMARY = dict.fromkeys(
    ["task_overview", "current_state", "important_discoveries", "next_steps", "context_to_preserve"], "x"
)


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.CRITICAL)


class FailingFirst(ScriptedChatModel):
    """Raises what is in its turns before it gives a stream, as a provider that cannot be reached."""

    async def _call_api(self, model_name, messages, tools=None, tool_choice=None, **kwargs):
        turn = self.turns.pop(0)
        if isinstance(turn, BaseException):
            raise turn
        return self._stream(turn)


class Retrying(FailingFirst):
    """Tries again by itself, as AgentScope's models do."""

    @classmethod
    def _get_retryable_exceptions(cls):
        return (ConnectionError,)


class Compressing(ScriptedChatModel):
    """Its context seems to be full until it was compressed, which takes `tries` calls."""

    def __init__(self, *turns, failures=0):
        super().__init__(*turns)
        self.failures = failures
        self.compressed = False
        self.max_retries, self.retry_delay = failures, 0

    @classmethod
    def _get_retryable_exceptions(cls):
        return (ConnectionError,)

    async def count_tokens(self, messages, tools=None):
        return 10 if self.compressed else 30_000

    async def _call_api(self, model_name, messages, tools=None, tool_choice=None, **kwargs):
        names = [tool["function"]["name"] for tool in tools or []]
        if names != ["generate_structured_output"]:
            return await super()._call_api(model_name, messages, tools, tool_choice, **kwargs)
        if self.failures:
            self.failures -= 1
            raise ConnectionError("no route")
        self.compressed = True
        return self._summary()

    async def _summary(self):
        await asyncio.sleep(0)
        block = ToolCallBlock(id="s", name="generate_structured_output", input=json.dumps(SUMMARY))
        usage = ChatUsage(input_tokens=900, output_tokens=30, time=0.1, cache_input_tokens=100)
        yield ChatResponse(content=[block], is_last=True, usage=usage)


def agent_of(model, **options):
    return Agent(name="Friday", system_prompt="You are Friday.", model=model, toolkit=Toolkit(), **options)


def told(run):
    return [record for record in run.log.records if getattr(record.event, "name", "") == MODEL_CALL_NAME]


def check(run):
    """What was told changes nothing of what a view shows, and the sums are those of the events."""
    without = [record for record in run.log.records if getattr(record.event, "name", "") != MODEL_CALL_NAME]
    assert verify(list(run.log), complete=True) == []
    assert fold(run.log) == fold(record.event for record in without) == run.msg
    assert View.of(without).progress == run.progress
    calls, plain = model_calls_df(run.log), model_calls_df([record.event for record in without])
    visible = calls[calls["kind"] == "visible"]
    assert visible["output_tokens"].sum() == replies_df(run.log)["own_output_tokens"].sum()
    columns = ["model_call_id", "status", "input_tokens", "output_tokens"]
    assert visible[columns].reset_index(drop=True).equals(plain[columns])


async def test_a_call_is_one_try():
    run = wrap(agent_of(watch_model(ScriptedChatModel(says("Hel", "lo"))))).start("hi")
    assert (await run).get_text_content() == "Hello"
    assert_ended_well(run, "completed")
    [record] = told(run)
    value = record.event.value
    assert (value["model"], value["status"], value["error"]) == ("scripted-model", "completed", None)
    assert value["tokens"] == {
        "input_tokens": 12, "output_tokens": 8, "cache_input_tokens": 0, "cache_creation_input_tokens": 0
    }  # fmt: skip
    assert record.dir == "out"
    assert value["started"]["mono"] <= value["ended"]["mono"] <= record.mono
    assert model_calls_df(run.log)["attempts"].tolist() == [1]
    check(run)


@pytest.mark.parametrize("by_agent", [True, False])
async def test_a_retry_is_a_second_try_of_the_same_call(by_agent):
    turns = ConnectionError("no route"), says("Hi."), says("Again.")
    model = (FailingFirst if by_agent else Retrying)(*turns)
    model.max_retries, model.retry_delay = (0, 0) if by_agent else (2, 0)
    agent = agent_of(watch_model(model), model_config=ModelConfig(max_retries=1 if by_agent else 0))
    run = wrap(agent).start("hi")
    assert (await run).get_text_content() == "Hi."
    assert [(r.event.value["status"], r.event.value["error"]) for r in told(run)] == [
        ("error", "ConnectionError"),
        ("completed", None),
    ]
    frame = model_calls_df(run.log)
    assert (frame["kind"].tolist(), frame["attempts"].tolist()) == (["visible"], [2])
    check(run)
    again = wrap(agent).start("again")
    await again
    assert model_calls_df(again.log)["attempts"].tolist() == [1]


async def test_a_fallback_is_a_try_as_well():
    main, other = FailingFirst(ConnectionError("no route")), ScriptedChatModel(says("Hi."))
    other.model = "other-model"
    config = ModelConfig(fallback_model=watch_model(other))
    run = wrap(agent_of(watch_model(main), model_config=config)).start("hi")
    await run
    assert [r.event.value["model"] for r in told(run)] == ["scripted-model", "other-model"]
    assert model_calls_df(run.log)["attempts"].tolist() == [2]


@pytest.mark.parametrize("failures", [0, 1])
async def test_a_compression_of_the_context_is_a_hidden_call(failures):
    agent = agent_of(watch_model(Compressing(says("Hi."), failures=failures)), context_config=ContextConfig())
    run = wrap(agent).start("a long story")
    assert (await run).get_text_content() == "Hi."
    frame = model_calls_df(run.log)
    assert frame["kind"].tolist() == [*["hidden"] * (failures + 1), "visible"]
    assert frame["attempts"].tolist() == [1] * (failures + 2)
    assert frame["status"].tolist() == [*["error"] * failures, "completed", "completed"]
    hidden = frame[frame["kind"] == "hidden"].iloc[-1]
    assert (hidden["input_tokens"], hidden["output_tokens"], hidden["cache_read_input_tokens"]) == (900, 30, 100)
    assert hidden["reply_id"] == run.msg.id
    assert hidden["agent"] == "Friday"
    assert hidden["duration_s"] > 0
    reply = replies_df(run.log).iloc[0]
    assert (reply["n_model_calls"], reply["own_input_tokens"]) == (1, 12)
    assert reply["model_s"] <= frame[frame["kind"] == "visible"]["duration_s"].sum() + 1e-6
    assert usage_df(run.log)["input_tokens"].tolist() == [12]
    assert usage_df(run.log, where={"kind": "hidden"})["input_tokens"].tolist() == [900]
    check(run)


async def test_a_stopped_call():
    run = wrap(agent_of(watch_model(ScriptedChatModel([*says("so far"), PAUSE])))).start("hi")
    await until(lambda: "TEXT_BLOCK_DELTA" in types(run))
    run.stop()
    await run
    assert_ended_well(run, "interrupted")
    assert [r.event.value["status"] for r in told(run)] == ["interrupted"]
    check(run)


async def test_a_model_that_fails():
    run = wrap(agent_of(watch_model(ScriptedChatModel([*says("so far"), ConnectionError("no route")])))).start("hi")
    with pytest.raises(ConnectionError):
        await run
    assert [r.event.value["error"] for r in told(run)] == ["ConnectionError"]
    assert model_calls_df(run.log)["attempts"].tolist() == [1]


async def test_outside_of_a_run_nothing_happens():
    model = ScriptedChatModel(says("Hi."))
    agent = agent_of(watch_model(model))
    events = [event async for event in agent.reply_stream(None)]
    assert MODEL_CALL_NAME not in [getattr(event, "name", "") for event in events]


def test_it_is_the_model_itself_but_for_its_calls():
    model = ScriptedChatModel(says("Hi."))
    watched = watch_model(model)
    assert isinstance(watched, ChatModelBase)
    assert type(watched).__name__ == "ScriptedChatModel"
    watched.stream, model.context_size = False, 7
    assert (model.stream, watched.context_size) == (False, 7)
    assert watch_model(watched) is watched
    assert type(model) is ScriptedChatModel
    assert type(watch_model(ScriptedChatModel())) is type(watched)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
async def test_a_copy_is_watched_and_has_its_own_attributes(again):
    model = watch_model(ScriptedChatModel(says("Hi.")))
    made = again(model)
    assert isinstance(made, ScriptedChatModel)
    made.model = "other"
    assert model.model == "scripted-model"
    run = wrap(agent_of(made)).start("hi")
    await run
    assert [record.event.value["model"] for record in told(run)] == ["other"]


def test_what_the_object_has_in_place_of_its_class_cannot_be_seen():
    model = ScriptedChatModel(says("Hi."))
    model._call_api = model._call_api
    with pytest.raises(TypeError, match="_call_api"):
        watch_model(model)
