"""Events as values."""

import json
from typing import get_args

import pytest

from nb_agentscope.event import AgentEvent, EventType, ToolResultDataDeltaEvent, parse_event


def test_28_classes_for_28_types():
    classes = get_args(AgentEvent)
    assert len(classes) == len(EventType) == 28
    assert {cls.model_fields["type"].default for cls in classes} == set(EventType)


def test_the_common_keys_come_first():
    for cls in get_args(AgentEvent):
        # TOOL_RESULT_END writes its own metadata under the common key.
        assert list(cls.model_fields)[:4] == ["id", "created_at", "metadata", "type"]


def test_from_text_bytes_and_dict():
    event = {
        "type": "TEXT_BLOCK_DELTA",
        "id": "e",
        "created_at": "t",
        "reply_id": "r",
        "block_id": "b",
        "delta": "ü",
        "new": 1,
    }
    text = json.dumps(event)
    assert parse_event(text) == parse_event(text.encode()) == parse_event(event)
    assert "new" not in parse_event(event).model_dump()
    assert '"ü"' in parse_event(event).model_dump_json()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ({"type": "NOPE"}, "Unknown event type 'NOPE'; the known types are REPLY_START"),
        ({"id": "x"}, "An event needs a 'type'"),
        ("{half", "must be one JSON object, got '{half'"),
        ({"type": "TEXT_BLOCK_DELTA", "reply_id": "r", "block_id": "b"}, "delta: Field required"),
        ({"type": "TEXT_BLOCK_DELTA", "reply_id": "r", "block_id": "b", "delta": 5}, "delta: .*string.*got 5"),
    ],
)
def test_bad_input_gets_one_sentence(source, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        parse_event(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("payload", "fine"), [({}, False), ({"data": "", "url": ""}, False), ({"data": ""}, True), ({"url": ""}, True)]
)
def test_exactly_one_of_data_and_url(payload, fine):
    fields = {"reply_id": "r", "tool_call_id": "c", "media_type": "m", **payload}
    if fine:
        assert ToolResultDataDeltaEvent(**fields).block_id
    else:
        with pytest.raises(ValueError, match="Exactly one of"):
            ToolResultDataDeltaEvent(**fields)
