"""What a view shows beside the messages."""

import json

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.message import UserMsg
from nb_agentscope.stream import EventLog, Progress, Record, Tidy, View, coalesce, input_event
from tests.dump_progress import FIXTURES, SCENARIOS, fixture
from tests.lanes import lanes_json
from tests.stream.making import event
from tests.stream.words import stream


def load(name):
    return json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))


def pushed(events, by=None, at=None):
    progress = Progress()
    for i, one in enumerate(events):
        progress.push(Record(i, at, None, "out", by, one))
    return progress


def custom(name, **value):
    return pushed([CustomEvent(name=name, value=value)])


@pytest.mark.parametrize("name", SCENARIOS)
def test_fixtures_hold_what_python_makes_of_their_lines(name, tmp_path):
    data = load(name)
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in data["records"]), encoding="utf-8")
    view = EventLog.load(path).view
    assert view.progress.model_dump(mode="json") == data["progress"]
    assert json.loads(view.progress.model_dump_json()) == data["progress"]
    assert lanes_json(view) == data.get("lanes", [])


@pytest.mark.parametrize("name", SCENARIOS)
def test_fixtures_are_what_the_recorded_streams_give(name):
    assert (FIXTURES / f"{name}.json").read_text(encoding="utf-8") == fixture(name)


def test_no_fixture_is_forgotten():
    assert {path.stem for path in FIXTURES.iterdir()} == set(SCENARIOS)


DECISIONS = {
    "confirm": {"c1": ("approved", "user", None, None)},
    "deny": {"c1": ("denied", "user", None, "Not this one.")},
    "edit": {"c1": ("approved", "user", '{"x": "me@example.com"}', None)},
    "edit_of_repaired": {"c1": ("approved", "user", '{"x": "me@example.com"}', None)},
    "repaired": {"c1": ("approved", "user", None, None)},
    "repaired_nonsense": {"c1": ("approved", "user", '{"x": "me@example.com"}', None)},
    "external": {"c1": ("answered", "user", None, None)},
    "confirm_then_external": {"c1": ("answered", "user", None, None)},
    "interrupt": {"c1": ("interrupted", "user", None, None), "c2": ("interrupted", "user", None, None)},
    "late_confirm": {"c1": ("interrupted", "user", None, None)},
    "model_error": {},
}


@pytest.mark.parametrize("name", DECISIONS)
def test_decisions_of_the_recorded_streams(name):
    found = load(name)["progress"]["decisions"]
    assert {
        call: (one["decision"], one["by"], one["edited_input"], one["note"]) for call, one in found.items()
    } == DECISIONS[name]
    assert all(0 < one["waited_s"] < 1 for one in found.values())


def test_partial_decisions_are_timed_from_their_own_request():
    progress = load("partial")["progress"]
    assert list(progress["asked"]) == ["c1", "c2", "c3"]
    assert {call: one["decision"] for call, one in progress["decisions"].items()} == {
        "c2": "approved",
        "c1": "denied",
        "c3": "approved",
    }


def test_the_newest_reply_and_the_sums_of_all():
    progress, lines = load("two_replies")["progress"], load("two_replies")["records"]
    start = [line for line in lines if line["type"] == "REPLY_START"][-1]
    assert (progress["reply_id"], progress["started_at"]) == (start["reply_id"], start["created_at"])
    assert (progress["agent"], progress["session_id"], progress["model"]) == ("Friday", "session-1", "scripted-model")
    assert (progress["model_calls"], progress["unknown_usage"], progress["model_open"]) == (3, 0, False)
    assert progress["other_events"] == 1
    assert [message["role"] for message in progress["inputs"]] == ["user"]


def test_a_model_call_that_failed_is_open_until_the_reply_ends():
    assert load("model_error")["progress"]["model_open"] is True
    assert pushed(stream("REPLY_START MODEL_CALL_START")).model_open
    assert not pushed(stream("REPLY_START MODEL_CALL_START REPLY_END")).model_open


def test_a_resumed_reply_keeps_its_begin():
    progress, lines = load("service_resume")["progress"], load("service_resume")["records"]
    starts = [line["created_at"] for line in lines if line["type"] == "REPLY_START"]
    assert (len(starts), progress["started_at"]) == (2, starts[0])


def test_tool_progress_is_the_newest():
    assert load("custom_progress")["progress"]["tool_progress"] == {
        "c1": {"progress": 2.0, "total": 2.0, "message": None}
    }


def test_a_call_that_is_asked_again_waits_again():
    asked = "REPLY_START REQUIRE_USER_CONFIRM:c USER_CONFIRM_RESULT:c REQUIRE_USER_CONFIRM:c"
    assert pushed(stream(asked)).decisions == {}
    again = pushed(stream(f"{asked} USER_INTERRUPT"))
    assert again.decisions["c"].decision == "interrupted"


def test_a_decision_on_a_call_that_never_streamed_is_not_called_an_edit():
    decision = pushed(stream("REPLY_START USER_CONFIRM_RESULT:c"), by="rule").decisions["c"]
    assert (decision.by, decision.edited_input, decision.waited_s) == ("rule", None, None)


