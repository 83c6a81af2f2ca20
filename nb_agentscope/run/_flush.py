"""A log on disk that keeps up with what is shown."""

from __future__ import annotations

import asyncio
import warnings

from nb_agentscope.run._wait import running_loop
from nb_agentscope.stream import EventLog

FLUSH_S = 1 / 30
"""Longest time that a record stays in memory only; about what a view needs to show it."""


class Flusher:
    """Hands what was logged to the operating system soon after, so that a killed process leaves what it had shown.

    A disk that fails is told once, as a warning; the run goes on with the log in memory.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._handle: asyncio.TimerHandle | None = None
        self._failed = False

    def touch(self) -> None:
        """Something was logged."""
        if self._log.path is None or self._handle is not None:
            return
        loop = running_loop()
        if loop is None:
            self.now()
        else:
            self._handle = loop.call_later(FLUSH_S, self.now)

    def now(self, *, close: bool = False) -> None:
        """Flush; with `close`, also end the log."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        try:
            if close:
                self._log.close()
            elif not self._log.closed:
                self._log.flush()
        except OSError as error:
            self.failed(error)

    def failed(self, error: OSError) -> None:
        """The disk refused."""
        if not self._failed:
            self._failed = True
            text = f"The log {str(self._log.path)!r} cannot be written ({error})."
            warnings.warn(f"{text} The run goes on; log.save(path) keeps it elsewhere.", UserWarning, stacklevel=2)
