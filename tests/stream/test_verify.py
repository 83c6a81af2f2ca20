"""Each rule, broken once."""

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import verify
from tests import recorded
from tests.stream.words import stream

CALL_OPEN = "MODEL_CALL_START TOOL_CALL_START:c TOOL_CALL_END:c"
CALL = f"{CALL_OPEN} MODEL_CALL_END"
RESULT = "TOOL_RESULT_START:c TOOL_RESULT_END:c"
TEXT = "TEXT_BLOCK_START:b TEXT_BLOCK_END:b"
EXTERNAL = "TOOL_RESULT_START:c REQUIRE_EXTERNAL_EXECUTION:c"

VALID = {
    "empty": "",
    "no block": "REPLY_START MODEL_CALL_START MODEL_CALL_END REPLY_END",
    "error before all": "REPLY_START REPLY_END",
    "parked, then another": f"REPLY_START {CALL} REQUIRE_USER_CONFIRM:c @q REPLY_START REPLY_END",
    "parked for outside": f"REPLY_START {CALL} {EXTERNAL}",
    "resumed by the agent": f"REPLY_START {CALL} REQUIRE_USER_CONFIRM:c USER_CONFIRM_RESULT:c {RESULT} REPLY_END",
    "resumed by a service": f"REPLY_START {CALL} REQUIRE_USER_CONFIRM:c USER_CONFIRM_RESULT:c REPLY_START {RESULT} REPLY_END",
    "answered before it parks": f"REPLY_START {CALL} {EXTERNAL} EXTERNAL_EXECUTION_RESULT:c TOOL_RESULT_END:c REPLY_END",
    "late answers": f"REPLY_START {CALL} {RESULT} REPLY_END USER_CONFIRM_RESULT:c @q REPLY_START @r USER_INTERRUPT @q REPLY_END",
}

