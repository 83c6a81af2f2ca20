"""Law: a view that begins with a snapshot, at any cut, ends where one ends that was there from the beginning."""

import warnings
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nb_agentscope.run._transcript import Transcript
from nb_agentscope.stream import EventLog
from nb_agentscope.widget._dump import dump_events
from nb_agentscope.widget._protocol import Batch
from nb_agentscope.widget._view import read_snapshot
from tests.js.node import node_fold
from tests.strategies import any_streams, broken_stream, samples, valid_stream


def snapshot(transcript):
    run = SimpleNamespace(
        log=transcript.log,
        msgs=transcript.msgs,
        lanes=transcript.view.lanes,
        progress=transcript.progress,
        status="running",
        pending=[],
        elapsed_s=0.0,
    )
    return read_snapshot(run, live=True).model_dump(mode="json")


def batch(pairs):
    events, _ = dump_events(pairs)
    seq0, seq1 = pairs[0][0].seq, pairs[-1][0].seq + 1
    return Batch(seq0=seq0, seq1=seq1, events=events, status="running", elapsed_s=0.0).model_dump(mode="json")


def check(receive, events, cut):
    transcript = Transcript(EventLog())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # broken streams are complained about
        for event in events[:cut]:
            transcript.write(event)
        messages = [snapshot(transcript)]
        written = [transcript.write(event) for event in events[cut:]]
    tail = [pair for pair in written if pair is not None]
    middle = len(tail) // 2
    messages += [batch(part) for part in (tail[:middle], tail[middle:]) if part]
    whole = snapshot(transcript)
    assert receive(messages) == {key: whole[key] for key in ("msgs", "progress", "lanes")}


@pytest.fixture(scope="module")
def receive():
    with node_fold("--wire") as process:
        yield process


@given(events=any_streams(), data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_snapshot_and_tail_are_the_whole(receive, events, data):
    check(receive, events, data.draw(st.integers(0, len(events))))


@pytest.mark.parametrize("make", [valid_stream, broken_stream])
def test_snapshot_and_tail_are_the_whole_at_every_cut(receive, make):
    [events] = samples(1, make)
    for cut in range(len(events) + 1):
        check(receive, events, cut)
