"""One view of a log: the agent and its sub-agents, each folded by itself."""

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import EventLog, Lane, Record, View, fold_all, tidy, verify
from tests.lanes import nested
from tests.stream.words import stream, words

CALLS = "TOOL_CALL_START:c TOOL_CALL_END:c TOOL_CALL_START:d TOOL_CALL_END:d"
BEGIN = f"REPLY_START MODEL_CALL_START {CALLS} MODEL_CALL_END TOOL_RESULT_START:c TOOL_RESULT_START:d"
FINISH = "TOOL_RESULT_END:c TOOL_RESULT_END:d REPLY_END"
ASK = "REPLY_START MODEL_CALL_START TOOL_CALL_START:c TOOL_CALL_END:c MODEL_CALL_END REQUIRE_USER_CONFIRM:c"
DONE = "TOOL_RESULT_START:c TOOL_RESULT_END:c REPLY_END"
C, D = Lane("main/helper", "r", "c"), Lane("main/helper", "r", "d")
DEEP = Lane("main/helper/deep", "c-r", "c")


def parts(*texts):
    """One stream in parts, so that others may come between; ids go on."""
    events = stream(" ".join(texts))
    out, start = [], 0
    for text in texts:
        count = len([word for word in text.split() if not word.startswith("@")])
        out.append(events[start : start + count])
        start += count
    return out


def inside(lane, prefix, *texts):
    return [nested(part, lane, prefix) for part in parts(*texts)]


def view_of(events):
    return View.of(Record(i, None, None, "out", None, event) for i, event in enumerate(events))


def shuffled(*lanes):
    """One event of each in turn."""
    lanes = [list(lane) for lane in lanes]
    out = []
    while any(lanes):
        out += [lane.pop(0) for lane in lanes if lane]
    return out


def test_two_sub_agents_of_one_name_with_equal_ids_and_their_parent_at_once():
    begin, finish = parts(BEGIN, FINISH)
    [first], [second] = inside(C, "c-", f"{ASK} USER_CONFIRM_RESULT:c {DONE}"), inside(D, "d-", f"{ASK} {DONE}")
    events = [*begin, *shuffled(first, finish[:1], second), *finish[1:]]
    view = view_of(events)
    assert verify(events, complete=True) == []
    assert all(a is b for a, b in zip(tidy(events), events, strict=True))
    assert view.msgs == fold_all([*begin, *finish])
    assert list(view.lanes) == [C, D]
    for lane, own in ((C, first), (D, second)):
        plain = [event.model_copy(update={"metadata": {}}) for event in own]
        assert [msg.id for msg in view.lanes[lane].msgs] == [msg.id for msg in fold_all(plain)]
        assert [block.id for block in view.lanes[lane].msg.content] == ["c", "c"]
        assert view.lanes[lane].progress.model_calls == 1
    assert list(view.lanes[C].progress.decisions) == ["c"]
    assert view.lanes[D].progress.decisions == {}
    assert view.progress.decisions == {}
    assert view.progress.agent == "assistant"


def test_a_parked_sub_agent_keeps_its_call_and_that_of_its_own_caller_open():
    [begin] = parts(BEGIN.replace(" TOOL_RESULT_START:d", ""))
    [middle] = inside(C, "c-", f"{ASK.rpartition(' ')[0]} TOOL_RESULT_START:c")
    [deepest] = inside(DEEP, "e-", ASK)
    events = [*begin, *middle, *deepest]
    assert verify(events, complete=True) == []
    assert tidy(events) == events


@pytest.mark.parametrize("lost", [C, DEEP])
def test_without_the_one_that_waits_the_call_has_no_end(lost):
    [begin] = parts("REPLY_START MODEL_CALL_START TOOL_CALL_START:c TOOL_CALL_END:c MODEL_CALL_END TOOL_RESULT_START:c")
    [middle] = inside(C, "c-", f"{ASK.rpartition(' ')[0]} TOOL_RESULT_START:c")
    [deepest] = inside(DEEP, "e-", ASK)
    kept = [event for lane, part in ((C, middle), (DEEP, deepest)) if lane != lost for event in part]
    events = [*begin, *kept]
    assert "reply_not_ended" in {problem.rule for problem in verify(events, complete=True)}
    assert words(tidy(events)[len(events) :]).endswith("TOOL_RESULT_END:c")


def test_a_new_reply_may_begin_while_a_sub_agent_waits():
    begin, other = parts(BEGIN.replace(" TOOL_RESULT_START:d", ""), "@q REPLY_START REPLY_END")
    begin = [event for event in begin if getattr(event, "tool_call_id", "") != "d"]
    [asking] = inside(C, "c-", ASK)
    events = [*begin, *asking, *other]
    assert verify(events, complete=True) == []
    assert tidy(events) == events


def test_a_lane_without_a_start_gets_one_of_its_own_name():
    [begin] = parts("REPLY_START")
    [part] = inside(Lane("main/helper"), "x-", "TEXT_BLOCK_DELTA:b")
    once = tidy([*begin, *part])
    assert words(once) == "REPLY_START REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b"
    assert once[1].name == "helper"
    assert [event.metadata for event in once[1:]] == [{"source": "main/helper"}] * 4
    assert tidy(once) == once
    view = view_of([*begin, *part])
    assert view.lanes[Lane("main/helper")].msg.name == "helper"
    assert [msg.content for msg in view.msgs] == [[]]
    assert [problem.rule for problem in verify([*begin, *part])] == ["no_reply"]


def test_a_lane_that_ends_first_a_main_one_that_never_begins():
    [only] = inside(Lane("x"), "x-", "REPLY_START REPLY_END")
    assert verify(only, complete=True) == []
    view = view_of(only)
    assert (view.msg, view.progress.agent) == (None, None)
    assert view.lanes[Lane("x")].msg.finished_at


def test_a_nested_start_ends_nothing_outside_and_a_stray_event_there_makes_no_lane():
    begin, finish = parts(BEGIN, FINISH)
    [start] = inside(C, "c-", "REPLY_START")
    [late] = inside(D, "d-", "USER_CONFIRM_RESULT:c")
    events = [*begin, *start, *late, *finish]
    assert words(tidy(events)[: len(begin) + 1]) == f"{BEGIN} REPLY_START"
    assert list(view_of(events).lanes) == [C]


def test_ids_are_unique_over_all_lanes():
    [begin] = parts("REPLY_START")
    [same] = inside(C, "", "@n REPLY_START")
    assert [problem.rule for problem in verify([*begin, *same])] == ["known_id"]
    assert tidy([*begin, *same]) == begin


def test_custom_events_count_where_they_belong():
    event = CustomEvent(name="state_updated", metadata=C.metadata)
    view = view_of([event, CustomEvent(name="state_updated")])
    assert (view.progress.other_events, view.lanes[C].progress.other_events) == (1, 1)


def test_a_log_has_the_same_view_and_keeps_it_up_to_date():
    begin, finish = parts(BEGIN, FINISH)
    [first] = inside(C, "c-", f"{ASK} {DONE}")
    log = EventLog()
    for event in [*begin, *first]:
        log.append(event)
    assert log.view.lanes[C].msgs == view_of([*begin, *first]).lanes[C].msgs
    for event in finish:
        log.append(event)
    assert log.msg is log.view.msg
    assert log.msg.finished_at
