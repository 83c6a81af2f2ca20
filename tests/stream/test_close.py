"""The events that end a reply from outside."""

from itertools import count

import pytest

from nb_agentscope import _common
from nb_agentscope.message import ErrorInfo
from nb_agentscope.stream import Lane, closing_events, fold, lane_of, verify
from tests import recorded
from tests.stream.words import stream, words

ROUND = "REPLY_START MODEL_CALL_START"
CALL = "TOOL_CALL_START:c TOOL_CALL_END:c"


def close(text, *, reason="interrupted", model_open=False, error=None):
    return closing_events(fold(stream(text)), reason=reason, session_id="s", model_open=model_open, error=error)


CASES = {
    "nothing open": ("REPLY_START", False, "REPLY_END"),
    "ended already": ("REPLY_START REPLY_END", False, ""),
    "in a model call": (
        f"{ROUND} DATA_BLOCK_START:d TOOL_CALL_START:c TEXT_BLOCK_START:b THINKING_BLOCK_START:k",
        True,
        (
            "TEXT_BLOCK_END:b THINKING_BLOCK_END:k TOOL_CALL_END:c DATA_BLOCK_END:d MODEL_CALL_END "
            "TOOL_RESULT_START:c TOOL_RESULT_TEXT_DELTA:c TOOL_RESULT_END:c REPLY_END"
        ),
    ),
    "a tool runs": (
        f"{ROUND} {CALL} MODEL_CALL_END TOOL_RESULT_START:c TOOL_RESULT_TEXT_DELTA:c",
        False,
        "TOOL_RESULT_TEXT_DELTA:c TOOL_RESULT_END:c REPLY_END",
    ),
    "a call asks": (
        f"{ROUND} {CALL} MODEL_CALL_END REQUIRE_USER_CONFIRM:c",
        False,
        "TOOL_RESULT_START:c TOOL_RESULT_TEXT_DELTA:c TOOL_RESULT_END:c REPLY_END",
    ),
    "a call has its result": (
        f"{ROUND} {CALL} MODEL_CALL_END TOOL_RESULT_START:c TOOL_RESULT_END:c",
        False,
        "REPLY_END",
    ),
    "a result came whole": (f"{ROUND} {CALL} MODEL_CALL_END EXTERNAL_EXECUTION_RESULT:c", False, "REPLY_END"),
}


@pytest.mark.parametrize(("text", "model_open", "ends"), CASES.values(), ids=CASES)
def test_closing_events(text, model_open, ends):
    closers = close(text, model_open=model_open)
    assert words(closers) == ends
    assert verify(stream(text) + closers, complete=True) == []


def test_all_is_interrupted_and_says_why():
    closers = close(f"{ROUND} {CALL} MODEL_CALL_END", model_open=True)
    by_type = {event.type: event for event in closers}
    assert by_type["MODEL_CALL_END"].finished_reason == "interrupted"
    assert by_type["TOOL_RESULT_END"].state == "interrupted"
    assert by_type["TOOL_RESULT_TEXT_DELTA"].delta == "The reply was interrupted before this call was finished."
    assert by_type["REPLY_END"].finished_reason == "interrupted"


def test_an_error_is_on_the_reply_end():
    error = ErrorInfo(type="connection", message="socket closed")
    *_, note, _, end = close(f"{ROUND} {CALL} MODEL_CALL_END", reason="error", error=error)
    assert (end.finished_reason, end.error) == ("error", error)
    assert note.delta == "The reply failed before this call was finished."


def test_it_is_pure():
    message = fold(stream(f"{ROUND} {CALL}"))
    before = message.model_dump_json()
    closing_events(message, reason="interrupted", session_id="s", model_open=True)
    assert message.model_dump_json() == before


def test_the_id_factory_makes_it_repeatable(monkeypatch):
    def run():
        numbers = count()
        monkeypatch.setattr(_common, "_id_factory", lambda: f"id{next(numbers)}")
        monkeypatch.setattr(_common, "_timestamp_factory", lambda: "2026-03-01T10:00:00Z")
        return close(f"{ROUND} TEXT_BLOCK_START:b {CALL}", model_open=True)

    assert run() == run()
    assert [event.id for event in run()] == [f"id{i}" for i in range(6)]


def test_the_recorded_model_error_ends_well():
    events = recorded.events("model_error")
    error = ErrorInfo(message="socket closed")
    closers = closing_events(fold(events), reason="error", session_id="session-1", model_open=True, error=error)
    assert [event.type for event in closers] == ["TEXT_BLOCK_END", "MODEL_CALL_END", "REPLY_END"]
    assert verify(events + closers, complete=True) == []
    assert fold(events + closers).error == error


def test_a_sub_agents_events_are_marked_as_its_own():
    lane = Lane("a/b", "r0", "c0")
    msg = fold(stream(f"{ROUND} {CALL} TEXT_BLOCK_START:b"))
    events = closing_events(msg, reason="interrupted", session_id="s", model_open=True, lane=lane)
    assert len(events) == 6
    assert {lane_of(event) for event in events} == {lane}
