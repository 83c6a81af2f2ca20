"""The TypeScript reducer on the recorded streams: as recorded, and equal to Python's fold in every byte."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from nb_agentscope.message import AssistantMsg
from nb_agentscope.stream import append_event, fold_all
from tests import recorded
from tests.js.node import NodeFold, node_fold


@pytest.fixture(scope="module")
def fold() -> Iterator[NodeFold]:
    with node_fold() as process:
        yield process


def dumped(msg: Any) -> Any:
    return json.loads(msg.model_dump_json())


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_stream_folds_to_the_recorded_message(fold, scenario):
    assert recorded.differences(recorded.messages(scenario), fold.events(recorded.events(scenario))) == []


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_stream_folds_as_in_python_with_ids_times_and_key_order(fold, scenario):
    events = recorded.events(scenario)
    assert json.dumps(fold.events(events)) == json.dumps([dumped(msg) for msg in fold_all(events)])


def test_random_sequences_fold_as_recorded_and_as_in_python(fold, caplog):
    caplog.set_level(logging.ERROR, "nb_agentscope")
    count = 0
    for entry in recorded.synthetic():
        msg = AssistantMsg(name=entry.init["name"], content=[], id=entry.init["id"])
        events = [json.loads(event.model_dump_json()) for event in entry.events]
        (got,) = fold({"init": dumped(msg), "events": events})
        for event in entry.events:
            append_event(msg, event)
        assert recorded.differences(entry.msg, got) == [], f"seed {entry.seed}"
        assert json.dumps(got) == json.dumps(dumped(msg)), f"seed {entry.seed}"
        count += 1
    assert count > 100
