"""What the generators of streams cover, by counts."""

from itertools import pairwise
from random import Random

import pytest

from nb_agentscope.event import EventType
from nb_agentscope.stream import fold_all
from tests import breaking
from tests.strategies import broken_stream, counts, samples, valid_stream


def test_valid_streams_have_every_event_type():
    found = counts(samples(60))
    assert {kind: found[kind] for kind in EventType if found[kind] < 5} == {}


def test_valid_streams_have_overlap_parks_and_both_ways_to_resume():
    plain = service = parked = overlapping = several = 0
    for stream in samples(60):
        types = [event.type for event in stream]
        for i, kind in enumerate(types[:-1]):
            if kind in ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT"):
                service += types[i + 1] == "REPLY_START"
                plain += types[i + 1] != "REPLY_START"
        parked += types[-1] != "REPLY_END"
        several += types.count("REPLY_END") > 1
        overlapping += any(a.endswith("_START") and b.endswith("BLOCK_START") for a, b in pairwise(types))
    assert min(plain, service, parked, overlapping, several) >= 5, (plain, service, parked, overlapping, several)


def test_valid_streams_fold_without_a_word(caplog):
    for stream in samples(40):
        fold_all(stream)
    assert caplog.records == []


def test_ids_and_times_of_valid_streams_count_up():
    for stream in samples(20):
        assert len({event.id for event in stream}) == len(stream)
        assert [event.created_at for event in stream] == sorted(event.created_at for event in stream)


@pytest.mark.parametrize("accident", breaking.ACCIDENTS)
def test_every_accident_changes_streams(accident):
    changed = sum(
        accident(Random(seed), valid_stream(Random(seed))) != valid_stream(Random(seed)) for seed in range(30)
    )
    assert changed >= 10


@pytest.mark.filterwarnings("ignore:.*not applied to data block:UserWarning")
def test_broken_streams_fold_to_the_end():
    streams = samples(60, broken_stream)
    assert sum(bool(fold_all(stream)) for stream in streams) >= 50


def test_the_same_seed_gives_the_same_stream():
    assert samples(5) == samples(5)
    assert samples(5, broken_stream) == samples(5, broken_stream)
