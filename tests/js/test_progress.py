"""Progress in TypeScript: the fixtures that Python wrote, and generated streams."""

import json
import logging
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from nb_agentscope.stream import EventLog
from nb_agentscope.stream._progress import Progress
from tests.js.node import node_fold
from tests.strategies import valid_streams

FIXTURES = Path(__file__).parents[1] / "fixtures" / "progress"


@pytest.fixture(scope="module")
def fold():
    with node_fold("--progress") as process:
        yield process


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_fixture_gives_what_python_wrote(fold, path):
    fixture = json.loads(path.read_text(encoding="utf-8"))
    assert fold(fixture["records"])["progress"] == fixture["progress"]


def test_generated_streams_give_the_same_in_both_languages(fold, caplog):
    caplog.set_level(logging.ERROR, "nb_agentscope")

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(valid_streams())
    def law(events):
        log = EventLog()
        progress = Progress()
        lines = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for event in events:
                record = log.append(event)
                if record is not None:
                    progress.push(record)
                    recorded = {
                        "seq": record.seq,
                        "at": record.at,
                        "mono": record.mono,
                        "dir": record.dir,
                        "by": record.by,
                    }
                    lines.append({**json.loads(event.model_dump_json()), "recorded": recorded})
        assert fold(lines)["progress"] == progress.model_dump(mode="json")

    law()