@pytest.mark.parametrize(
    ("asked", "decided", "waited"),
    [
        ("2026-03-01T09:00:00.0009+00:00", "2026-03-01T09:00:01.0019+00:00", 1.001),
        ("2026-03-01T09:00:00Z", "2026-03-01T10:00:00+01:00", 0.0),
        ("2026-03-01T09:00:00", "2026-03-01T09:00:02.5", 2.5),
        ("2026-03-01T09:00:00", "2026-03-01T09:00:02Z", None),
        ("yesterday", "2026-03-01T09:00:02Z", None),
    ],
)
def test_waiting_is_counted_in_whole_milliseconds(asked, decided, waited):
    _, ask, answer = stream("REPLY_START REQUIRE_USER_CONFIRM:c USER_CONFIRM_RESULT:c")
    progress = Progress()
    progress.push(Record(0, asked, None, "out", None, ask))
    progress.push(Record(1, decided, None, "in", None, answer))
    assert progress.decisions["c"].waited_s == waited


def test_inputs_are_kept_and_other_custom_events_counted():
    msg = UserMsg("user", "hi")
    progress = pushed([input_event(msg), CustomEvent(name="nb_agentscope.header"), CustomEvent(name="team_updated")])
    assert progress.inputs == [msg.model_dump(mode="json")]
    assert progress.other_events == 1


def test_the_newest_notes_are_kept_and_long_ones_cut():
    progress = load("notes")["progress"]
    assert progress["notes"] == [
        *(f"Note {i}." for i in range(3, 20)),
        "é😀" * 250,
        "😀é" * 250 + "…",
        "An event needs a type.\n<b>",
    ]
    assert progress["other_events"] == 3  # the unknown ones count all the same


@pytest.mark.parametrize("value", [None, 7, "", ["x"], {"text": "x"}])
@pytest.mark.parametrize(("name", "key"), [("nb_agentscope.note", "text"), ("nb_agentscope.unknown", "problem")])
def test_what_is_no_text_is_no_note(name, key, value):
    assert custom(name, **{key: value}).notes == []


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"tool_call_id": 7},
        {"tool_call_id": "c", "progress": "x", "total": True, "message": 3},
        {"tool_call_id": "c", "total": 10**400},
    ],
)
def test_nonsense_of_a_tool_is_no_progress(value):
    progress = custom("mcp_progress", **value)
    assert [one.model_dump() for one in progress.tool_progress.values()] == [
        {"progress": None, "total": None, "message": None}
    ] * (value.get("tool_call_id") == "c")


def test_nonsense_for_input_is_left_out():
    assert custom("nb_agentscope.input", messages="hello").inputs == []


CONTENT = {
    "TEXT_BLOCK_DELTA": {"block_id": "b", "delta": "x"},
    "THINKING_BLOCK_DELTA": {"block_id": "b", "delta": "x"},
    "TOOL_CALL_DELTA": {"tool_call_id": "c", "delta": "{"},
    "DATA_BLOCK_DELTA": {"block_id": "b", "media_type": "image/png", "data": "QQ=="},
}


@pytest.mark.parametrize("kind", CONTENT)
def test_the_first_content_of_a_model_call_is_its_first_delta_that_holds_something(kind):
    fields = CONTENT[kind]
    empty = {name: "" if name in ("delta", "data") else value for name, value in fields.items()}
    events = [
        event(kind, id="0", at="t0", **fields),
        event("MODEL_CALL_START", id="1", at="t1", model_name="m"),
        event(kind, id="2", at="t2", **empty),
        event(kind, id="3", at="t3", **fields),
        event(kind, id="4", at="t4", **fields),
        event("MODEL_CALL_END", id="5", at="t5", input_tokens=1, output_tokens=7),
        event(kind, id="6", at="t6", **fields),
    ]
    progress = pushed(events)
    assert (progress.model_started_at, progress.first_content_at) == ("t1", "t3")
    assert (progress.model_ended_at, progress.model_output_tokens) == ("t5", 7)
    assert pushed(coalesce(events)).first_content_at == "t3"
    again = pushed([*events, event("MODEL_CALL_START", id="7", at="t7", model_name="m")])
    assert (again.model_started_at, again.first_content_at) == ("t7", None)
    assert (again.model_ended_at, again.model_output_tokens) == (None, 0)


def test_a_picture_by_address_is_content():
    start = event("MODEL_CALL_START", id="1", at="t1", model_name="m")
    picture = event(
        "DATA_BLOCK_DELTA", id="2", at="t2", block_id="b", media_type="image/png", url="https://a.example/p.png"
    )
    assert pushed([start, picture]).first_content_at == "t2"


def test_progress_of_a_broken_stream_follows_what_tidy_makes_of_it():
    records = [Record(i, None, None, "out", None, e) for i, e in enumerate(stream("MODEL_CALL_START REPLY_END"))]
    progress, tidy = View.of(records).progress, Tidy()
    step = Progress()
    for record in records:
        step.push_tidied(record, tidy.push(record.event))
    assert step == progress
    assert (progress.reply_id, progress.model_open, progress.model_calls) == ("r", False, 1)


def test_states_do_not_share_anything():
    one, other = Progress(), Progress()
    one.push(Record(0, None, None, "out", None, stream("REQUIRE_USER_CONFIRM:c")[0]))
    assert other.asked == {}