BROKEN = {
    "no start of reply": ("TEXT_BLOCK_DELTA:b", [(0, "no_reply")]),
    "older reply": ("REPLY_START REPLY_END @q REPLY_START @r REPLY_END", [(3, "older_reply"), (4, "reply_not_ended")]),
    "after the end": ("REPLY_START REPLY_END REPLY_END", [(2, "after_end")]),
    "next reply too early": ("REPLY_START @q REPLY_START REPLY_END", [(1, "reply_not_ended")]),
    "start inside a model call": (
        "REPLY_START MODEL_CALL_START REPLY_START MODEL_CALL_END REPLY_END",
        [(2, "not_ended")],
    ),
    "two starts": (
        "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b TEXT_BLOCK_START:b TEXT_BLOCK_END:b MODEL_CALL_END REPLY_END",
        [(3, "started_twice")],
    ),
    "start after end": (
        f"REPLY_START MODEL_CALL_START {TEXT} {TEXT} MODEL_CALL_END REPLY_END",
        [(4, "started_twice")],
    ),
    "delta after end": (
        "REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b TEXT_BLOCK_DELTA:b MODEL_CALL_END REPLY_END",
        [(4, "not_open")],
    ),
    "outside": (
        "REPLY_START TEXT_BLOCK_START:b TEXT_BLOCK_END:b REPLY_END",
        [(1, "outside_model_call"), (2, "outside_model_call")],
    ),
    "model call twice": (
        "REPLY_START MODEL_CALL_START MODEL_CALL_START MODEL_CALL_END REPLY_END",
        [(2, "not_ended")],
    ),
    "model call not started": ("REPLY_START MODEL_CALL_END REPLY_END", [(1, "not_open")]),
    "model call not ended": ("REPLY_START MODEL_CALL_START REPLY_END", [(2, "not_ended")]),
    "block not ended": (
        "REPLY_START MODEL_CALL_START DATA_BLOCK_START:d MODEL_CALL_END",
        [(3, "not_ended"), (4, "not_ended"), (4, "reply_not_ended")],
    ),
    "result not ended": (f"REPLY_START {CALL} TOOL_RESULT_START:c REPLY_END", [(6, "not_ended")]),
    "result not ended before the next round": (
        f"REPLY_START {CALL} TOOL_RESULT_START:c MODEL_CALL_START MODEL_CALL_END TOOL_RESULT_END:c REPLY_END",
        [(6, "not_ended")],
    ),
    "interrupted while asking, not ended": (
        f"REPLY_START {CALL} REQUIRE_USER_CONFIRM:c USER_INTERRUPT {RESULT}",
        [(9, "reply_not_ended")],
    ),
    "interrupted while outside, not ended": (
        f"REPLY_START {CALL} {EXTERNAL} USER_INTERRUPT TOOL_RESULT_END:c",
        [(9, "reply_not_ended")],
    ),
    "no result": (f"REPLY_START {CALL} MODEL_CALL_START MODEL_CALL_END {RESULT} REPLY_END", [(5, "not_answered")]),
    "no result at the end": (f"REPLY_START {CALL} REPLY_END", [(5, "not_answered")]),
    "result without call": (f"REPLY_START {RESULT} REPLY_END", [(1, "no_call")]),
    "result inside": (
        f"REPLY_START MODEL_CALL_START TOOL_CALL_START:c TOOL_CALL_END:c {RESULT} MODEL_CALL_END REPLY_END",
        [(4, "inside_model_call")],
    ),
    "asked without call": (
        "REPLY_START REQUIRE_USER_CONFIRM:c USER_CONFIRM_RESULT:c REPLY_END",
        [(1, "no_call")],
    ),
    "asked inside": (
        f"REPLY_START {CALL_OPEN} REQUIRE_USER_CONFIRM:c MODEL_CALL_END {RESULT} REPLY_END",
        [(4, "inside_model_call")],
    ),
    "asked after its result": (f"REPLY_START {CALL} {RESULT} REQUIRE_USER_CONFIRM:c REPLY_END", [(7, "answered")]),
    "handed out without start": (f"REPLY_START {CALL} REQUIRE_EXTERNAL_EXECUTION:c", [(5, "not_open")]),
    "parked with a tool running": (
        (
            "REPLY_START MODEL_CALL_START TOOL_CALL_START:c TOOL_CALL_END:c TOOL_CALL_START:d TOOL_CALL_END:d MODEL_CALL_END "
            "TOOL_RESULT_START:d REQUIRE_USER_CONFIRM:c"
        ),
        [(9, "not_ended")],
    ),
}


@pytest.mark.parametrize("text", VALID.values(), ids=VALID)
def test_valid(text):
    assert verify(stream(text), complete=True) == []


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_broken(text, expected):
    events = stream(text)
    problems = verify(events, complete=True)
    assert [(problem.index, problem.rule) for problem in problems] == expected
    for problem in problems:
        assert problem.event_id == (events[problem.index].id if problem.index < len(events) else None)
        assert problem.message.endswith(".")
        assert "\n" not in problem.message


def test_known_ids_are_found_among_custom_events_too():
    event = CustomEvent(name="n")
    assert [(problem.index, problem.rule) for problem in verify([event, event])] == [(1, "known_id")]


def test_what_is_open_is_a_problem_only_of_a_complete_stream():
    events = stream("REPLY_START MODEL_CALL_START TEXT_BLOCK_START:b")
    assert verify(events) == []
    assert [problem.rule for problem in verify(events, complete=True)] == ["not_ended", "not_ended"]


PROBLEMS_OF_RECORDED_STREAMS = {
    # The model failed in the middle of a text; AgentScope raises and sends no more.
    "model_error": [(13, "not_ended"), (13, "not_ended")],
}


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_streams_have_no_problems_but_these(scenario):
    problems = verify(recorded.events(scenario), complete=True)
    assert [(problem.index, problem.rule) for problem in problems] == PROBLEMS_OF_RECORDED_STREAMS.get(scenario, [])
