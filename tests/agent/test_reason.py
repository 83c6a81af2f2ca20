"""One model call as events: retries, a fallback, usage, and what a model may do wrong."""

import asyncio
from contextlib import suppress

import pytest

from nb_agentscope.agent import Agent
from nb_agentscope.event import CustomEvent
from nb_agentscope.message import ErrorType, ThinkingBlock, Usage
from nb_agentscope.model import CallDelta, ChatChunk, ScriptedModel
from nb_agentscope.stream import fold, verify
from tests.agent.talking import agent_of, call, listen, of_type, overhear, types

USAGE = Usage(input_tokens=12, output_tokens=8)
ROUND = ["MODEL_CALL_START", "TEXT_BLOCK_START", "TEXT_BLOCK_DELTA", "TEXT_BLOCK_END", "MODEL_CALL_END"]


class Model:
    """A model whose stream is what a function gives."""

    name = "odd"

    def __init__(self, make):
        self._make = make

    def stream(self, messages, tools=(), *, tool_choice="auto"):
        return self._make()


class RefusedError(Exception):
    def __init__(self, status_code):
        super().__init__("no")
        self.status_code = status_code


async def given(*chunks):
    for chunk in chunks:
        yield chunk


async def test_a_plain_answer():
    events = await listen(agent_of(["Hi", USAGE]))
    assert types(events) == ["REPLY_START", *ROUND, "REPLY_END"]
    start, end = events[1], events[-2]
    assert start.model_name == "scripted"
    assert (end.input_tokens, end.output_tokens) == (12, 8)


async def test_usage_is_the_last_one_and_zero_if_the_model_reports_none():
    last = ChatChunk(usage=USAGE, finish="stop")
    events = await listen(agent_of([ChatChunk(text="a", usage=Usage(input_tokens=1, output_tokens=1)), last]))
    assert (events[-2].input_tokens, events[-2].output_tokens) == (12, 8)
    events = await listen(agent_of(["a"]))
    assert (events[-2].input_tokens, events[-2].output_tokens) == (0, 0)


async def test_a_failed_call_is_tried_again_inside_one_model_call():
    agent = agent_of(ConnectionError("gone"), ConnectionError("gone"), ["Hi"], max_retries=2, retry_wait_s=0)
    events = await listen(agent)
    assert types(events) == ["REPLY_START", "MODEL_CALL_START", "CUSTOM", "CUSTOM", *ROUND[1:], "REPLY_END"]
    assert events[2].value == {
        "text": "The model 'scripted' failed (ConnectionError: gone); 'scripted' is tried next.",
    }
    assert len(agent.model.calls) == 3
    assert verify(events) == []


async def test_each_wait_is_twice_as_long(monkeypatch):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    agent = agent_of(OSError, OSError, OSError, ["Hi"], max_retries=3, retry_wait_s=0.5)
    monkeypatch.setattr("nb_agentscope.agent._reason.asyncio.sleep", sleep)
    await listen(agent)
    assert [wait for wait in waits if wait] == [0.5, 1.0, 2.0]


async def test_the_fallback_answers_when_the_model_has_failed_for_good():
    """MODEL_CALL_START names the main model, as in AgentScope; the note says who answered."""
    fallback = ScriptedModel([["Hi"]], name="spare")
    agent = agent_of(OSError("a"), OSError("b"), max_retries=1, retry_wait_s=0, fallback_model=fallback)
    events = await listen(agent)
    assert events[1].model_name == "scripted"
    notes = [event.value["text"].rpartition("; ")[2] for event in of_type(events, "CUSTOM")]
    assert notes == ["'scripted' is tried next.", "'spare' is tried next."]
    assert agent.state.context[-1].get_text_content() == "Hi"


@pytest.mark.parametrize(
    ("finish", "text"),
    [
        ("length", "reached its limit of tokens: the answer is cut off."),
        ("content_filter", "was stopped by a content filter: the answer, or the rest of it, was withheld."),
        ("stop", None),
        ("tool_calls", None),
        (None, None),
    ],
)
async def test_an_answer_that_is_not_whole_is_told(finish, text):
    """By the name of the model that gave it, after its blocks; the chunk that says so need not be the last."""
    chunks = [ChatChunk(text="Hi", finish=finish), ChatChunk(usage=USAGE)]
    spare = Model(lambda: given(*chunks))
    events = await listen(agent_of(OSError("main"), fallback_model=spare))
    notes = [event.value["text"] for event in of_type(events, "CUSTOM")][1:]
    assert notes == ([f"The model 'odd' {text}"] if text else [])
    told = ["CUSTOM"] if text else []
    assert types(events) == ["REPLY_START", ROUND[0], "CUSTOM", *ROUND[1:-1], *told, ROUND[-1], "REPLY_END"]
    assert events[-2].input_tokens == 12
    assert verify(events) == []


