"""Waiting for something that another process does."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(get: Callable[[], T], what: str, *, timeout_s: float = 30.0) -> T:
    """Ask `get` until it answers something true, and return that.

    Raises:
        TimeoutError: With `what` was expected and the last answer, after `timeout_s` seconds.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        answer = get()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"Not within {timeout_s} s: {what}; last seen: {answer!r}")
        time.sleep(0.03)
