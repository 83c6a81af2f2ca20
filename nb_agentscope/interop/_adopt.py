"""Items of foreign streams, taken over by value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast, get_args

from pydantic import ValidationError
from pydantic_core import from_json

from nb_agentscope._common import first_problem
from nb_agentscope.event import AgentEvent, CustomEvent, parse_event
from nb_agentscope.message import Msg
from nb_agentscope.run import unknown_item

_OURS = frozenset(get_args(AgentEvent))
FINAL_MSG = "nb_agentscope.msg"
"""Name of the CUSTOM event that keeps a whole message yielded among the events; value: the message."""


def adopt(item: Any) -> AgentEvent:
    """Our event for an item of a stream: an event of ours, a dict, or an object with `model_dump` such as AgentScope's.

    A whole message among the events (AgentScope yields one with `yield_final_msg=True`) becomes a CUSTOM event.

    Raises:
        ValueError: The item is no event, or its type is unknown, or a field is missing or wrong; one sentence says which.
    """
    if type(item) in _OURS:
        return cast("AgentEvent", item)
    fields = _fields(item)
    if fields is None:
        raise ValueError(f"A stream must yield events, dicts or objects with model_dump, got {type(item).__name__}.")
    if "type" not in fields and "role" in fields and "content" in fields:
        return CustomEvent(name=FINAL_MSG, value=dict(fields))
    event = parse_event(fields)
    if isinstance(item, Mapping):
        _check_json(event.type, fields)
    return event


def _check_json(kind: str, fields: Mapping[str, Any]) -> None:
    """Refuse what no log can hold or give back: it would be found when the log is written or read, too late."""
    try:
        # How deep a value json writes depends on the Python version; how deep a log may be is what reads it again.
        from_json(json.dumps(dict(fields), default=repr, ensure_ascii=False).encode(errors="replace"))
    except Exception as error:
        raise ValueError(f"{kind} cannot be written as JSON: {type(error).__name__}.") from error


def adopt_or_keep(item: Any) -> AgentEvent:
    """Like `adopt`, but what cannot be adopted becomes a CUSTOM event with the raw item and the problem, so nothing is lost."""
    try:
        return adopt(item)
    except ValueError as error:
        fields = _fields(item)
        return unknown_item(item if fields is None else fields, str(error))


def adopt_msg(item: Any) -> Msg:
    """Our message for a message of ours, a dict, or an object with `model_dump` such as AgentScope's.

    Raises:
        ValueError: It is no message; one sentence says which field is wrong, or which block its role does not allow.
        TypeError: It is of no kind that could be one.
    """
    if isinstance(item, Msg):
        return item
    fields = _fields(item)
    if fields is None:
        raise TypeError(f"A message must be a Msg, a dict or an object with model_dump, got {type(item).__name__}.")
    try:
        return Msg.model_validate(fields)
    except ValidationError as error:
        raise ValueError(f"This message cannot be used: {first_problem(error)}.") from error


def _fields(item: Any) -> Mapping[str, Any] | None:
    if isinstance(item, Mapping):
        return item
    dump = getattr(item, "model_dump", None)
    if not callable(dump) or isinstance(item, type):
        return None
    for options in ({"mode": "json"}, {}):  # without a mode: a value in its metadata that JSON does not know
        try:
            fields = dump(**options)
        except Exception:  # noqa: BLE001, S112 - foreign code; the caller keeps the object as it is
            continue
        return fields if isinstance(fields, Mapping) else None
    return None
