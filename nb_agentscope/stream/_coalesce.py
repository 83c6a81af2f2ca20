"""Join neighbouring deltas, for the wire."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from nb_agentscope.event import AgentEvent, EventType


def join_text(chunks: Sequence[str]) -> str:
    """All chunks as one."""
    return "".join(chunks)


def join_base64(chunks: Sequence[str]) -> str:
    """The bytes of all chunks as one, padded at the end only.

    Raises:
        ValueError: A chunk has anything else in it, which joining would lose.
    """
    return base64.b64encode(b"".join([binascii.a2b_base64(chunk, strict_mode=True) for chunk in chunks])).decode()


class Rule(NamedTuple):
    """Which deltas are of one block, what of them is joined, and how."""

    same: tuple[str, ...]
    """Fields that neighbours must share."""
    payload: str
    join: Callable[[Sequence[str]], str]


RULES: dict[EventType, Rule] = {
    EventType.TEXT_BLOCK_DELTA: Rule(("reply_id", "block_id"), "delta", join_text),
    EventType.THINKING_BLOCK_DELTA: Rule(("reply_id", "block_id"), "delta", join_text),
    EventType.TOOL_CALL_DELTA: Rule(("reply_id", "tool_call_id"), "delta", join_text),
    EventType.TOOL_RESULT_TEXT_DELTA: Rule(("reply_id", "tool_call_id"), "delta", join_text),
    EventType.DATA_BLOCK_DELTA: Rule(("reply_id", "block_id", "media_type"), "data", join_base64),
    EventType.TOOL_RESULT_DATA_DELTA: Rule(("reply_id", "tool_call_id", "block_id", "media_type"), "data", join_base64),
}


def coalesce(events: Iterable[AgentEvent]) -> list[AgentEvent]:
    """The same stream with neighbouring deltas of one block joined; it folds to the same messages.

    A joined delta keeps the id, time and metadata of the first. Deltas that differ in metadata, URLs and chunks that are not
    base64 stay apart, and so do empty ones: joined to what follows, they would make the first content look earlier. For the
    wire only: a saved log keeps every event.

    Args:
        events: A stream or a part of one; not changed. Events that nothing joins are handed on as they are.
    """
    joined: list[AgentEvent] = []
    for _, neighbours in groupby(enumerate(events), key=_group):
        joined.append(_joined([event for _, event in neighbours]))
    return joined


def _group(numbered: tuple[int, AgentEvent]) -> Any:
    """Equal for neighbours that may be joined; the event's own number if it stays alone."""
    number, event = numbered
    rule = RULES.get(event.type)
    if rule is None or not _joinable(rule, event):
        return number
    return event.type, [getattr(event, field) for field in rule.same], event.metadata


def _joinable(rule: Rule, event: AgentEvent) -> bool:
    payload = getattr(event, rule.payload)
    if not payload:
        return False
    try:
        rule.join([payload])
    except ValueError:
        return False
    return True


def _joined(neighbours: list[Any]) -> AgentEvent:
    first: AgentEvent = neighbours[0]
    if len(neighbours) == 1:
        return first
    rule = RULES[first.type]
    whole = rule.join([getattr(event, rule.payload) for event in neighbours])
    return first.model_copy(update={rule.payload: whole})
