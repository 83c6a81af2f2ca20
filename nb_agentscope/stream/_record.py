"""One entry of a log: an event, and when and how it came."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, NamedTuple

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.stream._parts import CLIENT_TYPES

Direction = Literal["out", "in"]
By = Literal["user", "rule", "policy", "code"]

INPUT_NAME = "nb_agentscope.input"


class Record(NamedTuple):
    """An event with its place in the log; a tuple, because a log holds very many."""

    seq: int
    """Position in the log, from 0."""
    at: str | None
    """When it was logged (ISO 8601, UTC); None in a plain stream."""
    mono: float | None
    """Seconds of a clock that never goes back; comparable only within one `boot` of the header. None in a plain stream."""
    dir: Direction
    """`out`: from the agent; `in`: handed to the agent."""
    by: By | None
    """Who decided, for a decision."""
    event: AgentEvent


def direction_of(event: AgentEvent) -> Direction:
    """The direction that the type alone implies: client events and inputs go in, all others come out."""
    if event.type in CLIENT_TYPES or (event.type == EventType.CUSTOM and event.name == INPUT_NAME):
        return "in"
    return "out"


class UtcClock:
    """Wall clock as ISO text, formatted at most once a millisecond, because every logged event asks."""

    def __init__(self) -> None:
        self._until = float("-inf")
        self._text = ""

    def at(self, mono: float) -> str:
        """The time, to the millisecond; `mono` is what the monotonic clock says now."""
        if mono >= self._until:
            self._until = mono + 0.001
            self._text = datetime.now(UTC).isoformat(timespec="milliseconds")
        return self._text
