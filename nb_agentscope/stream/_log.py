"""The log of events: the only truth, of which all else is a fold."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg
from nb_agentscope.stream._compact import compact
from nb_agentscope.stream._disk import CHUNK, LogFile, read_lines, save_lines
from nb_agentscope.stream._media import Media, checked_media
from nb_agentscope.stream._record import By, Compacted, Direction, Record, UtcClock
from nb_agentscope.stream._view import View
from nb_agentscope.stream._wakeup import Wakeup

if TYPE_CHECKING:
    from nb_agentscope.widget import AgentWidget

_logger = logging.getLogger(__name__)
_new_record = tuple.__new__  # half the price of Record(...), which is a Python function
Subscriber = Callable[[Record], None]


class EventLog:
    """Append-only log of events, in memory and, with a path, growing on disk.

    A saved log is a valid AgentScope stream: each line is an event with one extra key, `recorded`.

    An existing file is continued: its records are read first, and new ones come after them (a run then adds a header of its
    own, because clocks do not compare across processes). One thread should append; readers may be anywhere.

    Args:
        path: File to grow; None keeps the log in memory only. What was appended is on disk after `flush()` at the latest.
        media: "files" writes each base64 payload above 16 kB once, into `media/` beside the log, named by its hash; the line
            has an empty payload and a reference, so that AgentScope still reads it as an event. `load` puts it back. "inline"
            keeps all in the one file, which AgentScope then folds to the same messages.

    Raises:
        ValueError: The file exists and is not a log; one sentence names the line. Or `media` is unknown.
        OSError: The file cannot be opened.
    """

    def __init__(self, path: str | Path | None = None, *, media: Media = "inline") -> None:
        checked_media(media)
        self.path = None if path is None else Path(path)
        self._records: list[Record] = []
        self._ids: set[str] = set()
        self._joined_away = 0
        """How many records fewer there are than in the log of which this is the compacted form."""
        self._lock = threading.Lock()
        self._clock = UtcClock()
        self._wakeup = Wakeup()
        self._subscribers: list[Subscriber] = []
        self._closed = False
        self._view = View(unique=True)
        self._viewed = 0
        self._file: LogFile | None = None
        if self.path is not None:
            self._file = self._continue(self.path, media)
            weakref.finalize(self, self._file.close)

    def _continue(self, path: Path, media: Media) -> LogFile:
        size = 0
        if path.is_file():  # a device or a pipe has no past
            remedy = "give the log another path, or move this file away"
            for record, end in read_lines(path, remedy=remedy):
                self._keep(record)
                size = end
        return LogFile(path, self._records, size, media)

    def _keep(self, record: Record) -> bool:
        if record.event.id in self._ids:
            return False
        self._ids.add(record.event.id)
        self._records.append(record._replace(seq=len(self._records)))
        if record.compacted is not None:
            newest = record.compacted.last or record.compacted
            self._joined_away = max(self._joined_away, newest.seq + 1 - len(self._records))
        return True

    def append(self, event: AgentEvent, *, dir: Direction = "out", by: By | None = None) -> Record | None:
        """Add an event.

        Args:
            event: The event; must not be changed afterwards.
            dir: `out` if the agent emitted it, `in` if it is handed to the agent.
            by: Who decided, for a decision.

        Returns:
            Its record, or None if an event with this id is in the log already.

        Raises:
            ValueError: The log is closed.
            OSError: The file could not be written; the record is kept and the next flush tries again.
        """
        if self._closed:
            raise ValueError(
                f"This log is closed, so {event.type} cannot be added; open EventLog(path) to continue a file."
            )
        id, records = event.id, self._records
        with self._lock:
            if id in self._ids:
                return None
            self._ids.add(id)
            mono = monotonic()
            seq = len(records)
            compacted = Compacted(seq + self._joined_away) if self._joined_away else None
            record = _new_record(Record, (seq, self._clock.at(mono), mono, dir, by, event, compacted, ()))
            records.append(record)
        if self._wakeup.waiting:
            self._wakeup.wake()
        if self._subscribers:
            self._tell(record)
        if self._file is not None and len(records) % CHUNK == 0:
            self.flush()
        return record

    @property
    def records(self) -> Sequence[Record]:
        """All records, oldest first; grows with the log, read only."""
        return self._records

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[AgentEvent]:
        return (record.event for record in self._records)

    def __getitem__(self, index: int) -> AgentEvent:
        return self._records[index].event

    def __repr__(self) -> str:
        place = "in memory" if self.path is None else f"on {str(self.path)!r}"
        return f"<EventLog {place}: {len(self._records)} events{', closed' if self._closed else ''}>"

    @property
    def view(self) -> View:
        """What a view shows of the log so far; it grows with the log, whenever it is asked for."""
        for record in self._records[self._viewed :]:
            self._view.follow(record)
            self._viewed += 1
        return self._view

    @property
    def msgs(self) -> list[Msg]:
        """The message of every reply so far, tidied and folded; they grow with the log."""
        return self.view.msgs

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message so far; None before the first reply."""
        return self.view.msg

    async def follow(self, start: int = 0) -> AsyncIterator[Record]:
        """Yield the records from `start` on, old and new, until the log is closed; any number may follow."""
        position = start
        while True:
            while position < len(self._records):
                yield self._records[position]
                position += 1
            if self._closed:
                return
            await self._wakeup.wait_unless(partial(self._has_news, position))

    def _has_news(self, position: int) -> bool:
        return self._closed or position < len(self._records)

    def widget(self, **options: Any) -> AgentWidget:
        """A widget that shows what is in the log; `options` are the widget's."""
        from nb_agentscope.widget import AgentWidget, LogView

        return AgentWidget(LogView(self), **options)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from nb_agentscope.render import log_bundle

        return log_bundle(self)

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call `callback` with each new record, on the thread that appends; returns the function that ends this.

        A callback that raises is reported by `logging` and called again next time: neither the log, nor who appends, nor the
        other callbacks suffer from it.
        """
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    def _tell(self, record: Record) -> None:
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(record)
            except Exception:
                _logger.exception(
                    "A subscriber of the event log failed at record %d (%s).", record.seq, record.event.type
                )

    def flush(self) -> None:
        """Hand all records to the operating system, so that they outlive this process (not a power loss).

        Raises:
            OSError: The file could not be written; nothing is lost, the next flush tries again.
        """
        if self._file is not None:
            with self._lock:
                self._file.flush()

    @property
    def closed(self) -> bool:
        """Whether the log has ended."""
        return self._closed

    def close(self) -> None:
        """Flush, close the file and end all `follow`; again is harmless.

        Raises:
            OSError: The last records could not be written; they are still here to `save` elsewhere.
        """
        with self._lock:
            self._closed = True
        self._wakeup.wake()
        if self._file is not None:
            with self._lock:
                self._file.close()

    def compact(self) -> Self:
        """The log so far with the deltas of each block joined, as a closed log in memory; this one stays as it is.

        It folds to the same messages and keeps the order rules as this one does, in a fraction of the lines. Of the deltas that
        were joined, it knows the number and when the first and the last came; what lies between, and their ids, are gone.
        """
        log = type(self)()
        for record in compact(self._records[:]):
            log._keep(record)
        log._closed = True
        return log

    def save(self, path: str | Path, *, media: Media = "inline", compact: bool = False) -> None:
        """Write the whole log to `path`; the same lines that a log with a path has on disk.

        Args:
            path: The file.
            media: As for the log itself: "inline" makes a file that needs nothing beside it.
            compact: Write what `compact()` gives.

        Raises:
            OSError: The file cannot be written; an older file at `path` is then unchanged.
            ValueError: `media` is unknown, or this log still grows at `path` and would be written there in another form.
        """
        target = Path(path)
        checked_media(media)
        if self._file is not None and not self._closed and target.resolve() == self._file.path.resolve():
            if compact or media != self._file.media:
                raise ValueError(f"This log still grows at {str(path)!r}: close() it first, or save to another path.")
            self.flush()
            return
        save_lines(target, self.compact()._records if compact else self._records, media)

    @classmethod
    def load(cls, path: str | Path, *, strict: bool = True) -> Self:
        """Read a log or a plain AgentScope stream (one event a line) as a closed log in memory.

        A last line that was only half written is dropped with a warning, and so is an event whose id came before. A payload
        whose file is not beside the log, or has changed, is empty, with a warning; nothing else is lost.

        Args:
            path: The file.
            strict: False keeps the good lines and warns of each bad one.

        Raises:
            ValueError: A line is no event; one sentence names file, line and remedy.
            OSError: The file cannot be read.
        """
        log = cls()
        remedy = "correct or remove this line, or load with strict=False to skip it" if strict else "skipped it"
        for record, _ in read_lines(Path(path), remedy=remedy, strict=strict):
            log._keep(record)
        log._closed = True
        return log
