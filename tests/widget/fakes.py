"""A run, a loop and a comm that a test can turn by hand."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
from collections.abc import Callable
from typing import Any

from nb_agentscope.event import AgentEvent
from nb_agentscope.stream import EventLog, View


class FakeRun:
    """The reading interface of a Run over a log that the test writes; records what it is asked to do."""

    def __init__(self) -> None:
        self.log = EventLog()
        self.status = "running"
        self.pending: list[Any] = []
        self.error: BaseException | None = None
        self.frontend_seen = False
        self.elapsed_s = 1.5
        self.calls: list[tuple[Any, ...]] = []
        self.refuse: Exception | None = None
        self._view = View()
        self._callbacks: list[Callable[..., None]] = []

    @property
    def msgs(self) -> list[Any]:
        return self._view.msgs

    @property
    def msg(self) -> Any:
        return self._view.msg

    @property
    def lanes(self) -> Any:
        return self._view.lanes

    @property
    def progress(self) -> Any:
        return self._view.progress

    def subscribe(self, callback: Callable[..., None]) -> Callable[[], None]:
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def emit(self, *events: AgentEvent, **options: Any) -> None:
        for event in events:
            record = self.log.append(event, **options)
            assert record is not None
            tidied = self._view.follow(record)
            for callback in list(self._callbacks):
                callback("record", record, tidied)

    def become(self, status: str) -> None:
        self.status = status
        for callback in list(self._callbacks):
            callback("status", None, ())

    def _do(self, *call: Any, **options: Any) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.calls.append((*call, options))

    def approve(self, tool_call_id: Any, **options: Any) -> None:
        self._do("approve", tool_call_id, **options)

    def deny(self, tool_call_id: Any, **options: Any) -> None:
        self._do("deny", tool_call_id, **options)

    def submit_result(self, tool_call_id: Any, output: Any, **options: Any) -> None:
        self._do("submit_result", tool_call_id, output, **options)

    def stop(self, **options: Any) -> None:
        self._do("stop", **options)


class FakeLoop:
    """A loop with a simulated clock: `advance(seconds)` fires what is due."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[tuple[float, int, asyncio.Handle]] = []
        self._count = 0

    def time(self) -> float:
        return self.now

    def is_closed(self) -> bool:
        return False

    def call_at(self, when: float, callback: Callable[..., Any], *args: Any, context: Any = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context or contextvars.copy_context())  # type: ignore[arg-type]
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, handle))
        return handle

    def call_later(self, delay: float, callback: Callable[..., Any], *args: Any, context: Any = None) -> asyncio.Handle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    call_soon_threadsafe = None

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        raise context["exception"]

    def advance(self, seconds: float) -> None:
        end = self.now + seconds
        while self._timers and self._timers[0][0] <= end + 1e-12:
            when, _, handle = heapq.heappop(self._timers)
            self.now = max(self.now, when)
            if not handle.cancelled():
                handle._run()
        self.now = end


class Wire:
    """What left the kernel for the browser."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.buffers: list[list[bytes]] = []
        self.traits: dict[str, Any] = {}

    def of(self, type: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == type]


async def until(condition: Callable[[], Any]) -> None:
    """Wait for what arrives at a comm; the limit only ends a test that has failed."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what arrives at a comm sets no event
            await asyncio.sleep(0.005)
