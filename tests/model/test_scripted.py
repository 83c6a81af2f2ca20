"""A script is streamed as a model would: in chunks, with an end, and with its mistakes told at once."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.message import Base64Source, DataBlock, TextBlock, ThinkingBlock, ToolCallBlock, Usage, UserMsg
from nb_agentscope.model import CallDelta, ChatChunk, ChatModel, ScriptedModel, ToolSpec

USAGE = Usage(input_tokens=12, output_tokens=8)
CALL = ToolCallBlock(id="c1", name="list_dir", input='{"path": "."}')
IMAGE = DataBlock(source=Base64Source(data="iVBORw0KGgo=" * 3, media_type="image/png"))


async def chunks(model, *args, **kwargs):
    return [chunk async for chunk in model.stream(*(args or ([],)), **kwargs)]


async def answer(*items, **options):
    return await chunks(ScriptedModel([list(items)], **options))


def test_it_is_a_chat_model():
    model = ScriptedModel([], name="tiny")
    assert isinstance(model, ChatModel)
    assert model.name == "tiny"
    assert repr(model) == "ScriptedModel(0 answers, name='tiny', calls=0)"


async def test_every_kind_of_item():
    own = ChatChunk(thinking="x", text="y")
    got = await answer(
        ThinkingBlock(thinking="hm"), "Hi", TextBlock(text="!"), own, CALL, IMAGE, USAGE, chunk_size=None
    )
    assert got == [
        ChatChunk(thinking="hm"),
        ChatChunk(text="Hi"),
        ChatChunk(text="!"),
        own,
        ChatChunk(calls=(CallDelta("c1", "list_dir", '{"path": "."}'),)),
        ChatChunk(data=(IMAGE,)),
        ChatChunk(usage=USAGE, finish="tool_calls"),
    ]


@pytest.mark.parametrize(("size", "texts"), [(2, ["ab", "cd", "e"]), (8, ["abcde"]), (None, ["abcde"]), (0, ["abcde"])])
async def test_chunk_size(size, texts):
    got = await answer("abcde", chunk_size=size)
    assert got == [*(ChatChunk(text=text) for text in texts), ChatChunk(finish="stop")]


async def test_a_call_without_arguments_is_a_call():
    got = await answer(ToolCallBlock(id="c", name="now", input=""))
    assert got == [ChatChunk(calls=(CallDelta("c", "now", ""),)), ChatChunk(finish="tool_calls")]


async def test_an_empty_answer_has_an_end():
    assert await answer() == [ChatChunk(finish="stop")]


async def test_the_own_end_of_a_script_is_the_end():
    assert await answer(ChatChunk(text="cut", finish="length")) == [ChatChunk(text="cut", finish="length")]
    assert (await answer(USAGE, ChatChunk(calls=(CallDelta("c", "f"),))))[-1] == ChatChunk(
        usage=USAGE, finish="tool_calls"
    )


@pytest.mark.parametrize("error", [ConnectionError("gone"), ConnectionError, asyncio.CancelledError])
async def test_an_exception_is_raised_at_its_place(error):
    model = ScriptedModel([["Hello", error, "never"], error, "again"], chunk_size=0)
    cls, stream = error if isinstance(error, type) else type(error), model.stream([])
    assert await anext(stream) == ChatChunk(text="Hello")
    with pytest.raises(cls):
        await anext(stream)
    with pytest.raises(cls):
        await chunks(model)
    assert (await chunks(model))[0] == ChatChunk(text="again")


async def test_a_function_sees_the_conversation():
    def script(messages, tools):
        return [f"{messages[-1].get_text_content()} with {tools[0].name}"]

    async def later(messages, tools):
        return script(messages, tools)[0]

    tools = [ToolSpec("look", "Look.", {})]
    for function in (script, later):
        model = ScriptedModel(function, chunk_size=0)
        got = await chunks(model, [UserMsg("u", "Go")], tools, tool_choice="none")
        assert got[0].text == "Go with look"
        assert model.calls[0].tools == tools
        assert model.calls[0].tool_choice == "none"
    assert repr(model) == "ScriptedModel(a function, name='scripted', calls=1)"


async def test_calls_keep_what_was_asked():
    message = UserMsg("u", "first")
    model = ScriptedModel(["a"])
    await chunks(model, [message])
    message.content[0].grow(" and more")
    assert model.calls[0].messages[0].get_text_content() == "first"


async def test_a_script_that_is_used_up():
    model = ScriptedModel(["one"], name="short")
    await chunks(model)
    with pytest.raises(RuntimeError, match=r"^The script of 'short' has 1 answer, and this is call 2: add an answer"):
        await chunks(model)


@pytest.mark.parametrize("script", ["Hello", 5, None, CALL, {"a": 1}])
def test_no_script(script):
    with pytest.raises(TypeError, match=r"^A script is a list with one answer for each call, or a function; got "):
        ScriptedModel(script)


@pytest.mark.parametrize("answer", [5, ["a", 5], None, [["a"]], int])
def test_no_answer(answer):
    with pytest.raises(TypeError, match=r"^A scripted answer holds str, .*; got "):
        ScriptedModel([answer])


async def test_no_answer_of_a_function():
    with pytest.raises(TypeError, match="got 5"):
        await chunks(ScriptedModel(lambda _messages, _tools: 5))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"name": 3}, TypeError, "The name of a model is text, got 3."),
        ({"chunk_size": "8"}, TypeError, "chunk_size is a whole number, got '8'."),
        ({"chunk_size": 2.5}, TypeError, "chunk_size is a whole number, got 2.5."),
        ({"chunk_size": True}, TypeError, "chunk_size is a whole number, got True."),
        ({"chunk_size": -1}, ValueError, "chunk_size must be at least 0, got -1."),
        ({"delay": "x"}, TypeError, "delay is a number of seconds, got 'x'."),
        ({"delay": None}, TypeError, "delay is a number of seconds, got None."),
        ({"delay": True}, TypeError, "delay is a number of seconds, got True."),
        *(
            ({"delay": n}, ValueError, f"delay must be a finite number of seconds, not negative, got {n}.")
            for n in (-1, float("nan"), float("inf"))
        ),
    ],
)
def test_odd_options(options, error, text):
    with pytest.raises(error) as caught:
        ScriptedModel([], **options)
    assert str(caught.value) == text


async def test_others_run_between_the_chunks():
    turns = []

    async def other():
        while True:
            turns.append(len(seen))
            await asyncio.sleep(0)

    seen, task = [], asyncio.create_task(other())
    async for chunk in ScriptedModel(["abcdef"], chunk_size=1).stream([]):
        seen.append(chunk)  # noqa: PERF401 - the other task looks at it meanwhile
    task.cancel()
    assert set(range(6)) <= set(turns)


async def test_delay_comes_before_each_chunk(monkeypatch):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    monkeypatch.setattr("nb_agentscope.model._scripted.asyncio.sleep", sleep)
    got = await answer("abcd", chunk_size=2, delay=0.5)
    assert slept == [0.5] * len(got) == [0.5] * 3


@settings(max_examples=50)
@given(st.lists(st.text(max_size=20), max_size=4), st.integers(0, 9))
async def test_nothing_is_lost_by_cutting(texts, size):
    got = await answer(*texts, chunk_size=size)
    assert "".join(chunk.text or "" for chunk in got) == "".join(texts)
    assert [chunk.finish for chunk in got if chunk.finish] == ["stop"]
