"""The one writer of a log, and the view that follows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from nb_agentscope._common import new_id
from nb_agentscope.event import AgentEvent, EventType, ReplyStartEvent
from nb_agentscope.message import ErrorInfo, Msg, ReplyFinishedReason
from nb_agentscope.run._flush import Flusher
from nb_agentscope.stream import (
    STRUCTURED_KEY,
    By,
    Direction,
    EventLog,
    Lane,
    LaneView,
    Progress,
    Record,
    View,
    closing_events,
    lane_of,
)

_REPLY_START: Final = EventType.REPLY_START  # looking up an enum's member takes longer than comparing it
_REPLY_END: Final = EventType.REPLY_END


class Transcript:
    """Writes events into `log` and keeps the messages, the progress and the state of the reply up to date.

    A log that holds a history already (a resumed reply, several runs in one log) is folded first.
    """

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.flusher = Flusher(log)
        self.reply_id: str | None = None
        """The newest reply of the main lane."""
        self.session_id: str | None = None
        self.reply_open = False
        """Whether that reply has begun and not ended."""
        self.structured_output: dict[str, Any] | None = None
        """What its REPLY_END brought."""
        self.view = View(unique=True)
        for record in log.records:
            self._follow(record)

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message."""
        return self.view.msg

    @property
    def msgs(self) -> list[Msg]:
        """All replies in the log."""
        return self.view.msgs

    @property
    def progress(self) -> Progress:
        """What is not in the messages."""
        return self.view.progress

    @property
    def failed(self) -> bool:
        """Whether the newest reply has ended with an error of its own."""
        return not self.reply_open and self.msg is not None and self.msg.error is not None

    def lane_of(self, event: AgentEvent) -> Lane | None:
        """The sub-agent's lane that an event belongs to; None for the main lane."""
        return lane_of(event, self.view.ids)

    def write(
        self, event: AgentEvent, dir: Direction = "out", by: By | None = None
    ) -> tuple[Record, list[AgentEvent]] | None:
        """Log one event; None if its id is known. Else the record, and the events that a view folds."""
        try:
            record = self.log.append(event, dir=dir, by=by)
        except OSError as error:  # the record is kept in memory
            self.flusher.failed(error)
            record = self.log.records[-1]
        self.flusher.touch()
        return None if record is None else (record, self._follow(record))

    def beginning(self, name: str) -> ReplyStartEvent:
        """A REPLY_START for a run that ends before its agent said anything."""
        return ReplyStartEvent(session_id=new_id(), reply_id=new_id(), name=name)

    def ending(self, reason: ReplyFinishedReason, error: ErrorInfo | None) -> list[AgentEvent]:
        """The events that end the open reply well, those of sub-agents first."""
        return [*self.ending_nested(), *_ending(self.view, reason, error, session_id=self.session_id)]

    def ending_nested(self) -> Iterator[AgentEvent]:
        """The events that end all open replies of sub-agents, the deepest first: they cannot go on without their parent."""
        for lane, view in reversed(self.view.lanes.items()):  # a lane begins after the one that it is nested in
            if view.msg is not None:
                yield from _ending(view, ReplyFinishedReason.INTERRUPTED, None, lane=lane)

    def _follow(self, record: Record) -> list[AgentEvent]:
        tidied = self.view.follow(record)
        for event in tidied:
            if event.type == _REPLY_START or event.type == _REPLY_END:
                self._bound(event)
        return tidied

    def _bound(self, event: Any) -> None:
        """A reply begins or ends; one of a sub-agent changes nothing here."""
        if self.lane_of(event) is not None:
            return
        self.reply_open = event.type == _REPLY_START
        if self.reply_open:
            self.reply_id, self.session_id = event.reply_id, event.session_id or None
        else:
            made = event.metadata.get(STRUCTURED_KEY)
            self.structured_output = made if isinstance(made, dict) else None


def _ending(
    view: LaneView,
    reason: ReplyFinishedReason,
    error: ErrorInfo | None,
    *,
    session_id: str | None = None,
    lane: Lane | None = None,
) -> list[AgentEvent]:
    if view.msg is None:
        raise RuntimeError("There is no reply to end.")
    return closing_events(
        view.msg,
        reason=reason,
        session_id=session_id or view.progress.session_id or new_id(),
        error=error,
        model_open=view.progress.model_open,
        lane=lane,
    )
