"""One call of an agent's `reply_stream`, from its inputs to its end, its park, or its stop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Protocol

from nb_agentscope.event import CustomEvent
from nb_agentscope.run._wait import running_loop
from nb_agentscope.stream import listen

BREATHE_EVERY = 64
"""Events after which a stream that never waits lets others have the loop: stops, decisions, batches to the browser."""

_abandoned: set[asyncio.Task[None]] = set()


class Streams(Protocol):
    """What a Run needs of an agent."""

    def reply_stream(self, inputs: Any) -> AsyncIterator[Any]:
        """Yield the events of a reply to `inputs`."""


class Leg:
    """Pumps one stream into `receive`, in a task of its own."""

    def __init__(
        self, agent: Streams, inputs: Any, receive: Callable[[Any], None], tell: Callable[[CustomEvent], None]
    ) -> None:
        self._agent = agent
        self._inputs = inputs
        self._receive = receive
        self._tell = tell
        self._cancel_owed = False
        self._withheld = False
        self.late_events = 0
        """Events that came after the stream was given up; they are dropped."""
        self.abandoned = False
        self.interrupt: KeyboardInterrupt | None = None
        """What ended the stream, if someone pressed Interrupt while the agent's own code ran."""
        self.task = asyncio.get_running_loop().create_task(self._pump_safely())

    @property
    def error(self) -> BaseException | None:
        """What the stream raised; None while it runs, and for a cancellation."""
        if not self.task.done() or self.task.cancelled():
            return None
        return self.task.exception()

    def withhold(self) -> None:
        """Do not give the agent its inputs, if it has not got them yet."""
        self._withheld = True

    async def wind_down(self, grace_s: float) -> None:
        """Cancel the stream and wait for its own closing events; once more if it swallowed that; then give it up."""
        for patience_s in (grace_s, grace_s / 4):
            if self.task.done():
                return
            self.task.cancel()
            await asyncio.wait({self.task}, timeout=patience_s)
        if not self.task.done():
            self.abandon()

    def abandon(self) -> None:
        """Take nothing more from the stream; it is kept only to see how it ends."""
        if self.task.done():
            return
        self.abandoned = True
        _abandoned.add(self.task)
        self.task.add_done_callback(_forget)

    async def _pump_safely(self) -> None:
        """Pump. A task that let these exceptions through would end the whole event loop, and with it the notebook's kernel."""
        listen(self._told)
        try:
            await self._pump()
        except SystemExit as error:
            raise RuntimeError(f"The agent called sys.exit({error.code!r}).") from error
        except KeyboardInterrupt as error:
            self.interrupt = error
            raise RuntimeError("The agent's code was interrupted (KeyboardInterrupt).") from error

    async def _pump(self) -> None:
        if self._withheld:
            return
        stream: Any = self._agent.reply_stream(self._inputs)
        if inspect.isawaitable(stream):
            stream = await stream
        if not hasattr(stream, "__aiter__"):
            raise TypeError(f"reply_stream must return an async iterator of events, got {type(stream).__name__}.")
        try:
            await self._pull(stream)
        finally:
            if hasattr(stream, "aclose"):
                await stream.aclose()

    async def _pull(self, stream: Any) -> None:
        count = 0
        async for item in stream:
            if self.abandoned:
                self.late_events += 1
                return
            self._receive(item)
            count += 1
            if count % BREATHE_EVERY == 0:
                await self._breathe()

    def _told(self, event: CustomEvent) -> None:
        """A watched model was called; on any thread, and perhaps by what the agent left behind."""
        if self.abandoned:
            return
        loop = self.task.get_loop()
        if running_loop() is loop:
            self._tell(event)
            return
        with suppress(RuntimeError):  # the loop is closed, so the run is over; it may happen at any moment
            loop.call_soon_threadsafe(self._tell, event)

    async def _breathe(self) -> None:
        # A cancellation that hits this pause belongs to the stream: it alone can close its blocks. So it is sent once more, to
        # arrive where the stream waits next. If the stream did not wait until the next pause, it never does: end it here.
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            if self._cancel_owed:
                raise
            self._cancel_owed = True
            self.task.cancel()


def _forget(task: asyncio.Task[None]) -> None:
    _abandoned.discard(task)
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "A stream that was given up after a stop failed", "exception": error, "task": task}
        task.get_loop().call_exception_handler(context)
