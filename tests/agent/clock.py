"""An event loop whose time jumps: no test sleeps, and the same steps always happen in the same order."""

import asyncio
import selectors
import threading


class JumpingLoop(asyncio.SelectorEventLoop):
    """When nothing is ready its clock jumps to the next timer; when there is none either, it stops.

    The threads of tools (`tool ...`) are waited for in real time, unless they said that they `nap`.
    """

    def __init__(self):
        self.now = 0.0
        self.napping = set()
        super().__init__(_JumpingSelector(self))

    def time(self):
        return self.now

    def settle(self):
        """Run until nothing more can happen by itself."""
        self.run_forever()

    def advance(self, seconds):
        """Run for so long; with 0 only what is ready now."""
        self.call_later(seconds, self.stop)
        self.run_forever()

    def do(self, action):
        """Call it on the running loop."""

        async def call():
            return action()

        return self.run_until_complete(call())

    def nap(self, seconds):
        """Sleep in the thread of a tool, by this loop's clock."""
        thread, awake = threading.current_thread(), threading.Event()

        def wake():
            self.napping.discard(thread)
            awake.set()

        def fall_asleep():
            self.napping.add(thread)
            self.call_later(seconds, wake)

        self.call_soon_threadsafe(fall_asleep)
        assert awake.wait(30)

    def end(self):
        """Let everything finish, and close."""
        self.settle()
        self.run_until_complete(self.shutdown_asyncgens())
        self.close()

    def busy(self):
        return any(thread.name.startswith("tool ") and thread not in self.napping for thread in threading.enumerate())


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self, loop):
        super().__init__()
        self._loop = loop

    def select(self, timeout=None):
        ready = super().select(0)
        while not ready and timeout != 0 and self._loop.busy():
            ready = super().select(0.001)
        if not ready and timeout is None:
            ready = super().select(0)  # what the last thread said when it ended
            if not ready:
                self._loop.stop()
        elif not ready and timeout:
            self._loop.now += timeout
        return ready
