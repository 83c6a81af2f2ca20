"""Wake any number of waiting coroutines, from any thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Wakeup:
    """A condition without a lock: readers wait until something may have changed, then look for themselves."""

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[None]] = []
        """Who waits now."""

    async def wait_unless(self, ready: Callable[[], bool]) -> None:
        """Return at once if `ready()`, else at the next `wake`."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(future)
        # Only now look: a change between looking and registering would be missed.
        if ready():
            self._forget(future)
            return
        try:
            await future
        finally:
            self._forget(future)

    def wake(self) -> None:
        """Wake all who wait; costs nothing while no one does."""
        if self.waiting:
            waiting, self.waiting = self.waiting, []
            for future in waiting:
                loop = future.get_loop()
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_resolve, future)

    def _forget(self, future: asyncio.Future[None]) -> None:
        if future in self.waiting:
            self.waiting.remove(future)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
