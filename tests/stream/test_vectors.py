"""Every recorded stream folds to the message that AgentScope made of it."""

import json

import pytest

from nb_agentscope.event import parse_event
from nb_agentscope.message import AssistantMsg
from nb_agentscope.stream import Fold, append_event, fold, fold_all
from tests import recorded


def dump(model):
    return json.loads(model.model_dump_json())


def test_there_are_vectors():
    assert len(recorded.SCENARIOS) >= 27
    assert len(recorded.WITH_PREFIXES) == 3


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_events_are_written_as_they_were_read(scenario):
    for line in recorded.lines(f"{scenario}.jsonl"):
        assert parse_event(line).model_dump_json() == json.dumps(
            json.loads(line), ensure_ascii=False, separators=(",", ":")
        )


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_scenario_folds_to_its_messages(scenario):
    msgs = fold_all(recorded.events(scenario))
    assert recorded.differences(recorded.messages(scenario), [dump(msg) for msg in msgs]) == []
    assert fold(recorded.events(scenario)) == msgs[-1]


@pytest.mark.parametrize("scenario", recorded.WITH_PREFIXES)
def test_message_after_every_line(scenario):
    state = Fold()
    for event, expected in zip(recorded.events(scenario), recorded.prefixes(scenario), strict=True):
        state.push(event)
        assert recorded.differences(expected, dump(state.msg)) == []


def test_synthetic_streams():
    streams = list(recorded.synthetic())
    assert len(streams) > 100
    for stream in streams:
        msg = AssistantMsg(name=stream.init["name"], content=[], id=stream.init["id"])
        for event in stream.events:
            assert append_event(msg, event) is msg
        assert recorded.differences(stream.msg, dump(msg)) == [], f"seed {stream.seed}"


@pytest.mark.parametrize(
    ("expected", "got", "count"),
    [
        ("auto-id", "any", 0),
        ("auto-id", None, 1),
        ("any", "auto-id", 1),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1),
        ({"a": [1, 2]}, {"a": [1, 3]}, 1),
        ([1], [1, 2], 1),
        (1, 1.0, 1),
        (True, 1, 1),
    ],
)
def test_the_comparison_itself(expected, got, count):
    assert len(recorded.differences(expected, got)) == count
