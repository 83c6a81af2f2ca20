"""Which lane an event belongs to."""

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import Lane, fold, fold_all, lane_of
from tests.stream.making import event


def delta(**metadata):
    return event("TEXT_BLOCK_DELTA", block_id="b", delta="x", metadata=metadata)


@pytest.mark.parametrize("metadata", [{}, {"note": "x"}, {"source": None}, {"source": 5}, {"source": {"a": 1}}])
def test_without_a_source_it_is_the_main_lane(metadata):
    assert lane_of(delta(**metadata)) is None
    assert lane_of(CustomEvent(name="n", metadata=metadata)) is None


def test_a_lane_is_named_by_source_and_parent():
    metadata = {"source": "a/b", "parent_reply_id": "r1", "parent_tool_call_id": "c1", "more": 1}
    lane = lane_of(delta(**metadata))
    assert lane == Lane("a/b", "r1", "c1")
    assert lane.metadata == {"source": "a/b", "parent_reply_id": "r1", "parent_tool_call_id": "c1"}
    assert lane_of(CustomEvent(name="n", metadata=metadata)) == lane


@pytest.mark.parametrize("source", ["", "/", "a//b", "<b>", "\u202e"])
def test_a_source_is_any_text_and_parents_may_be_missing_or_wrong(source):
    lane = lane_of(delta(source=source, parent_reply_id=7, parent_tool_call_id=["c"]))
    assert lane == Lane(source)
    assert lane.metadata == {"source": source}


def test_the_name_is_the_last_of_the_path():
    assert [Lane(path).name for path in ("a/b", "a", "", "a/")] == ["b", "a", "", ""]


def test_an_event_of_a_main_reply_stays_there_whatever_a_tool_says_about_its_sources():
    found = event("TOOL_RESULT_END", tool_call_id="c", state="success", metadata={"source": "wikipedia"})
    assert lane_of(found, {"r"}) is None
    assert lane_of(found, {"other"}) == Lane("wikipedia")


def test_the_fold_is_the_main_lane_only_and_says_nothing_of_the_others(caplog):
    nested = {"metadata": {"source": "bot/helper"}, "reply_id": "n"}
    events = [
        event("REPLY_START", session_id="s", name="helper", **nested),
        event("REPLY_START", session_id="s", name="bot"),
        event("TOOL_CALL_START", tool_call_id="c", tool_call_name="ask"),
        event("TOOL_RESULT_START", tool_call_id="c", tool_call_name="ask"),
        event("TEXT_BLOCK_START", block_id="b", **nested),
        event("TEXT_BLOCK_DELTA", block_id="b", delta="x", **nested),
        event("TOOL_RESULT_END", tool_call_id="c", state="success", metadata={"source": "wikipedia"}),
    ]
    assert [msg.name for msg in fold_all(events)] == ["bot"]
    msg = fold(events)
    assert [block.type for block in msg.content] == ["tool_call", "tool_result"]
    assert msg.content[1].metadata == {"source": "wikipedia"}
    assert fold(events[5:], into=fold(events[:5])) == msg
    assert caplog.records == []


def test_nothing_but_nested_replies_is_no_reply():
    start = event("REPLY_START", session_id="s", name="helper", metadata={"source": "x"})
    assert fold_all([start]) == []
    with pytest.raises(ValueError, match="no reply"):
        fold([start])
