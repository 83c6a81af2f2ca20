"""What the generators of streams cover, by counts."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest

from nb_agentscope.event import EventType
from nb_agentscope.stream import Record, View, fold_all, lane_of
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


def test_valid_streams_hold_sub_agents():
    """Interleaved with their parents, two of one name at once with equal ids, parked, two deep, and without known parents."""
    found = Counter()
    for stream in samples(200):
        main = {event.reply_id for event in stream if event.type == "REPLY_START" and lane_of(event) is None}
        lanes = [lane_of(event, main) for event in stream]
        view = View.of(Record(i, None, None, "out", None, event) for i, event in enumerate(stream))
        found["lane"] += bool(view.lanes)
        found["without parents"] += any(lane.parent_reply_id is None for lane in view.lanes)
        found["two deep"] += any(lane.source.count("/") == 2 and lane.parent_reply_id for lane in view.lanes)
        found["interleaved"] += any(
            a and a == c and b != a for a, b, c in zip(lanes, lanes[1:], lanes[2:], strict=False)
        )
        found["parked"] += any(each.msg.finished_at is None for each in view.lanes.values())
        found["answered"] += any(
            e.type == "USER_CONFIRM_RESULT" and lane for e, lane in zip(stream, lanes, strict=True)
        )
        calls = [{block.id for msg in each.msgs for block in msg.content} for each in [view, *view.lanes.values()]]
        found["equal ids"] += any(a & b for a, b in combinations(calls, 2))
        found["one name at once"] += any(
            a.source == b.source and a.parent_reply_id == b.parent_reply_id and lanes.index(b) < last_of(lanes, a)
            for a, b in combinations(view.lanes, 2)
        )
        found["a tool's own source"] += any(
            event.metadata.get("source") == "wikipedia" and lane is None
            for event, lane in zip(stream, lanes, strict=True)
        )
    kinds = [
        "lane",
        "without parents",
        "two deep",
        "interleaved",
        "parked",
        "answered",
        "equal ids",
        "one name at once",
    ]
    assert {kind: found[kind] for kind in [*kinds, "a tool's own source"] if found[kind] < 4} == {}


def last_of(lanes, lane):
    return len(lanes) - 1 - lanes[::-1].index(lane)


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
