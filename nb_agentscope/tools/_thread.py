"""Items that are made in a thread and read on the event loop, one bounded handful at a time."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from nb_agentscope.tools._errors import in_words

AHEAD = 8
"""Items that a thread may be ahead of its reader: a generator without end must not fill the memory."""

_logger = logging.getLogger(__name__)
_END = object()
T = TypeVar("T")


async def in_thread(make: Callable[[], Generator[T]], name: str) -> AsyncGenerator[T]:
    """The items of a generator that is made, pulled and closed in a thread of its own.

    Who stops reading returns at once: a thread cannot be stopped, so it is left alone. It pulls nothing more, what it still gives
    is dropped, and as a daemon it does not keep the interpreter from exiting.

    Args:
        make: Makes the generator; it sees the caller's context variables.
        name: Of the thread.
    """
    handoff = _Handoff(asyncio.get_running_loop())
    thread = threading.Thread(target=copy_context().run, args=(handoff.feed, make), name=name, daemon=True)
    thread.start()
    try:
        while (item := await handoff.take()) is not _END:
            yield item
    finally:
        handoff.close()


@dataclass(frozen=True)
class _Raised:
    error: Exception


class _Handoff:
    """What goes from the thread to the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._items: asyncio.Queue[Any] = asyncio.Queue()
        self._room = threading.Semaphore(AHEAD)
        self._closed = False

    async def take(self) -> Any:
        item = await self._items.get()
        self._room.release()
        if isinstance(item, _Raised):
            raise item.error
        return item

    def close(self) -> None:
        self._closed = True
        self._room.release()

    def feed(self, make: Callable[[], Generator[Any]]) -> None:
        """Pull in this thread, as long as there is room and someone reads."""
        try:
            with closing(make()) as items:
                while self._has_room():
                    item = next(items, _END)
                    self._put(item)
                    if item is _END:
                        return
        except BaseException as error:  # noqa: BLE001 - the reader gets it, as something that does not end it
            self._put(_Raised(error if isinstance(error, Exception) else in_words(error)))

    def _has_room(self) -> bool:
        self._room.acquire()
        return not self._closed

    def _put(self, item: Any) -> None:
        if not self._closed:
            try:
                self._loop.call_soon_threadsafe(self._items.put_nowait, item)
            except RuntimeError:  # the loop is closed, so nobody reads any more
                self._closed = True
        if self._closed and isinstance(item, _Raised):
            _logger.debug("A tool that was left alone failed.", exc_info=item.error)
