"""Events from JSON text and dicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Discriminator, TypeAdapter, ValidationError

from nb_agentscope._common import first_problem, short_repr
from nb_agentscope.event._base import EventType
from nb_agentscope.event._union import AgentEvent

# A declared discriminator picks the class by `type` at once instead of trying all 28, and reports one error instead of 28.
_ADAPTER: TypeAdapter[AgentEvent] = TypeAdapter(Annotated[AgentEvent, Discriminator("type")])


def parse_event(source: str | bytes | Mapping[str, Any]) -> AgentEvent:
    """Make the event that JSON text or a dict describes.

    Unknown fields are dropped, as AgentScope does.

    Args:
        source: One JSON object as text or UTF-8 bytes, or a dict with the same keys.

    Raises:
        ValueError: The text is not one JSON object, `type` is missing or unknown, or a field is wrong; one sentence says which.
    """
    try:
        if isinstance(source, str | bytes):
            return _ADAPTER.validate_json(source)
        return _ADAPTER.validate_python(source)
    except ValidationError as error:
        raise ValueError(_sentence(source, error)) from error


def _sentence(source: str | bytes | Mapping[str, Any], error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    match first["type"]:
        case "union_tag_invalid":
            known = ", ".join(EventType)
            return f"Unknown event type {first['ctx']['tag']!r}; the known types are {known}."
        case "union_tag_not_found":
            return f"An event needs a 'type' such as 'TEXT_BLOCK_DELTA', got {short_repr(source)}."
        case "json_invalid":
            return f"An event must be one JSON object, got {short_repr(source)}: {first['msg']}."
    return f"Bad event at {first_problem(error)}."
