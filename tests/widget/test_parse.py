"""Messages of the browser are understood, or refused in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from nb_agentscope.widget._parse import BadMessageError, parse_client
from nb_agentscope.widget._protocol import Decide, Hello, Sync


def test_good_messages() -> None:
    assert parse_client({"v": 1, "type": "hello", "view": "a"}) == Hello(view="a")
    assert parse_client({"v": 1, "type": "sync", "have": 3, "newer": "ignored"}) == Sync(have=3)
    decide = {"type": "decide", "id": "1", "reply_id": "r", "tool_call_id": "c", "digest": "d", "approved": True}
    assert parse_client(decide) == Decide(id="1", reply_id="r", tool_call_id="c", digest="d", approved=True)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (None, "needs a type"),
        (["stop"], "needs a type"),
        ({}, "needs a type"),
        ({"type": "approve", "id": "1"}, "got 'approve'"),
        ({"type": "stop"}, "'stop' is wrong at id"),
        ({"v": 2, "type": "stop", "id": "1"}, "speaks version 2"),
        ({"type": "sync", "have": -1}, "wrong at have"),
        ({"type": "decide", "id": "1"}, "wrong at reply_id"),
        ({"type": "shown", "reply_id": "r", "tool_call_id": "c", "digest": "d"}, "'shown' is wrong at id"),
        ({"type": "shown", "id": "1", "reply_id": "r", "tool_call_id": 7, "digest": "d"}, "wrong at tool_call_id"),
        ({"type": "shown", "id": "1", "reply_id": "r", "tool_call_id": "c"}, "wrong at digest"),
    ],
)
def test_bad_messages(message: Any, words: str) -> None:
    with pytest.raises(BadMessageError, match=words) as caught:
        parse_client(message)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 300
    assert caught.value.id == (message.get("id", "") if isinstance(message, dict) else "")


def test_an_approval_must_be_a_real_boolean() -> None:
    decide = {"type": "decide", "id": "1", "reply_id": "r", "tool_call_id": "c", "digest": "d", "approved": "false"}
    with pytest.raises(BadMessageError, match="approved"):
        parse_client(decide)
