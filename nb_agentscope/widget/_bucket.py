"""One token bucket for the whole kernel: the Jupyter server drops messages silently above its limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class TokenBucket:
    """Lets at most `burst + rate` messages through in any second, first come, first served; thread-safe.

    Args:
        rate: Tokens per second.
        burst: Tokens that are there after a pause.
        clock: Seconds of a monotonic clock.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._at = clock()
        self._lock = threading.Lock()

    def reserve(self) -> float:
        """Take one token, and return the seconds until it may be used (0.0: now).

        A token can be taken before it is there, so that those who wait stand in line instead of racing for the next one.
        """
        with self._lock:
            now = self._clock()
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
            self._at = now
            self._tokens -= 1
            return max(0.0, -self._tokens / self._rate)


KERNEL_BUCKET = TokenBucket(rate=160, burst=40)
"""For all runs of this process together: 200 messages in any second; the server's limit is 1000, counted over 3 seconds."""
