"""Items of foreign streams: taken over, or kept."""

from types import SimpleNamespace

import pytest
from pydantic import BaseModel

from nb_agentscope.event import CustomEvent, ReplyStartEvent, TextBlockDeltaEvent, parse_event
from nb_agentscope.interop import adopt, adopt_msg, adopt_or_keep, wrap
from nb_agentscope.message import UserMsg
from tests.run.fakes import Agent, start


class Theirs(BaseModel):
    type: str = "TEXT_BLOCK_DELTA"
    id: str = "e"
    created_at: str = "2026-01-01"
    reply_id: str = "r"
    block_id: str = "b"
    delta: str = "x"
    odd: object = None


def test_ours_stay_the_same_object():
    event = start()
    assert adopt(event) is event


@pytest.mark.parametrize("item", [Theirs(), Theirs().model_dump(), Theirs(odd=object())])
def test_dicts_and_models(item):
    event = adopt(item)
    assert isinstance(event, TextBlockDeltaEvent)
    assert (event.id, event.delta) == ("e", "x")


def test_by_value():
    raw = {"type": "CUSTOM", "name": "n", "value": {"k": [1]}}
    event = adopt(raw)
    raw["name"] = "changed"
    assert event.name == "n"


def test_a_whole_message_becomes_a_custom_event():
    event = adopt(UserMsg("u", "hello"))
    assert isinstance(event, CustomEvent)
    assert event.name == "nb_agentscope.msg"
    assert event.value["content"][0]["text"] == "hello"


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (5, "got int"),
        (None, "got NoneType"),
        (Theirs, "got ModelMetaclass"),
        ({"type": "TEXT"}, "Unknown event type 'TEXT'"),
        ({"type": "REPLY_START", "reply_id": "r", "name": "n"}, "session_id"),
        ({}, "needs a 'type'"),
    ],
)
def test_what_is_no_event(item, says):
    with pytest.raises(ValueError, match=says) as caught:
        adopt(item)
    assert "\n" not in str(caught.value)
    kept = adopt_or_keep(item)
    assert kept.name == "nb_agentscope.unknown"
    assert kept.value["problem"] == str(caught.value)
    assert kept.value["raw"] == (item if isinstance(item, dict | int | None) else repr(item))
    assert parse_event(kept.model_dump_json()) == kept


def test_a_kept_item_is_always_json():
    raw = {1: (float("nan"), 2.5, {"x": object()}), "ok": True}
    kept = adopt_or_keep(raw)
    assert kept.value["raw"]["1"][:2] == ["nan", 2.5]
    assert parse_event(kept.model_dump_json()) == kept


def test_messages():
    msg = UserMsg("u", "x")
    assert adopt_msg(msg) is msg
    assert adopt_msg(msg.model_dump()) == msg
    with pytest.raises(TypeError, match="got int"):
        adopt_msg(5)
    assert isinstance(adopt(ReplyStartEvent(session_id="s", reply_id="r", name="n")), ReplyStartEvent)


ASSISTANT = {"name": "a", "role": "assistant", "content": [{"type": "text", "text": "x"}]}
CALL = {"type": "tool_call", "id": "c", "name": "t", "input": "{}"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"role": "user", "content": [CALL]},
            "a user message may hold only data and text blocks, got tool_call; use role 'assistant' for the others",
        ),
        ({"role": "robot"}, "role: Input should be 'user', 'assistant' or 'system' (got 'robot')"),
        (
            {"content": [{"type": "text", "text": 5}]},
            "content.0.TextBlock.text: Input should be a valid string (got 5)",
        ),
        (
            {"content": [{**CALL, "name": 5}]},
            "content.0.ToolCallBlock.name: Input should be a valid string (got 5)",
        ),
        ({"name": "a" * 200, "content": None}, "content: Input should be a valid list (got None)"),
    ],
)
@pytest.mark.parametrize("kind", [dict, SimpleNamespace])
def test_a_wrong_message_is_refused_in_one_sentence(change, says, kind):
    fields = {**ASSISTANT, **change}
    item = fields if kind is dict else SimpleNamespace(model_dump=lambda **_: fields)
    with pytest.raises(ValueError, match="message") as caught:
        adopt_msg(item)
    assert type(caught.value) is ValueError
    assert str(caught.value) == f"This message cannot be used: {says}."


async def test_a_wrapped_agent_says_the_same_of_its_inputs():
    wrong = {**ASSISTANT, "role": "user", "content": [CALL]}
    with pytest.raises(ValueError, match="used: a user message may hold only") as caught:
        wrap(Agent([start()])).start([wrong])
    assert "\n" not in str(caught.value)
