"""Streams of several replies."""

import pytest

from nb_agentscope.message import AssistantMsg
from nb_agentscope.stream import Fold, fold, fold_all
from tests.stream.making import AT, event


def start(reply, at=AT):
    return event("REPLY_START", at=at, reply_id=reply, session_id="s", name="bot")


def hint(reply):
    return event("HINT_BLOCK", reply_id=reply, block_id="h", hint="x")


CUSTOM = event("CUSTOM", name="nb_agentscope.header")


def test_each_new_reply_begins_a_message():
    msgs = fold_all([CUSTOM, start("r1", "t1"), hint("r1"), CUSTOM, start("r2"), hint("r2")])
    assert [(msg.id, msg.name, msg.role, len(msg.content)) for msg in msgs] == [
        ("r1", "bot", "assistant", 1),
        ("r2", "bot", "assistant", 1),
    ]
    assert msgs[0].created_at == "t1"


def test_a_second_start_continues():
    assert len(fold([start("r1"), hint("r1"), start("r1"), hint("r1")]).content) == 2


def test_events_of_an_older_reply_are_skipped(caplog):
    msgs = fold_all([start("r1"), start("r2"), hint("r1"), start("r1")])
    assert [msg.content for msg in msgs] == [[], []]
    assert len(caplog.records) == 2


def test_events_before_any_reply_are_logged(caplog):
    assert fold_all([CUSTOM, hint("r1")]) == []
    assert caplog.messages == ["HINT_BLOCK skipped: no reply has started; a stream begins with REPLY_START."]


def test_fold_needs_a_reply():
    with pytest.raises(ValueError, match="hold no reply: a stream begins with REPLY_START"):
        fold([CUSTOM])


def test_fold_continues_the_given_message():
    msg = AssistantMsg("bot", [], id="r1")
    assert fold([hint("r1")], into=msg) is msg
    assert len(msg.content) == 1
    assert fold([], into=msg) is msg
    assert fold([start("r2")], into=msg).id == "r2"


def test_fold_all_continues_the_given_messages():
    first = fold_all([start("r1"), start("r2")])
    assert fold_all([hint("r2"), start("r3")], into=first)[1] is first[1]
    assert len(first) == 2, "the list itself is not changed"


def test_event_by_event():
    state = Fold()
    assert (state.msg, state.msgs) == (None, [])
    state.push(start("r1"))
    assert state.msg is state.msgs[-1]
    assert state.msg.id == "r1"
