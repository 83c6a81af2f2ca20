"""Broken streams made whole."""

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import Tidy, fold, fold_all, tidy
from tests import recorded
from tests.stream.words import stream, words

CALL = "TOOL_CALL_START:c1 TOOL_CALL_END:c1"
RESULT = "TOOL_RESULT_START:c1 TOOL_RESULT_END:c1"


def again(text, number):
    return text.replace("c1", f"c1#{number}")


CASES = {
    "repeated start of an open text": (
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b",
    ),
    "external result started twice": (
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 EXTERNAL_EXECUTION_RESULT:c1 {RESULT}",
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 EXTERNAL_EXECUTION_RESULT:c1 TOOL_RESULT_END:c1",
    ),
    "external result given whole, then started": (
        f"REPLY_START {CALL} EXTERNAL_EXECUTION_RESULT:c1 {RESULT}",
        f"REPLY_START {CALL} EXTERNAL_EXECUTION_RESULT:c1 TOOL_RESULT_END:c1",
    ),
    "finished text id used again": (
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b TEXT_BLOCK_START:b#2 TEXT_BLOCK_DELTA:b#2 TEXT_BLOCK_END:b#2",
    ),
    "finished call id used again, with its result": (
        f"REPLY_START {CALL} {RESULT} {CALL} REQUIRE_USER_CONFIRM:c1 USER_CONFIRM_RESULT:c1 {RESULT} {CALL} {RESULT}",
        (
            f"REPLY_START {CALL} {RESULT} {again(CALL, 2)} REQUIRE_USER_CONFIRM:c1#2 USER_CONFIRM_RESULT:c1#2 {again(RESULT, 2)} "
            f"{again(CALL, 3)} {again(RESULT, 3)}"
        ),
    ),
    "two calls of one round share an id": (
        f"REPLY_START {CALL} {CALL} {RESULT} {RESULT}",
        f"REPLY_START {CALL} {again(CALL, 2)} {RESULT} {again(RESULT, 2)}",
    ),
    "result started again after its end": (
        f"REPLY_START {CALL} {RESULT} {RESULT}",
        f"REPLY_START {CALL} {RESULT} {again(RESULT, 2)}",
    ),
    "the new name is taken": (
        f"REPLY_START {CALL} {again(CALL, 2)} {CALL}",
        f"REPLY_START {CALL} {again(CALL, 2)} {again(CALL, 3)}",
    ),
    "orphans": (
        (
            "REPLY_START TEXT_BLOCK_DELTA:b THINKING_BLOCK_DELTA:k DATA_BLOCK_DELTA:d "
            "TOOL_CALL_DELTA:c TOOL_RESULT_END:c TEXT_BLOCK_END:b "
            "THINKING_BLOCK_END:k DATA_BLOCK_END:d TOOL_CALL_END:c"
        ),
        (
            "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b THINKING_BLOCK_START:k THINKING_BLOCK_DELTA:k DATA_BLOCK_START:d "
            "DATA_BLOCK_DELTA:d TOOL_CALL_START:c TOOL_CALL_DELTA:c TOOL_RESULT_START:c TOOL_RESULT_END:c TEXT_BLOCK_END:b "
            "THINKING_BLOCK_END:k DATA_BLOCK_END:d TOOL_CALL_END:c"
        ),
    ),
    "an end alone": ("REPLY_START TOOL_CALL_END:c", "REPLY_START TOOL_CALL_START:c TOOL_CALL_END:c"),
    "a delta after the end still counts": (
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b TEXT_BLOCK_DELTA:b",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b TEXT_BLOCK_DELTA:b",
    ),
    "reply end closes in the agent's order": (
        "REPLY_START TOOL_RESULT_START:c0 MODEL_CALL_START DATA_BLOCK_START:d TOOL_CALL_START:c TEXT_BLOCK_START:b REPLY_END",
        (
            "REPLY_START TOOL_RESULT_START:c0 MODEL_CALL_START DATA_BLOCK_START:d TOOL_CALL_START:c TEXT_BLOCK_START:b "
            "TEXT_BLOCK_END:b TOOL_CALL_END:c DATA_BLOCK_END:d MODEL_CALL_END TOOL_RESULT_END:c0 REPLY_END"
        ),
    ),
    "a new reply closes the old one's blocks": (
        "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b @q REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b",
        (
            "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b MODEL_CALL_END "
            "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b"
        ),
    ),
    "the end of the stream closes, too": (
        "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b",
        "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b MODEL_CALL_END",
    ),
    "what waits for a result outside stays open": (
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 @q REPLY_START REPLY_END",
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 REPLY_START REPLY_END",
    ),
    "but not longer than its reply": (
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 REPLY_END",
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 TOOL_RESULT_END:c1 REPLY_END",
    ),
    "nor once it has its answer": (
        f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 EXTERNAL_EXECUTION_RESULT:c1",
        (
            f"REPLY_START {CALL} TOOL_RESULT_START:c1 REQUIRE_EXTERNAL_EXECUTION:c1 EXTERNAL_EXECUTION_RESULT:c1 "
            "TOOL_RESULT_END:c1"
        ),
    ),
    "a reply without a start": (
        "TEXT_BLOCK_DELTA:b REPLY_END",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b REPLY_END",
    ),
    "nothing but an error": ("REPLY_END", "REPLY_START REPLY_END"),
    "a second start of a reply is a resume": ("REPLY_START REPLY_START REPLY_END", "REPLY_START REPLY_START REPLY_END"),
    "late events of an older reply": (
        "REPLY_START REPLY_END @q REPLY_START @r TEXT_BLOCK_DELTA:b @q REPLY_END",
        "REPLY_START REPLY_END REPLY_START REPLY_END",
    ),
    "a stray event does not end the reply that goes on": (
        "REPLY_START TEXT_BLOCK_START:b @x TEXT_BLOCK_DELTA:b @r TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b REPLY_END",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b REPLY_END",
    ),
    "a stray end does not, either": (
        "REPLY_START TEXT_BLOCK_START:b @x REPLY_END @r TEXT_BLOCK_END:b REPLY_END",
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b REPLY_END",
    ),
    "nor while the reply is resumed": (
        "REPLY_START REPLY_END REPLY_START @x MODEL_CALL_START @r REPLY_END",
        "REPLY_START REPLY_END REPLY_START REPLY_END",
    ),
    "nor while the reply has a start of ours": (
        "MODEL_CALL_START @x REPLY_END @r MODEL_CALL_END REPLY_END",
        "REPLY_START MODEL_CALL_START MODEL_CALL_END REPLY_END",
    ),
    "after the end of a reply, another may lack its start": (
        "REPLY_START REPLY_END @q MODEL_CALL_START MODEL_CALL_END REPLY_END",
        "REPLY_START REPLY_END REPLY_START MODEL_CALL_START MODEL_CALL_END REPLY_END",
    ),
    "a decision for an unknown reply makes none": ("USER_CONFIRM_RESULT:c USER_INTERRUPT", ""),
}


