"""Progress in TypeScript: the fixtures that Python wrote, and generated streams."""

import json
import logging
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from nb_agentscope.stream import EventLog, View
from nb_agentscope.widget._dump import dump_events
from tests.js.node import node_fold
from tests.lanes import lanes_json
from tests.strategies import any_streams

FIXTURES = Path(__file__).parents[1] / "fixtures" / "progress"


@pytest.fixture(scope="module")
def fold():
    with node_fold("--progress") as process:
        yield process


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_fixture_gives_what_python_wrote(fold, path):
    fixture = json.loads(path.read_text(encoding="utf-8"))
    folded = fold(fixture["records"])
    assert folded["progress"] == fixture["progress"]
    assert folded["lanes"] == fixture.get("lanes", [])


def test_generated_streams_give_the_same_in_both_languages(fold, caplog):
    """Broken streams too: Python's progress and the page both follow what `Tidy` makes of them, joined on the wire."""
    caplog.set_level(logging.ERROR, "nb_agentscope")

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(any_streams())
    def law(events):
        log = EventLog()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            records = [record for event in events if (record := log.append(event)) is not None]
            view = View()
            sent, _ = dump_events([(record, view.follow(record)) for record in records])
        folded = fold(sent)
        assert folded["progress"] == view.progress.model_dump(mode="json")
        assert folded["lanes"] == lanes_json(view)

    law()
