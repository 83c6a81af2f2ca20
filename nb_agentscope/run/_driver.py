"""Drives one reply: streams, parks, decisions in between, and an end that is always well-formed."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, get_args

from nb_agentscope._common import now
from nb_agentscope.event import AgentEvent, CustomEvent, EventType, UserInterruptEvent
from nb_agentscope.message import ReplyFinishedReason
from nb_agentscope.run._failure import StreamBrokenError, note, unknown_item
from nb_agentscope.run._inputs import ClientEvent
from nb_agentscope.run._leg import Leg, Streams
from nb_agentscope.run._pending import PendingCalls
from nb_agentscope.run._transcript import Transcript
from nb_agentscope.stream import By, Direction, Record, error_info, input_event

_logger = logging.getLogger(__name__)
_EVENTS = frozenset(get_args(AgentEvent))
Status = Literal["running", "waiting", "finished"]
Notify = Callable[[Literal["record", "status"], Record | None, Sequence[AgentEvent]], None]


class Driver:
    """The life of a run on its loop; everything here happens on the loop's thread.

    Why it ended:
        * the stream gave its REPLY_END: nothing is added;
        * it raised after its own REPLY_END: `error` holds the exception;
        * it raised: open blocks are closed, REPLY_END `error`, and `error` holds the exception;
        * `stop`: the agent closes its own stream; what it leaves open is closed here, REPLY_END `interrupted`;
        * it was cancelled from outside: as for `stop`;
        * a KeyboardInterrupt hit the agent's own code: as for `stop`, with a note in the log, and `interrupt` holds it;
        * it ended without REPLY_END and with nothing to wait for: REPLY_END `error`, `error` is a `StreamBrokenError`.
    """

    def __init__(
        self,
        agent: Streams,
        inputs: Any,
        name: str,
        transcript: Transcript,
        pending: PendingCalls,
        grace_s: float,
        notify: Notify,
    ) -> None:
        self.status: Status = "running"
        self.error: BaseException | None = None
        self._agent = agent
        self._inputs = inputs
        self._name = name
        self._transcript = transcript
        self._pending = pending
        self._grace_s = grace_s
        self._notify = notify
        self._queue: deque[ClientEvent] = deque()
        self._wake = asyncio.Event()
        self._stopped_by: By | None = None
        self._legs: list[Leg] = []

    @property
    def late_events(self) -> int:
        """Events that came from a stream after it was given up."""
        return sum(leg.late_events for leg in self._legs)

    @property
    def interrupt(self) -> KeyboardInterrupt | None:
        """The KeyboardInterrupt that hit the agent's own code, if one did."""
        return next((leg.interrupt for leg in self._legs if leg.interrupt is not None), None)

    def open(self, header: AgentEvent) -> None:
        """Log who runs and what is given, before the agent gets it."""
        self._write(header)
        if isinstance(self._inputs, ClientEvent):
            self._write(self._inputs, dir="in", by="code")
        elif self._inputs is not None:
            self._write(input_event(self._inputs), dir="in", by="code")

    def deliver(self, event: ClientEvent, by: By) -> None:
        """Log a decision, then hand it to the agent as soon as it is parked."""
        if self.status == "finished":
            _logger.warning("A decision by %s came just after the run had ended, so it had no effect: %s", by, event)
            return
        self._write(event, dir="in", by=by)
        self._queue.append(event)
        self._set_status("running")
        self._wake.set()

    def remark(self, text: str) -> None:
        """Log a note, unless the run has ended."""
        self.write_down(note(text))

    def write_down(self, event: CustomEvent, dir: Direction = "out") -> None:
        """Log what is neither of the agent nor for it, unless the run or its log has ended."""
        if self.status != "finished" and not self._transcript.log.closed:
            self._write(event, dir=dir)

    def stop(self, by: By) -> None:
        """End the reply: see the class."""
        if self.status == "finished" or self._stopped_by is not None:
            return
        self._stopped_by = by
        self._pending.close("was stopped")
        if self._legs and self._transcript.reply_open and self._pending.unanswered():
            self._legs[
                -1
            ].withhold()  # an approval on its way must not start a tool now; the agent gets an interrupt instead
        self.status = "running"  # nobody is waited for any more; the agent closes its stream
        self._notify("status", None, [])
        self._wake.set()

    async def drive(self, previous: Callable[[], Awaitable[None]] | None = None) -> None:
        """Run to the end; `previous` waits for another run that has the agent. Raises only its own cancellation."""
        try:
            if previous is not None:
                await previous()
            await self._converse()
        except asyncio.CancelledError:
            self.stop("code")
            await self._wind_down()
            raise
        except Exception as error:  # noqa: BLE001 - kept, logged, and raised where the run is awaited
            self.error = error
        finally:
            self.finish()

    def finish(self) -> None:
        """Close what is open, end the log's reply, and take nothing more; harmless when it was done before."""
        if self.status == "finished":
            return
        for leg in self._legs:
            leg.abandon()
        self._close_reply()
        self._pending.close("has ended")
        self._set_status("finished")

    async def _converse(self) -> None:
        inputs = self._inputs
        while self._stopped_by is None:
            await self._run_leg(inputs)
            if self._stopped_by is not None:
                break
            if self._failed() or not self._parked():
                return
            next_event = await self._next_decision()
            if next_event is None:
                break
            inputs = next_event
        await self._wind_down()

    async def _run_leg(self, inputs: Any) -> None:
        leg = Leg(self._agent, inputs, self._receive, self.write_down)
        self._legs = [old for old in self._legs if old.abandoned or old.late_events] + [leg]
        self._set_status("running")
        while not leg.task.done() and self._stopped_by is None:
            await self._first_of(leg.task)

    async def _first_of(self, task: asyncio.Task[None]) -> None:
        """Wait for the task or a wake-up."""
        self._wake.clear()
        waker = asyncio.ensure_future(self._wake.wait())
        try:
            await asyncio.wait({task, waker}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waker.cancel()

    def _failed(self) -> bool:
        leg = self._legs[-1]
        if leg.task.cancelled():
            # Nobody asked us: the stream cancelled itself, or something cancelled our task.
            self._stopped_by = "code"
            return True
        if leg.interrupt is not None:
            self._stopped_by = "code"
            self._write(note(str(leg.error)))
            return True
        self.error = leg.error
        return self.error is not None

    def _parked(self) -> bool:
        seen_end = self._transcript.reply_id is not None and not self._transcript.reply_open
        return not seen_end and (bool(self._queue) or bool(self._pending.open()))

    async def _next_decision(self) -> ClientEvent | None:
        while not self._queue and self._stopped_by is None:
            self._set_status("waiting")
            self._wake.clear()
            await self._wake.wait()
        return self._queue.popleft() if self._stopped_by is None else None

    async def _wind_down(self) -> None:
        """Let the agent end its reply itself, for at most the grace time."""
        leg = self._legs[-1] if self._legs else None
        if leg is None:
            return
        await leg.wind_down(self._grace_s)
        ended_well = leg.task.done() and not leg.task.cancelled() and leg.error is None
        if not (ended_well and self._transcript.reply_open and self._pending.unanswered()):
            self._report(leg.error)
            return
        event = UserInterruptEvent(reply_id=self._transcript.reply_id or "")
        self._write(event, dir="in", by=self._stopped_by)
        last = Leg(self._agent, event, self._receive, self.write_down)
        self._legs.append(last)
        await asyncio.wait({last.task}, timeout=self._grace_s)
        await last.wind_down(self._grace_s)
        self._report(last.error)

    def _report(self, error: BaseException | None) -> None:
        """An exception of a stream that was being stopped: not what the person waits for, but not lost."""
        if error is not None:
            self._write(note(f"While it was stopped, the agent raised {error_info(error).message}"))

    def _close_reply(self) -> None:
        transcript = self._transcript
        if transcript.reply_id is not None and not transcript.reply_open:
            for event in [*transcript.ending_nested()]:
                self._write(event)
            # A reply that ended with this very error has said it.
            if self.error is not None and not transcript.failed:
                self._write(note(f"After the end of its reply, the agent raised {error_info(self.error).message}"))
            return
        if self.error is None and self._stopped_by is None:
            self.error = StreamBrokenError("The agent's stream ended without REPLY_END and with nothing to wait for.")
        reason = ReplyFinishedReason.ERROR if self.error else ReplyFinishedReason.INTERRUPTED
        info = error_info(self.error) if self.error else None
        if transcript.reply_id is None:
            self._write(transcript.beginning(self._name))
        for event in transcript.ending(reason, info):
            self._write(event)

    def _receive(self, item: Any) -> None:
        if type(item) in _EVENTS:  # several times as fast as isinstance, and asked for every event
            self._write(item)
        else:
            self._write(
                unknown_item(item, f"A run takes events, got {type(item).__name__}; use wrap(agent) to adapt others.")
            )

    def _write(self, event: AgentEvent, dir: Direction = "out", by: By | None = None) -> None:
        if self._interrupts_another(event):
            for end in self._transcript.ending(ReplyFinishedReason.INTERRUPTED, None):
                self._write(end)
        written = self._transcript.write(event, dir=dir, by=by)
        if written is None:
            return
        record, tidied = written
        lane = self._transcript.lane_of(event) if event.metadata else None
        asks_changed = self._pending.follow(event, record.at or now(), lane)
        self._notify("record", record, tidied)
        if asks_changed:
            self._notify("status", None, [])

    def _interrupts_another(self, event: AgentEvent) -> bool:
        """Whether a new reply begins while one is open: the older one will get no end any more."""
        if event.type != EventType.REPLY_START:
            return False
        if self._transcript.lane_of(event) is not None:
            return False
        return self._transcript.reply_open and event.reply_id != self._transcript.reply_id

    def _set_status(self, status: Status) -> None:
        if status != self.status:
            self.status = status
            self._notify("status", None, [])