async def test_a_model_that_waited_for_something_cancelled_is_named():
    async def waits():
        lost = asyncio.get_running_loop().create_future()
        lost.cancel()
        yield await lost

    agent = Agent("assistant", "", Model(waits))
    _, error = await overhear(agent)
    assert str(error) == "The model 'odd' waited for something that was cancelled."


async def test_what_was_begun_is_not_tried_again():
    """Else the person would read two beginnings."""
    agent = agent_of(["Hel", OSError("cut")], ["Hi"], max_retries=3, retry_wait_s=0)
    events, error = await overhear(agent)
    assert types(events) == ["REPLY_START", "MODEL_CALL_START", *ROUND[1:], "REPLY_END"]
    assert str(error) == "cut"
    assert len(agent.model.calls) == 1


async def test_the_error_of_the_last_attempt_is_raised():
    fallback = ScriptedModel([KeyError("spare")])
    events, error = await overhear(agent_of(OSError("main"), fallback_model=fallback))
    assert isinstance(error, KeyError)
    assert events[-1].finished_reason == "error"


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (RefusedError(401), ErrorType.AUTHENTICATION),
        (RefusedError(403), ErrorType.PERMISSION),
        (RefusedError(429), ErrorType.RATE_LIMIT),
        (RefusedError(422), ErrorType.INVALID_REQUEST),
        (RefusedError(503), ErrorType.UPSTREAM),
        (TimeoutError("slow"), ErrorType.CONNECTION),
        (ValueError("odd"), ErrorType.UNKNOWN),
    ],
)
async def test_a_model_error_ends_the_reply_and_then_leaves_the_stream(raised, kind):
    """AgentScope leaves open blocks and no REPLY_END; here everything is closed first, so that every log is whole."""
    agent = agent_of([ThinkingBlock(thinking="hm"), "Hel", call("f"), raised], ["Hi"])
    events, error = await overhear(agent)
    assert error is raised
    assert types(events)[-3:] == ["TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END", "REPLY_END"]
    assert types(events).count("MODEL_CALL_END") == 1
    assert (events[-1].finished_reason, events[-1].error.type) == ("error", kind)
    assert verify(events, complete=True) == []
    assert agent.state.context[-1] == fold(events)
    assert await agent.reply("again"), "an agent goes on after an error"


ODD = "The model 'odd' gave"
LATER = "write it as an async generator, with yield."


async def _coroutine():
    return given(ChatChunk(text="a"))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: given("Hi"), f"{ODD} 'Hi', which is no ChatChunk."),
        (lambda: given(None), f"{ODD} None, which is no ChatChunk."),
        (lambda: given(CustomEvent(name="x", value={})), "which is no ChatChunk."),
        (lambda: given(ChatChunk(text=5)), f"{ODD} a ChatChunk whose text is no str: "),
        (lambda: given(ChatChunk(calls=[("c", "f", "")])), f"{ODD} a ChatChunk whose calls is no CallDelta: "),
        (lambda: given(ChatChunk(data=["x"])), f"{ODD} a ChatChunk whose data is no DataBlock: "),
        (lambda: given(ChatChunk(usage={})), f"{ODD} a ChatChunk whose usage is no Usage: "),
        (lambda: given(ChatChunk(finish=["length"])), f"{ODD} a ChatChunk whose finish is no str: "),
        (lambda: [ChatChunk(text="a")], LATER),
        (lambda: 5, "stream() of the model 'odd' must give an async iterator of ChatChunk, got 5: " + LATER),
        (_coroutine, LATER),
    ],
)
async def test_a_model_that_gives_something_else(make, text):
    events, error = await overhear(Agent("a", "", Model(make)))
    assert isinstance(error, TypeError)
    assert text in str(error)
    assert verify(events, complete=True) == []


async def test_any_async_iterator_will_do():
    class Once:
        def __init__(self):
            self.left = [ChatChunk(text="a"), ChatChunk(text="b")]

        def __aiter__(self):
            return self

        async def __anext__(self):
            if not self.left:
                raise StopAsyncIteration
            return self.left.pop(0)

    assert (await Agent("a", "", Model(Once)).reply("x")).get_text_content() == "ab"


