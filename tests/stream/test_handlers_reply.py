"""What events of a whole reply do to its message."""

import pytest

from nb_agentscope.message import ErrorInfo, Usage
from tests.stream.making import after, event, message

START = event("TEXT_BLOCK_START", block_id="b")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("REPLY_START", {"session_id": "s", "name": "other"}),
        ("MODEL_CALL_START", {"model_name": "m"}),
        ("EXCEED_MAX_ITERS", {"name": "a"}),
        ("USER_INTERRUPT", {}),
    ],
)
def test_events_without_effect(kind, fields):
    assert after(START, event(kind, **fields)) == after(START)


def test_usage_adds_up_and_zeros_count():
    zero = event("MODEL_CALL_END", input_tokens=0, output_tokens=0)
    assert after(zero).usage == Usage(input_tokens=0, output_tokens=0)
    some = event("MODEL_CALL_END", input_tokens=1, output_tokens=2, cache_input_tokens=3, cache_creation_input_tokens=4)
    usage = Usage(input_tokens=2, output_tokens=4, cache_input_tokens=6, cache_creation_input_tokens=8)
    assert after(zero, some, some).usage == usage


def test_the_newest_reply_end_wins():
    failed = event("REPLY_END", at="t1", session_id="s", finished_reason="error", error={"message": "no"})
    msg = after(failed)
    assert (msg.finished_at, msg.finished_reason, msg.error) == ("t1", "error", ErrorInfo(message="no"))
    assert msg.error is not failed.error
    after(event("REPLY_END", at="t2", session_id="s"), msg=msg)
    assert (msg.finished_at, msg.finished_reason, msg.error) == ("t2", "completed", None)


def test_usage_of_an_edited_message_goes_on():
    msg = message(usage=Usage(input_tokens=10, output_tokens=1))
    after(event("MODEL_CALL_END", input_tokens=1, output_tokens=1), msg=msg)
    assert msg.usage == Usage(input_tokens=11, output_tokens=2)
