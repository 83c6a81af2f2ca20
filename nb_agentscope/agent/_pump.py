"""Several async iterators at once, each in a task of its own, as one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")

MAX_WAITING = 64
"""Items that may wait for the reader before the writers have to."""

_abandoned: set[asyncio.Task[None]] = set()


class Pump(Generic[T]):
    """The items of several streams in the order of their arrival.

    The reader waits for a future of ours and never inside foreign code. So a cancellation reaches the reader even where a model
    or a tool swallows it or hangs: `stop` cancels the streams, and gives up those that do not end in time.

    Args:
        streams: What to read; they are closed at the end.
        limit: How many of them run at a time.
        grace_s: Seconds that a stream has to end after `stop`.
        names: Whose streams they are, as a sentence about them begins: `The model 'm'`.
    """

    def __init__(
        self, streams: Sequence[AsyncIterator[T]], *, limit: int = 1, grace_s: float = 0.5, names: Sequence[str] = ()
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._items: deque[T] = deque()
        self._failures: list[BaseException] = []
        self._arrival: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._slots = asyncio.Semaphore(limit)
        self._grace_s = grace_s
        self._stopping = False
        self._closed = False
        self._tasks = [
            asyncio.ensure_future(self._feed(stream, name))
            for stream, name in zip(streams, names or ["It"] * len(streams), strict=True)
        ]
        self._running = len(self._tasks)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        if not self._items:
            await asyncio.sleep(0)  # a stream that is quick has its next item then, which spares both sides a future
        while not self._items:
            if not self._running:
                raise self._failure() or StopAsyncIteration
            self._arrival = self._loop.create_future()
            try:
                await self._arrival
            finally:
                self._arrival = None
        item = self._items.popleft()
        if not self._items:
            self._room.set()
        return item

    async def stop(self) -> list[T]:
        """Cancel the streams, wait for them a little, and give what they still said. Only the first stop does anything."""
        if self._closed:
            return []
        self._stopping = True
        self._room.set()
        live = [task for task in self._tasks if not task.done()]
        for task in live:
            task.cancel()
        try:
            if live:
                await asyncio.wait(live, timeout=self._grace_s)
        finally:
            self._closed = True
            for task in live:
                if not task.done():
                    _abandoned.add(task)
                    task.add_done_callback(_forget)
        rest = list(self._items)
        self._items.clear()
        return rest

    async def _feed(self, stream: AsyncIterator[T], name: str) -> None:
        try:
            async with self._slots:
                await self._read(stream)
        except asyncio.CancelledError as error:
            if not self._stopping:
                self._failures.append(_seen(error, name))
        except BaseException as error:  # noqa: BLE001 - raised where it is read; here it would end the event loop
            self._failed(error)
        finally:
            self._running -= 1
            self._wake()

    async def _read(self, stream: AsyncIterator[T]) -> None:
        try:
            async for item in stream:
                if self._closed:
                    return
                self._items.append(item)
                if self._arrival is not None:
                    self._wake()
                if len(self._items) >= MAX_WAITING and not self._stopping:
                    self._room.clear()
                    await self._room.wait()
        finally:
            await _close(stream)

    def _failed(self, error: BaseException) -> None:
        if self._closed:
            raise error
        self._failures.append(error)

    def _failure(self) -> BaseException | None:
        """What the streams raised; several at once as a group."""
        failures, self._failures = self._failures, []
        if len(failures) > 1:
            return BaseExceptionGroup("Several tools failed in ways that are no result", failures)
        return failures[0] if failures else None

    def _wake(self) -> None:
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)


def _seen(error: asyncio.CancelledError, name: str) -> BaseException:
    """A cancellation that came without a stop of ours.

    If nobody cancelled the task (as someone who ends all tasks does), what the stream waited for was cancelled: that is a failure
    like any other, and no reason to interrupt who reads.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        return error
    failure = RuntimeError(f"{name} waited for something that was cancelled.")
    failure.__cause__ = error
    return failure


async def _close(stream: Any) -> None:
    if hasattr(stream, "aclose"):
        await stream.aclose()


def _forget(task: asyncio.Task[None]) -> None:
    _abandoned.discard(task)
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "What was given up after a stop failed later", "exception": error, "task": task}
        task.get_loop().call_exception_handler(context)