async def test_a_model_that_is_cancelled_from_inside_has_failed():
    """It is not the reader who was cancelled, so the next model is asked."""

    async def lost():
        raise asyncio.CancelledError
        yield

    reply = await Agent("a", "", Model(lost), fallback_model=ScriptedModel([["Hi"]])).reply("x")
    assert reply.get_text_content() == "Hi"


@pytest.mark.parametrize("raised", [SystemExit(2), KeyboardInterrupt()])
async def test_what_ends_a_program_ends_the_reply_first(raised):
    async def leaves():
        yield ChatChunk(text="a")
        raise raised

    agent = Agent("a", "", Model(leaves))
    events, error = await overhear(agent)
    assert error is raised
    assert events[-1].finished_reason == ("error" if isinstance(raised, SystemExit) else "interrupted")
    assert verify(events, complete=True) == []
    assert agent.state.reply is None


async def test_the_model_is_closed_before_the_stream_is():
    closed = []

    async def endless():
        try:
            while True:
                yield ChatChunk(text="a")
        finally:
            closed.append(True)

    agent = Agent("a", "", Model(endless))
    stream = agent.reply_stream("x")
    async for event in stream:
        if event.type == "TEXT_BLOCK_DELTA":
            break
    await stream.aclose()
    assert closed == [True]
    assert agent.state.context[-1].finished_reason == "interrupted"


async def test_a_continued_call_closes_the_model_as_well():
    closed = []

    async def wrong():
        try:
            for delta in (("1",), (), ("1",)):
                yield ChatChunk(calls=tuple(CallDelta(id, "f") for id in delta))
        finally:
            closed.append(True)

    events, error = await overhear(Agent("a", "", Model(wrong)))
    assert isinstance(error, ValueError)
    assert closed == [True]
    assert verify(events, complete=True) == []


async def test_a_model_that_swallows_a_stop_is_given_up(monkeypatch):
    monkeypatch.setattr("nb_agentscope.agent._agent._GRACE_S", 0.01)
    release = asyncio.Event()

    async def deaf():
        yield ChatChunk(text="a")
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    agent = Agent("a", "", Model(deaf))
    begun = asyncio.Event()
    heard = []

    async def read():
        async for event in agent.reply_stream("x"):
            heard.append(event)
            if event.type == "TEXT_BLOCK_DELTA":
                begun.set()

    task = asyncio.ensure_future(read())
    await begun.wait()
    task.cancel()
    await asyncio.wait_for(task, 10)
    assert types(heard)[-3:] == ["TEXT_BLOCK_END", "MODEL_CALL_END", "REPLY_END"]
    assert heard[-1].finished_reason == "interrupted"
    release.set()
    await asyncio.sleep(0)


async def test_an_empty_answer_is_an_end():
    events = await listen(agent_of([]))
    assert types(events) == ["REPLY_START", "MODEL_CALL_START", "MODEL_CALL_END", "REPLY_END"]


async def test_a_thought_alone_is_followed_by_another_round():
    agent = agent_of([ThinkingBlock(thinking="hm")], ["Hi"])
    assert types(await listen(agent)).count("MODEL_CALL_START") == 2
    assert len(agent.model.calls) == 2


async def test_what_the_model_is_told():
    agent = agent_of([call("nothing")], ["Hi"])
    await listen(agent, "Do it.")
    first, second = agent.model.calls
    assert [(msg.role, msg.get_text_content()) for msg in first.messages[:2]] == [
        ("system", "Be brief."),
        ("user", "Do it."),
    ]
    assert first.tool_choice == "auto"
    assert [block.type for block in second.messages[-1].content] == ["tool_call", "tool_result"]


async def test_an_id_that_the_model_uses_again_is_another_call():
    agent = agent_of([call("f")], [call("f")], ["Hi"])
    events = await listen(agent)
    assert [event.tool_call_id for event in of_type(events, "TOOL_CALL_START")] == ["c1", "c1#2"]
    assert verify(events, complete=True) == []


async def test_what_a_stopped_model_still_says_wrong_is_no_failure():
    async def swallows():
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        yield "no chunk"

    agent = Agent("assistant", "", Model(swallows))
    heard = []

    async def read():
        async for event in agent.reply_stream("go"):
            heard.append(event)
            if event.type == "MODEL_CALL_START":
                asyncio.current_task().cancel()

    await read()
    assert heard[-1].finished_reason == "interrupted"
