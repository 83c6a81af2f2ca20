"""One reply of an agent, as an object: its log, its message, what waits for a person, and its end."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, cast

from nb_agentscope.event import AgentEvent, CustomEvent
from nb_agentscope.message import Msg
from nb_agentscope.run._deciding import Check, Deciding
from nb_agentscope.run._driver import Driver, Status
from nb_agentscope.run._inputs import ClientEvent, Inputs, as_inputs
from nb_agentscope.run._leg import Streams
from nb_agentscope.run._live import AlreadyRunningError, OnRerun, claim, release
from nb_agentscope.run._log_to import LogTo, OwnLog
from nb_agentscope.run._policy import OnNoFrontend, checked_policy
from nb_agentscope.run._transcript import Transcript
from nb_agentscope.run._wait import Waiting, running_loop
from nb_agentscope.stream import By, EventLog, Lane, LaneView, Media, Progress, Record, header_event

RunCallback = Callable[[Literal["record", "status"], Record | None, Sequence[AgentEvent]], None]
"""Called with ("record", record, the tidied events to fold) and ("status", None, ())."""

_logger = logging.getLogger(__name__)
_tasks: set[asyncio.Task[None]] = set()


class Run(Deciding):
    """Drives one reply of `agent` and is the one writer of its log.

    It starts when it is created on a running event loop (a notebook, or inside `asyncio.run`), else at the first `wait()` or
    `await`. `await run` gives the final Msg or raises what failed; cancelling that await stops the run.

    Args:
        agent: Any object with a method `reply_stream(inputs)` that returns an async iterator of events.
        inputs: Text, a Msg, a list of Msg, a client event for a parked reply, or None.
        name: Name of the agent for the log's header; the agent's own by default.
        model: Name of the model for the header.
        log: A log to write into; it is not closed at the end. By default an own one, closed at the end.
        log_to: Path of the own log on disk, written as it grows. A folder (it is there, or the text ends in "/") gets a new
            file for this run, named by time and agent. None: the folder of `nb_agentscope.configure(log_dir=...)`, else of the
            environment variable `NB_AGENTSCOPE_LOG_DIR`, else in memory only. False: in memory only, whatever is configured.
        media: "files" keeps large media of the own log beside it (see `EventLog`), "inline" in it; by default files in a
            folder, inline where `log_to` names a file.
        on_no_frontend: Who decides when a cell waits and no view has appeared within `grace_s`: "deny", "raise", "wait", or a
            callable that gets the PendingCall and returns "approve", "deny" or None (go on waiting).
        grace_s: Seconds from the first wait.
        stop_grace_s: Seconds that a stopped agent has to close its own stream.
        tool_schemas: JSON schemas of the arguments by tool name, to check edits; for a sub-agent's tools by `source/name`.
        tools: Names of the tools for the header; those of `tool_schemas` by default.
        check: Called before an approval is taken, with the call, the input that will run and the rules that come with it; a
            sentence that it returns refuses the approval, and the call stays pending.
        owner: The object that may have only one live run; `agent` by default.
        cell: Id of the notebook cell that starts it.
        on_rerun: Whether a live run from the same cell is stopped first ("stop") or keeps the agent ("keep").

    Raises:
        AlreadyRunningError: The agent has a live run, and not from this cell.
        TypeError: The inputs or the agent are of a wrong kind.
        ValueError: `on_no_frontend` is unknown, both `log` and one of `log_to` and `media` are given, or the log is closed.
        OSError: What `log_to` names cannot be written. A folder that is only configured gives a warning, and the run begins.
    """

    def __init__(
        self,
        agent: Streams,
        inputs: str | Inputs = None,
        *,
        name: str | None = None,
        model: str | None = None,
        log: EventLog | None = None,
        log_to: LogTo = None,
        media: Media | None = None,
        on_no_frontend: OnNoFrontend = "deny",
        grace_s: float = 10.0,
        stop_grace_s: float = 2.0,
        tool_schemas: Mapping[str, Mapping[str, Any]] | None = None,
        tools: Sequence[str] | None = None,
        check: Check | None = None,
        owner: object | None = None,
        cell: str | None = None,
        on_rerun: OnRerun = "stop",
    ) -> None:
        if not callable(getattr(agent, "reply_stream", None)):
            raise TypeError(f"A run needs an object with a method reply_stream(inputs), got {type(agent).__name__}.")
        if log is not None and not (log_to is None and media is None):
            raise ValueError("Give either log or log_to (and media): a log that is given writes where it was made to.")
        if log is not None and log.closed:
            raise ValueError("This log is closed; open EventLog(path) to continue a file, or give none.")
        super().__init__(tool_schemas or {}, check)
        self.on_no_frontend = checked_policy(on_no_frontend)
        self.grace_s = grace_s
        self.cell = cell
        self.name = name or str(getattr(agent, "name", None) or type(agent).__name__)
        given = as_inputs(inputs)
        self._owner = owner if owner is not None else agent
        own = OwnLog(self.name, log_to, media) if log is None else None
        self._owns_log = own is not None
        self.log = own.log if own is not None else cast("EventLog", log)
        self._transcript = Transcript(self.log)
        self._driver = Driver(agent, given, self.name, self._transcript, self._pending, stop_grace_s, self._notify)
        self._callbacks: dict[object, RunCallback] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop it runs on; None before it starts."""
        self._thread = threading.get_ident()
        self._began = time.monotonic()
        self._ended: float | None = None
        self._waiting = Waiting(self, self._driver.remark)
        # Last, when nothing can fail any more: from here on others see this run.
        try:
            self._previous = claim(self._owner, self, cell, on_rerun)
        except AlreadyRunningError:
            if own is not None:
                own.discard()
            raise
        self._driver.open(header_event(self.name, model, tools if tools is not None else sorted(self._schemas)))
        if running_loop() is not None:
            self.start()

    # -- what it is -------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """`running`, `waiting` (the agent is parked and a person must decide), or `finished`."""
        return self._driver.status

    @property
    def done(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self._driver.status == "finished"

    @property
    def error(self) -> BaseException | None:
        """What failed; `await run` raises it."""
        return self._driver.error

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message so far; None before it begins."""
        return self._transcript.msg

    @property
    def msgs(self) -> list[Msg]:
        """The messages of all replies in the log."""
        return self._transcript.msgs

    @property
    def lanes(self) -> Mapping[Lane, LaneView]:
        """What sub-agents said, by lane, in the order in which they began; read only."""
        return self._transcript.view.lanes

    @property
    def progress(self) -> Progress:
        """What is known about the run beside its messages."""
        return self._transcript.progress

    @property
    def structured_output(self) -> dict[str, Any] | None:
        """The object that the newest reply ended with, if its REPLY_END holds one; `await run` sets it on the message."""
        return self._transcript.structured_output

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, up to the end."""
        return (self._ended if self._ended is not None else time.monotonic()) - self._began

    @property
    def late_events(self) -> int:
        """How many events came from a stream that was given up after a stop; they are not in the log."""
        return self._driver.late_events

    @property
    def frontend_seen(self) -> bool:
        """Whether a view has appeared; set by the widget. Then no policy decides."""
        return self._waiting.frontend_seen

    @frontend_seen.setter
    def frontend_seen(self, seen: bool) -> None:
        self._waiting.frontend_seen = seen
        self._post(self._waiting.changed)

    def __repr__(self) -> str:
        return f"<Run {self.name!r} {self.status}, {len(self.log)} records, {len(self.pending)} pending>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from nb_agentscope.render import transcript

        return transcript(self)

    # -- what one can do --------------------------------------------------------------------------------------------------

    def stop(self, *, by: By = "code") -> None:
        """End the reply; returns at once. The agent closes its stream itself, or it is closed for it; harmless afterwards."""
        if self.loop is None or self.loop.is_closed():
            self._driver.stop(by)
            self._driver.finish()
        else:
            self._post(lambda: self._driver.stop(by))

    def subscribe(self, callback: RunCallback) -> Callable[[], None]:
        """Have `callback` called on the loop's thread; returns what ends that."""
        key = object()
        self._callbacks[key] = callback
        return lambda: self._callbacks.pop(key, None) and None

    def start(self) -> None:
        """Begin on the running loop; does nothing if it has begun or ended."""
        if self.loop is None and not self.done:
            self.loop = asyncio.get_running_loop()
            self._thread = threading.get_ident()
            previous, self._previous = self._previous, None  # or each re-run would keep all runs before it
            task = self.loop.create_task(self._driver.drive(previous.give_way if previous else None))
            _tasks.add(task)
            task.add_done_callback(self._forget)

    def __await__(self) -> Generator[Any, None, Msg]:
        return self._waiting.result().__await__()

    def wait(self, timeout: float | None = None) -> Msg:
        """The same without `await`, for scripts and threads.

        Args:
            timeout: Seconds; None waits for ever. After it the run stays as it is.

        Raises:
            TimeoutError: It has not ended in time.
            RuntimeError: An event loop runs in this thread; use `await run` there.
            KeyboardInterrupt: Someone interrupted it meanwhile; the reply has ended `interrupted`. (`await run` gives the
                message instead: a task that raises this would end its event loop, and with it a notebook's kernel.)
        """
        waited = not self.done
        msg = self._waiting.block(timeout)
        if waited and self._driver.interrupt is not None:
            raise self._driver.interrupt
        return msg

    async def give_way(self) -> None:
        """Stop, and return when the agent is free."""
        self.stop()
        if self.loop is None or self.loop is asyncio.get_running_loop():
            await self._waiting.ended()
        elif self.loop.is_running():
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._waiting.ended(), self.loop))
        else:
            # Its loop may never run again; what the agent could still say is given up.
            self._driver.finish()

    # -- inside -----------------------------------------------------------------------------------------------------------

    def _forget(self, task: asyncio.Task[None]) -> None:
        _tasks.discard(task)
        # A task that is cancelled before its first step never reaches its own `finally`.
        self._driver.finish()

    def _notify(self, kind: Literal["record", "status"], record: Record | None, events: Sequence[AgentEvent]) -> None:
        if kind == "status":
            self._waiting.changed()
            if self.done:
                self._end()
        for callback in list(self._callbacks.values()):
            try:
                callback(kind, record, events)
            except Exception:
                _logger.exception("A subscriber of %r failed at %s.", self, kind)

    def _end(self) -> None:
        self._ended = time.monotonic()
        release(self._owner, self)
        self._transcript.flusher.now(close=self._owns_log)

    def _hand_on(self, event: ClientEvent, by: By) -> None:
        self._post(lambda: self._driver.deliver(event, by))

    def _write_down(self, event: CustomEvent) -> None:
        self._post(lambda: self._driver.write_down(event, "in"))

    def _post(self, action: Callable[[], None]) -> None:
        """Do it on the loop's thread: now if this is it, else soon."""
        loop = self.loop
        here = running_loop()
        if loop is None or here is loop or (not loop.is_running() and self._thread == threading.get_ident()):
            action()
        else:
            loop.call_soon_threadsafe(action)
