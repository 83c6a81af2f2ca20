"""Laws 5, 7 and 10: verify, stopped runs, tidy; law 6 is in `tests/js/test_snapshot_and_tail.py`."""

import pytest
from hypothesis import given, settings

from nb_agentscope.event import AgentEvent
from nb_agentscope.stream import Record, Tidy, View, closing_events, fold_all, tidy, verify
from tests.strategies import broken_streams, samples, valid_streams

Events = list[AgentEvent]
pytestmark = pytest.mark.filterwarnings("ignore:.*not applied to data block:UserWarning")


def record(seq: int, event: AgentEvent) -> Record:
    return Record(seq, f"2026-03-01T10:00:00.{seq:06}+00:00", seq / 1000, "out", None, event)


def tidied(events: Events) -> Events:
    """What a live view folds: nothing is closed that may still go on."""
    state = Tidy()
    return [fitting for event in events for fitting in state.push(event)]


# -- law 5 -------------------------------------------------------------------------------------------------------------------


def deletable(events: Events) -> list[int]:
    """Positions of the STARTs and ENDs; a second REPLY_START is left out, for a stream is as good without it."""
    replies: set[str] = set()
    places = []
    for i, event in enumerate(events):
        if event.type == "REPLY_START" and event.reply_id in replies:
            continue
        if event.type == "REPLY_START":
            replies.add(event.reply_id)
        if event.type.endswith(("_START", "_END")):
            places.append(i)
    return places


@given(valid_streams())
@settings(max_examples=60, deadline=None)
def test_verify_finds_nothing_in_a_valid_stream_and_something_without_any_one_start_or_end(events):
    assert verify(events, complete=True) == []
    for i in deletable(events):
        assert verify(events[:i] + events[i + 1 :], complete=True), events[i]


def test_the_streams_of_law_5_have_every_start_and_end():
    found = {str(events[i].type) for events in samples(40) for i in deletable(events)}
    assert len(found) == 14


@given(valid_streams())
@settings(max_examples=40, deadline=None)
def test_verify_finds_nothing_in_the_beginning_of_a_valid_stream(events):
    for cut in range(len(events)):
        assert verify(events[:cut]) == []


# -- law 7, the pure part ---------------------------------------------------------------------------------------------------


def stopped(events: Events) -> Events:
    """The stream, ended by us where it is: sub-agents first, the deepest before those that called them."""
    view = View.of(record(i, event) for i, event in enumerate(events))
    ends: Events = []
    for lane, each in [*reversed(view.lanes.items()), (None, view)]:
        if each.msg is not None:
            assert each.progress.session_id is not None
            ends += closing_events(
                each.msg,
                reason="interrupted",
                session_id=each.progress.session_id,
                model_open=each.progress.model_open,
                lane=lane,
            )
    return events + ends


@given(valid_streams())
@settings(max_examples=25, deadline=None)
def test_a_stream_stopped_anywhere_verifies_and_has_one_reply_end_a_reply(events):
    first = next(i for i, event in enumerate(events) if event.type == "REPLY_START")
    for cut in range(first + 1, len(events) + 1):
        whole = stopped(events[:cut])
        assert verify(whole, complete=True) == []
        view = View.of(record(i, event) for i, event in enumerate(whole))
        for newest in [each.msg for each in [view, *view.lanes.values()] if each.msgs]:
            ends = [e for e in whole if e.type == "REPLY_END" and e.reply_id == newest.id]
            assert len(ends) == 1
            assert newest.finished_at is not None
            assert all(getattr(block, "finished_at", "") is not None for block in newest.content)


@given(broken_streams())
@settings(max_examples=60, deadline=None)
def test_any_stream_that_was_tidied_and_stopped_leaves_nothing_open(events):
    events = tidied(events)
    if not fold_all(events):
        return
    newest = fold_all(events + closing_events(fold_all(events)[-1], reason="error", session_id="s", model_open=False))[
        -1
    ]
    assert newest.finished_at is not None


# -- law 10 ------------------------------------------------------------------------------------------------------------------


@given(valid_streams())
@settings(max_examples=60, deadline=None)
def test_tidy_changes_nothing_in_a_valid_stream(events):
    assert all(a is b for a, b in zip(tidied(events), events, strict=True))
    assert all(a is b for a, b in zip(tidy(events), events, strict=True))


@given(broken_streams())
@settings(max_examples=100, deadline=None)
def test_tidy_is_idempotent(events):
    once = tidy(events)
    assert tidy(once) == once


@given(broken_streams())
@settings(max_examples=60, deadline=None)
def test_tidied_streams_have_each_id_once_and_fold_without_unknown_blocks(events):
    once = tidy(events)
    assert len({event.id for event in once}) == len(once)
    rules = {problem.rule for problem in verify(once)}
    assert not rules & {"known_id", "no_reply", "older_reply", "started_twice"}
