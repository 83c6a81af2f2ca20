"""The one writer of a log, and the folds that follow it."""

from __future__ import annotations

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
    Fold,
    Progress,
    Record,
    Tidy,
    closing_events,
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
        self.progress = Progress()
        self.reply_id: str | None = None
        self.session_id: str | None = None
        self.reply_open = False
        """Whether the newest reply of the main lane has begun and not ended."""
        self.structured_output: dict[str, Any] | None = None
        """What the newest REPLY_END brought."""
        self._tidy = Tidy(unique=True)
        self._fold = Fold()
        for record in log.records:
            self._follow(record)

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message."""
        return self._fold.msg

    @property
    def msgs(self) -> list[Msg]:
        """All replies in the log."""
        return self._fold.msgs

    @property
    def main_ids(self) -> set[str]:
        """Ids of the replies of the main lane."""
        return self._fold.ids

    @property
    def failed(self) -> bool:
        """Whether the newest reply has ended with an error of its own."""
        return not self.reply_open and self.msg is not None and self.msg.error is not None

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
        """The events that end the open reply well."""
        if self.msg is None:
            raise RuntimeError("There is no reply to end.")
        return closing_events(
            self.msg,
            reason=reason,
            session_id=self.session_id or new_id(),
            error=error,
            model_open=self.progress.model_open,
        )

    def _follow(self, record: Record) -> list[AgentEvent]:
        tidied = self._tidy.push(record.event)
        for event in tidied:
            if event.type == _REPLY_START:
                self.reply_id, self.session_id, self.reply_open = event.reply_id, event.session_id or None, True
            elif event.type == _REPLY_END:
                self.reply_open = False
                made = event.metadata.get(STRUCTURED_KEY)
                self.structured_output = made if isinstance(made, dict) else None
            self._fold.push(event)
        # As a view does, so that a decision stands at the call that the view shows under this id.
        self.progress.push_tidied(record, tidied)
        return tidied