@pytest.mark.parametrize(("broken", "whole"), CASES.values(), ids=CASES)
def test_tidy(broken, whole):
    once = tidy(stream(broken))
    assert words(once) == whole
    assert tidy(once) == once
    assert tidy(stream(broken)) == once


@pytest.mark.parametrize(("broken", "whole"), CASES.values(), ids=CASES)
def test_tidied_streams_fold_without_a_word(broken, whole, caplog):
    fold_all(tidy(stream(broken)))
    assert caplog.records == []


def test_known_ids_are_dropped_and_counted():
    events = stream("REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b")
    assert words(tidy([*events, *events])) == "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_DELTA:b TEXT_BLOCK_END:b"


def test_what_is_kept_out_is_counted_by_reason():
    state = Tidy()
    events = stream(
        "USER_INTERRUPT REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_START:b @q REPLY_START @r TEXT_BLOCK_END:b TEXT_BLOCK_END:b"
    )
    for event in [*events, events[0]]:
        state.push(event)
    assert state.dropped == {"unknown_reply": 1, "repeated_start": 1, "older_reply": 2, "known_id": 1}


def test_stray_events_are_counted():
    state = Tidy()
    for event in stream("REPLY_START @x TEXT_BLOCK_DELTA:b REPLY_END @r REPLY_END"):
        state.push(event)
    assert state.dropped == {"unknown_reply": 2}


def test_our_events_are_named_after_their_cause():
    events = tidy(stream("TEXT_BLOCK_DELTA:b MODEL_CALL_START REPLY_END"))
    assert [event.id for event in events] == ["e1:reply", "e1:start", "e1", "e2", "e3:end:text:b", "e3:end:model", "e3"]
    assert {event.created_at for event in events} == {events[0].created_at}


def test_a_result_stub_knows_the_tool_and_a_data_stub_the_media_type():
    events = tidy(stream(f"REPLY_START {CALL} TOOL_RESULT_END:c1 TOOL_RESULT_END:c2 DATA_BLOCK_DELTA:d"))
    starts = {event.id: event for event in events if event.id.endswith(":start")}
    assert [start.tool_call_name for start in list(starts.values())[:2]] == ["rm", "unknown tool"]
    assert list(starts.values())[2].media_type == "image/png"


def test_two_uses_of_an_id_are_two_blocks():
    message = fold(tidy(stream(f"REPLY_START {CALL} {RESULT} {CALL} {RESULT}")))
    assert [(block.type, block.id) for block in message.content] == [
        ("tool_call", "c1"),
        ("tool_result", "c1"),
        ("tool_call", "c1#2"),
        ("tool_result", "c1#2"),
    ]
    assert {block.state for block in message.content} == {"finished", "success"}


def test_custom_events_pass_anywhere():
    event = CustomEvent(name="state_updated")
    assert tidy([event]) == [event]


def test_finish_again_gives_nothing():
    state = Tidy()
    assert state.finish() == []
    for event in stream("REPLY_START TEXT_BLOCK_START:b"):
        state.push(event)
    assert words(state.finish()) == "TEXT_BLOCK_END:b"
    assert state.finish() == []


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_streams_stay_as_they_are(scenario):
    events = recorded.events(scenario)
    added = words(tidy(events)[len(events) :])
    assert tidy(events)[: len(events)] == events
    cut_by_an_error = {"model_error"}
    assert (added == "") == (scenario not in cut_by_an_error)


def test_random_recorded_streams_are_tidied_once():
    for sample in recorded.synthetic():
        once = tidy(sample.events)
        assert tidy(once) == once
