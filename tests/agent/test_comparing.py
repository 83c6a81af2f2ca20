"""The comparison sees what it must see, and only that."""

import pytest

from nb_agentscope.event import ReplyEndEvent, TextBlockDeltaEvent, ToolResultEndEvent, parse_event
from nb_agentscope.message import ReplyFinishedReason, ToolResultState
from nb_agentscope.permission import PermissionBehavior
from tests.agent import comparing
from tests.agent.driving import Course, recorded_course
from tests.agent.scenarios import BUILDERS


def lines(items):
    return comparing.lines(Course(items=items), ours=False)


def changed(name, kind, **update):
    """A recording in which the last event of a kind is another one."""
    items = list(recorded_course(name).items)
    at = max(i for i, item in enumerate(items) if getattr(item, "type", None) == kind)
    items[at] = items[at].model_copy(update=update)
    return items


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_recording_is_equal_to_itself_with_other_ids(name):
    course = recorded_course(name)
    ids = {event.reply_id for event in course.events if hasattr(event, "reply_id")}
    renamed = [item if isinstance(item, (list, BaseException)) else with_other_ids(item, ids) for item in course.items]
    assert ids
    assert comparing.differences(lines(course.items), lines(renamed)) == []


def with_other_ids(event, ids):
    """As if another run had made it."""
    text = event.model_copy(update={"id": "other"}).model_dump_json()
    for id in ids | ({event.block_id} if event.type.startswith(comparing.NAMED_BY_THE_AGENT) else set()):
        text = text.replace(id, f"x{id}")
    return parse_event(text)


@pytest.mark.parametrize(
    ("name", "kind", "update"),
    [
        ("plain_text", "TEXT_BLOCK_DELTA", {"delta": "u today."}),
        ("plain_text", "TEXT_BLOCK_DELTA", {"block_id": "another"}),
        ("plain_text", "MODEL_CALL_END", {"input_tokens": 13}),
        ("thinking_text", "MODEL_CALL_END", {"cache_input_tokens": 7}),
        ("plain_text", "REPLY_END", {"finished_reason": ReplyFinishedReason.INTERRUPTED}),
        ("plain_text", "REPLY_END", {"reply_id": "another"}),
        ("tool_error", "TOOL_RESULT_END", {"state": ToolResultState.SUCCESS}),
        ("tool_error", "TOOL_RESULT_END", {"metadata": {"errno": 29}}),
        ("tool_error", "TOOL_RESULT_START", {"tool_call_id": "c9"}),
        ("tool_error", "TOOL_CALL_START", {"tool_call_name": "boom"}),
        ("empty_tool_args", "TOOL_CALL_DELTA", {"delta": "{}"}),
        ("custom_progress", "CUSTOM", {"value": {"progress": 2}}),
        ("hitl_confirm", "REQUIRE_USER_CONFIRM", {"tool_calls": []}),
        ("hitl_deny", "TOOL_RESULT_TEXT_DELTA", {"delta": "done"}),
        ("hints", "HINT_BLOCK", {"source": None}),
    ],
)
def test_a_changed_field_is_a_difference(name, kind, update):
    found = comparing.differences(lines(recorded_course(name).items), lines(changed(name, kind, **update)))
    assert {line[0] for line in found} == {"-", "+"}


def test_another_suggested_rule_is_a_difference():
    items = [
        item if isinstance(item, list) else item.model_copy(deep=True) for item in recorded_course("hitl_confirm").items
    ]
    asked = next(item for item in items if getattr(item, "type", None) == "REQUIRE_USER_CONFIRM")
    asked.tool_calls[0].suggested_rules[0].behavior = PermissionBehavior.DENY
    assert len(comparing.differences(lines(recorded_course("hitl_confirm").items), lines(items))) == 2


def test_a_missing_and_an_exchanged_event_are_differences():
    items = recorded_course("parallel_tools").items
    ends = [i for i, item in enumerate(items) if isinstance(item, ToolResultEndEvent)]
    for i in ends:
        assert comparing.differences(lines(items), lines(items[:i] + items[i + 1 :]))[0].startswith("- TOOL_RESULT_END")
    exchanged = [*items[: ends[0]], items[ends[0] + 1], items[ends[0]], *items[ends[0] + 2 :]]
    assert len(comparing.differences(lines(items), lines(exchanged))) == 2


def test_an_exception_and_where_it_came_is_compared():
    end = ReplyEndEvent(session_id="s", reply_id="r")
    delta = TextBlockDeltaEvent(reply_id="r", block_id="b", delta="x")
    assert comparing.differences(lines([end, delta, ValueError("x")]), lines([end, ValueError("x"), delta]))
    assert comparing.differences(lines([ValueError("x")]), lines([ValueError("y")]))
    assert comparing.differences(lines([ValueError("x")]), lines([RuntimeError("x")]))


def test_every_note_that_is_made_equal_was_recorded():
    found = {line for name in BUILDERS for line in comparing.lines(recorded_course(name), ours=False)}
    assert [name for name, _, _ in comparing.NOTES if not any(f"<{name}>" in line for line in found)] == []


def test_what_a_tool_says_is_no_note():
    for text in ("removed a.txt", "Permission denied for write (explore mode is read-only)", "nope", "socket closed"):
        assert comparing.noted(text, ours=True) == comparing.noted(text, ours=False) == text
