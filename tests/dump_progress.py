"""Write the fixtures of Progress, which Python and TypeScript both read.

    python -m tests.dump_progress

Each file is `{"records": [log lines], "progress": {...}}`: a recorded stream as a log would hold it, with header, input and what
a person decided, and the state after its last line. With sub-agents there is `lanes`, too: `source`, `parent_reply_id`,
`parent_tool_call_id`, `msgs` and `progress` of each.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from nb_agentscope.event import AgentEvent, CustomEvent
from nb_agentscope.stream import Lane, Record, View
from nb_agentscope.stream._disk import line_of
from nb_agentscope.stream._record import direction_of
from tests import recorded
from tests.lanes import lanes_json, nested

FIXTURES = Path(__file__).parent / "fixtures" / "progress"
SCENARIOS = {
    "accept_rule": "hitl_accept_rule",
    "confirm": "hitl_confirm",
    "confirm_then_external": "confirm_then_external",
    "custom_progress": "custom_progress",
    "deny": "hitl_deny",
    "edit": "hitl_edit",
    "edit_of_repaired": "hitl_edit",
    "external": "external_exec",
    "interrupt": "interrupt_parked",
    "late_confirm": "stale_confirm",
    "model_error": "model_error",
    "nested": "parallel_tools",
    "notes": "custom_progress",
    "partial": "hitl_partial",
    "repaired": "hitl_edit",
    "repaired_nonsense": "hitl_edit",
    "service_resume": "service_resume",
    "told": "hitl_confirm",
    "two_replies": "two_replies",
}
"""File name: recorded scenario."""
METADATA: dict[str, dict[str, object]] = {
    "deny": {"nb_agentscope.note": "Not this one."},
    "edit_of_repaired": {"nb_agentscope.shown": '{"x": "you@example.com"}'},
    "repaired": {"nb_agentscope.shown": '{"x": "me@example.com"}'},
    "repaired_nonsense": {"nb_agentscope.shown": {"x": "me@example.com"}},
}
"""Of the decision, by file name."""
NOTES: list[tuple[str, dict[str, object]]] = [
    *(("nb_agentscope.note", {"text": f"Note {i}."}) for i in range(1, 20)),
    ("nb_agentscope.note", {"text": 7}),
    ("nb_agentscope.note", {}),
    ("nb_agentscope.note", {"text": ""}),
    ("nb_agentscope.note", {"text": "é😀" * 250}),
    ("nb_agentscope.note", {"text": "😀é" * 250 + "!"}),
    ("nb_agentscope.unknown", {"raw": {"type": "NEW"}, "problem": "An event needs a type.\n<b>"}),
    ("nb_agentscope.unknown", {"raw": 1, "problem": None}),
]
"""More than are shown, one just short enough, and what is none."""
TOLD: dict[str, tuple[str, dict[str, object]]] = {
    "USER_CONFIRM_RESULT": ("nb_agentscope.shown", {"reply_id": "r", "tool_call_id": "c"}),
    "MODEL_CALL_END": ("nb_agentscope.model_call", {"model": "m", "status": "error", "messages": [{}], "text": "x"}),
}
"""What a page and a watched model tell, by the type of the events before which `told` has it: no view shows any of it."""
NESTED = {"call_a": "hitl_confirm", "call_b": "hitl_deny"}
"""Two sub-agents of one name, with equal call ids: the scenario that each call of `nested` runs."""
BOOT = "2026-03-01T09:30:00.000000"


def _custom(name: str, value: dict[str, object]) -> CustomEvent:
    return CustomEvent(id=f"id-{name}", created_at=BOOT, name=name, value=value)


def events(fixture_name: str) -> Iterator[AgentEvent]:
    """The recorded events, with what a log has besides them."""
    scenario = SCENARIOS[fixture_name]
    yield _custom("nb_agentscope.header", {"format": 1, "agent": "Friday", "boot": "b"})
    meta = json.loads((recorded.VECTORS / f"{scenario}.meta.json").read_text(encoding="utf-8"))
    given = next(run["messages"] for run in meta["runs"] if run["kind"] == "messages")
    yield _custom("nb_agentscope.input", {"messages": given, "reply_id": None})
    yield _custom("state_updated", {"tasks_context": {}})
    if fixture_name == "notes":
        yield from (_custom(*note).model_copy(update={"id": f"note-{i}"}) for i, note in enumerate(NOTES))
    for event in recorded.events(scenario):
        if fixture_name == "told" and event.type in TOLD:
            yield _custom(*TOLD[event.type]).model_copy(update={"id": f"told-{event.id}"})
        if fixture_name in METADATA and event.type == "USER_CONFIRM_RESULT":
            yield event.model_copy(update={"metadata": METADATA[fixture_name]})
        else:
            yield event
        if fixture_name == "nested" and event.type == "TOOL_RESULT_START" and event.tool_call_id in NESTED:
            lane = Lane("Friday/researcher", event.reply_id, event.tool_call_id)
            yield from nested(recorded.events(NESTED[event.tool_call_id]), lane, f"{event.tool_call_id}-")


def records(fixture_name: str) -> list[Record]:
    out = []
    for seq, event in enumerate(events(fixture_name)):
        direction = direction_of(event)
        by = "user" if direction == "in" and event.type != "CUSTOM" else None
        out.append(Record(seq, f"{event.created_at}+00:00", seq / 8, direction, by, event))
    return out


def fixture(name: str) -> str:
    """One fixture as text, a record a line."""
    view = View.of(records(name))
    lines = ",\n".join(line_of(record).rstrip("\n") for record in records(name))
    state = _json(view.progress.model_dump(mode="json"))
    lanes = f',\n"lanes": {_json(lanes_json(view))}' if view.lanes else ""
    return f'{{"records": [\n{lines}\n],\n"progress": {state}{lanes}}}\n'


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    FIXTURES.mkdir(parents=True, exist_ok=True)
    for name in SCENARIOS:
        (FIXTURES / f"{name}.json").write_text(fixture(name), encoding="utf-8")
