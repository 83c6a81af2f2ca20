"""`append_event` itself: which events it takes, what it keeps of them, which messages it accepts."""

import copy
import pickle
from typing import get_args

import pytest
from pydantic import TypeAdapter

from nb_agentscope.event import AgentEvent, CustomEvent, EventType
from nb_agentscope.message import Msg, TextBlock
from nb_agentscope.stream import append_event, fold_all
from nb_agentscope.stream._append import HANDLERS
from tests.strategies import samples
from tests.stream.making import after, event, message

START = event("TEXT_BLOCK_START", block_id="b")
DELTA = event("TEXT_BLOCK_DELTA", block_id="b", delta="hi")


def test_every_event_type_has_a_handler():
    assert set(HANDLERS) == set(EventType)
    assert len(HANDLERS) == len(get_args(AgentEvent)) == 28


def test_custom_events_are_ignored(caplog):
    msg = message()
    append_event(msg, CustomEvent(name="state_updated", value={"reply_id": "r"}))
    assert msg == message()
    assert caplog.records == []


def test_events_of_another_reply_are_logged_and_skipped(caplog):
    assert after(event("TEXT_BLOCK_START", reply_id="other", block_id="b")) == message()
    assert caplog.messages == ["TEXT_BLOCK_START of reply 'other' skipped; the message is reply 'r'."]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("TEXT_BLOCK_DELTA", {"block_id": "x", "delta": "t"}),
        ("TEXT_BLOCK_END", {"block_id": "x", "text": "t"}),
        ("THINKING_BLOCK_DELTA", {"block_id": "x", "delta": "t"}),
        ("THINKING_BLOCK_END", {"block_id": "x"}),
        ("DATA_BLOCK_DELTA", {"block_id": "x", "media_type": "m", "data": "YQ=="}),
        ("DATA_BLOCK_END", {"block_id": "x"}),
        ("TOOL_CALL_DELTA", {"tool_call_id": "x", "delta": "t"}),
        ("TOOL_CALL_END", {"tool_call_id": "x"}),
        ("TOOL_RESULT_TEXT_DELTA", {"tool_call_id": "x", "delta": "t"}),
        ("TOOL_RESULT_DATA_DELTA", {"tool_call_id": "x", "block_id": "b", "media_type": "m", "data": "YQ=="}),
        ("TOOL_RESULT_END", {"tool_call_id": "x", "state": "success"}),
    ],
)
def test_unknown_blocks_are_logged_and_skipped(kind, fields, caplog):
    # A block of another kind with the same id is not the one.
    msg = message([TextBlock(id="x", text="", created_at="t")] if not kind.startswith("TEXT") else [])
    before = msg.model_copy(deep=True)
    assert after(event(kind, **fields), msg=msg) == before
    assert [record.name for record in caplog.records] == ["nb_agentscope"]
    assert "'x'" in caplog.text


def test_a_repeated_start_adds_a_block_and_deltas_go_to_the_first():
    msg = after(START, START, DELTA)
    assert [block.text for block in msg.content] == ["hi", ""]


def test_events_after_the_end_still_apply():
    msg = after(START, event("REPLY_END", session_id="s"), DELTA)
    assert msg.content[0].text == "hi"
    assert msg.finished_at is not None


def test_a_user_message_takes_any_block():
    msg = Msg(name="u", content=[], role="user", id="r")
    assert after(event("TOOL_CALL_START", tool_call_id="c", tool_call_name="t"), msg=msg).content[0].type == "tool_call"


@pytest.mark.parametrize(
    "remade",
    [
        lambda msg: Msg.model_validate_json(msg.model_dump_json()),
        lambda msg: TypeAdapter(Msg).validate_python(msg.model_dump()),
        copy.copy,
        copy.deepcopy,
        lambda msg: msg.model_copy(deep=True),
        lambda msg: pickle.loads(pickle.dumps(msg)),
    ],
)
def test_a_remade_message_goes_on(remade):
    msg = remade(after(START, DELTA))
    assert after(DELTA, START, DELTA, msg=msg).content[0].text == "hihihi"


def test_a_copy_has_its_own_index():
    msg = after(START)
    twin = msg.model_copy(deep=True)
    after(event("TEXT_BLOCK_START", block_id="c"), event("TEXT_BLOCK_DELTA", block_id="c", delta="x"), msg=twin)
    assert [block.id for block in msg.content] == ["b"]
    assert twin.content[1].text == "x"


def test_folded_and_parsed_messages_are_equal_both_ways():
    msg = after(START, DELTA)
    parsed = Msg.model_validate_json(msg.model_dump_json())
    assert parsed == after(START, DELTA)
    assert after(START, DELTA) == parsed


EDITS = {
    "inserted before": lambda content: content.insert(0, TextBlock(id="z", text="")),
    "removed before": lambda content: content.pop(0),
    "replaced": lambda content: content.__setitem__(1, TextBlock(id="b", text="new ")),
    "reversed": lambda content: content.reverse(),
    "twin inserted before": lambda content: content.insert(0, TextBlock(id="b", text="twin ")),
    "removed": lambda content: content.pop(1),
    "renamed": lambda content: setattr(content[1], "id", "other"),
    "id given to a replacement": lambda content: content.__setitem__(0, TextBlock(id="new", text="")),
    "last replaced": lambda content: content.__setitem__(2, TextBlock(id="new", text="")),
    "emptied": lambda content: content.clear(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edited_content_is_found_as_a_scan_would(edit):
    msg = after(*(event("TEXT_BLOCK_START", block_id=block) for block in "abc"))
    after(event("TEXT_BLOCK_DELTA", block_id="new", delta="?"), msg=msg)
    edit(msg.content)
    for block_id in ["b", "new", "c"]:
        expected = next((block for block in msg.content if block.id == block_id), None)
        text = expected.text if expected else None
        after(event("TEXT_BLOCK_DELTA", block_id=block_id, delta="+"), msg=msg)
        assert (expected.text if expected else None) == (text + "+" if expected else None)


def test_assigned_content_is_found():
    msg = after(START)
    msg.content = [TextBlock(id="a", text=""), TextBlock(id="b", text="mine ")]
    assert after(DELTA, START, msg=msg).content[1].text == "mine hi"


def test_nothing_is_shared_with_the_events():
    for stream in samples(30):
        before = [item.model_dump_json() for item in stream]
        for msg in fold_all(stream):
            spoil(msg)
        assert [item.model_dump_json() for item in stream] == before


def spoil(msg):
    """Change everything that can be changed in place."""
    if msg.error:
        msg.error.message = "spoilt"
    for block in msg.content:
        block.created_at = block.finished_at = "spoilt"
        for rule in getattr(block, "suggested_rules", []):
            rule.source = "spoilt"
        getattr(block, "suggested_rules", []).clear()
        getattr(block, "metadata", {}).get("deep", {}).get("list", []).append("spoilt")
        getattr(block, "metadata", {}).get("by", []).append("spoilt")
        getattr(block, "metadata", {}).clear()
        parts = getattr(block, "output", getattr(block, "hint", []))
        for part in parts if isinstance(parts, list) else []:
            part.id = "spoilt"
            if part.type == "data":
                part.source.media_type = "spoilt"
