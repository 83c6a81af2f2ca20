"""One entry of a log: an event, and when and how it came."""

from __future__ import annotations

import time
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
    """Wall clock as ISO text; formats the date only once a second, because every logged event asks."""

    def __init__(self) -> None:
        self._begin = self._end = 0  # of the second that the prefix is about, in ns
        self._prefix = ""

    def __call__(self) -> str:
        nanos = time.time_ns()
        if not self._begin <= nanos < self._end:
            second = nanos // 1_000_000_000
            self._begin, self._end = second * 1_000_000_000, (second + 1) * 1_000_000_000
            self._prefix = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S.")
        return f"{self._prefix}{(nanos - self._begin) // 1000:06}+00:00"
