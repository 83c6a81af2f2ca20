"""One entry of a log: an event, and when and how it came."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, NamedTuple

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.stream._media import MediaReference
from nb_agentscope.stream._parts import CLIENT_TYPES

Direction = Literal["out", "in"]
By = Literal["user", "rule", "policy", "code"]

INPUT_NAME = "nb_agentscope.input"
SHOWN_NAME = "nb_agentscope.shown"
"""Name of the CUSTOM events that say when a person could first see a question, value `{reply_id, tool_call_id}`."""
IN_NAMES = frozenset({INPUT_NAME, SHOWN_NAME})
"""Names of the CUSTOM events that come from outside the agent."""


class Moment(NamedTuple):
    """When an event came, by all clocks."""

    seq: int
    """Position in the log as it was recorded."""
    at: str | None
    """As `Record.at`."""
    mono: float | None
    """As `Record.mono`."""
    created_at: str
    """As the event says."""


class Compacted(NamedTuple):
    """What a record of a compacted log stands for; see `_compact.py`."""

    seq: int
    """Position of the record, of the first of those joined, in the log as it was recorded."""
    n: int = 1
    """Number of deltas that were joined."""
    times: int = 1
    """At how many different times they came."""
    last: Moment | None = None
    """The last of them; None if there is only one."""


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
    compacted: Compacted | None = None
    """What it stands for, in a compacted log."""
    missing: tuple[MediaReference, ...] = ()
    """Media that were not found where this log was read from; the event has an empty payload for each."""

    @property
    def recorded_seq(self) -> int:
        """Position in the log as it was recorded; a compacted log has gaps."""
        return self.seq if self.compacted is None else self.compacted.seq


def direction_of(event: AgentEvent) -> Direction:
    """The direction that type and name imply: client events, inputs and what pages tell go in, all others come out."""
    if event.type in CLIENT_TYPES or (event.type == EventType.CUSTOM and event.name in IN_NAMES):
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
