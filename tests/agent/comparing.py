"""Two courses as lines of text in which only what may differ is made equal, and how they differ."""

import difflib
import json
import re
from collections.abc import Iterable
from typing import Any

from nb_agentscope.event import EventBase
from tests.agent.driving import Course, Item

# Own to every run. Ids of replies, and of blocks that the agent names, are renamed by their first occurrence instead.
DROPPED = ("id", "created_at", "session_id", "type")
DROPPED_INSIDE = ("created_at", "finished_at")
EMPTY: tuple[Any, ...] = (None, {}, [])
NAMED_BY_THE_AGENT = ("TEXT_BLOCK_", "THINKING_BLOCK_", "HINT_BLOCK")

# The words of the system are ours: what they say, as recorded, as ours.
NOTES = [
    ("interrupted", r"<system-reminder>The tool call has been interrupted.*", r"The reply was interrupted before .*"),
    (
        "denied by the user",
        r"<system-reminder>The execution of tool .* is denied by user!.*",
        r"The user denied this .*",
    ),
    ("no JSON object", r"<system-reminder>Error: Your argument string is decoded into .*", r".*'echo'.*object.*"),
    ("wrong argument", r"Input validation failed for tool 'typed': 'abc' is not of type.*", r".*'typed'.*integer.*"),
    ("structured output taken", r"Structured output generated successfully\.", r"The output was taken\."),
    ("runtime state", r".*<current-time>.*</current-time>.*", r"It is now .*"),
    ("same call failed", r".*<tool-error>.*", r"The call of fail has failed 3 times .*"),
    ("not waiting", r"Agent is not waiting for user confirmation.*", r"No call waits for a decision.*"),
]
NOTED = {"TOOL_RESULT_TEXT_DELTA": "delta", "HINT_BLOCK": "hint"}


def lines(course: Course, *, ours: bool) -> list[str]:
    """One line for each thing that happened."""
    names: dict[str, str] = {}
    return [_line(item, names, ours) for item in course.items]


def differences(expected: list[str], got: list[str]) -> list[str]:
    """`- ` what is only recorded, `+ ` what is only ours."""
    return [line for line in difflib.ndiff(expected, got) if line[0] in "-+"]


def noted(text: str, *, ours: bool) -> str:
    """What a note of the system says, or the text itself if it is none."""
    for name, recorded, own in NOTES:
        if re.fullmatch(own if ours else recorded, text, re.DOTALL):
            return f"<{name}>"
    return text


def _line(item: Item, names: dict[str, str], ours: bool) -> str:
    if isinstance(item, list):
        return f"> {len(item)} message"
    if isinstance(item, BaseException):
        return f"! {type(item).__name__}: {noted(str(item), ours=ours)}"
    kind = item.type.value
    values = item.model_dump(mode="json", exclude=set(DROPPED))
    if kind in NOTED:
        values[NOTED[kind]] = noted(values[NOTED[kind]], ours=ours)
    if "reply_id" in values:
        names.setdefault(values["reply_id"], f"r{len(names)}")
    if kind.startswith(NAMED_BY_THE_AGENT):
        names.setdefault(values["block_id"], f"b{len(names)}")
    shown = {key: value for key, value in _kept(values, names).items() if value not in EMPTY}
    return " ".join([kind, *(f"{key}={_json(value)}" for key, value in sorted(shown.items()))])


def _kept(value: Any, names: dict[str, str]) -> Any:
    """With new names, without what every run has of its own, and without what is empty."""
    if isinstance(value, dict):
        kept = {key: _kept(item, names) for key, item in value.items() if key not in DROPPED_INSIDE}
        return {key: item for key, item in kept.items() if item not in EMPTY}
    if isinstance(value, list):
        return [_kept(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _json(value: Any) -> str:
    return value if isinstance(value, str) and value.isidentifier() else json.dumps(value, ensure_ascii=False)


def kinds(items: Iterable[Item]) -> set[str]:
    """The event types that occur."""
    return {item.type.value for item in items if isinstance(item, EventBase)}
