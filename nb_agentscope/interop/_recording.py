"""A recorded stream, cut into replies and into steps with their pauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nb_agentscope.event import (
    AgentEvent,
    CustomEvent,
    ExternalExecutionResultEvent,
    ReplyStartEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.interop._adopt import adopt, adopt_msg
from nb_agentscope.message import Msg
from nb_agentscope.stream import HEADER_NAME, INPUT_NAME, MODEL_CALL_NAME, SHOWN_NAME, EventLog, lane_of

_OWN = (HEADER_NAME, INPUT_NAME)
_OF_THAT_RUN = frozenset({SHOWN_NAME, MODEL_CALL_NAME})
"""Names of the CUSTOM events that tell of the recorded run alone: they are not played, and no pause ends at them."""
Answer = UserConfirmResultEvent | ExternalExecutionResultEvent | UserInterruptEvent


@dataclass(frozen=True)
class Step:
    """One recorded event, and the seconds since the one before."""

    event: AgentEvent
    pause_s: float

    @property
    def answer(self) -> Answer | None:
        """The event, if it is what a person gave to a parked reply."""
        return self.event if isinstance(self.event, Answer) else None


@dataclass(frozen=True)
class RecordedReply:
    """One reply of a recording."""

    steps: Sequence[Step]
    messages: Sequence[Msg]
    """What the user had given, if the recording tells."""


def read_recording(source: str | Path | EventLog | Iterable[Any]) -> list[RecordedReply]:
    """The replies of a recording, in order.

    Args:
        source: Path of a log or of a plain stream (one event a line), a log, or the events.

    Raises:
        ValueError: There is no reply in it, or something in it is no event.
    """
    moments = [(event, at) for event, at in _moments(source) if not _is_of_that_run(event)]
    replies: list[list[int]] = []
    messages: list[list[Msg]] = [[]]
    seen: set[str] = set()
    for index, (event, _) in enumerate(moments):
        if isinstance(event, CustomEvent) and event.name in _OWN:
            messages[-1].extend(_given(event))
            continue
        if isinstance(event, ReplyStartEvent) and event.reply_id not in seen and lane_of(event) is None:
            seen.add(event.reply_id)
            replies.append([])
            messages.append([])
        if replies:
            replies[-1].append(index)
    if not replies:
        raise ValueError("There is no reply in this recording: it has no REPLY_START.")
    return [
        RecordedReply([_step(moments, index) for index in indices], given)
        for indices, given in zip(replies, messages, strict=False)
    ]


def _given(event: CustomEvent) -> Iterator[Msg]:
    """The messages of an input event; what is none, by whoever wrote the recording, is left out as in a view."""
    messages = event.value.get("messages")
    for raw in messages if isinstance(messages, list) else []:
        with suppress(ValueError, TypeError):
            yield adopt_msg(raw)


def _moments(source: str | Path | EventLog | Iterable[Any]) -> list[tuple[AgentEvent, float | None]]:
    if isinstance(source, str | Path):
        source = EventLog.load(source)
    if isinstance(source, EventLog):
        return [(r.event, r.mono if r.mono is not None else _seconds(r.event.created_at)) for r in source.records]
    events = [adopt(item) for item in source]
    return [(event, _seconds(event.created_at)) for event in events]


def _is_of_that_run(event: AgentEvent) -> bool:
    return isinstance(event, CustomEvent) and event.name in _OF_THAT_RUN


def _step(moments: list[tuple[AgentEvent, float | None]], index: int) -> Step:
    event, at = moments[index]
    before = moments[index - 1][1] if index else None
    # Clocks go back, and monotonic ones start anew in another process: then there is no telling, so no pause.
    return Step(event, max(0.0, at - before) if at is not None and before is not None else 0.0)


def _seconds(created_at: str) -> float | None:
    try:
        return datetime.fromisoformat(created_at).timestamp()
    except ValueError:
        return None
