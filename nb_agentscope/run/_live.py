"""One live run per agent."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from nb_agentscope.run._run import Run

OnRerun = Literal["stop", "keep"]

# By the id of the agent object, which need not be hashable. A live run holds its agent, so the id cannot be another object's.
_live: weakref.WeakValueDictionary[int, Run] = weakref.WeakValueDictionary()
_lock = threading.Lock()


class AlreadyRunningError(RuntimeError):
    """The agent has a live run."""


def live_run(agent: object) -> Run | None:
    """The run that the agent is busy with, if any."""
    with _lock:
        run = _live.get(id(agent))
    return None if run is None or run.done else run


def claim(agent: object, run: Run, cell: str | None, on_rerun: OnRerun) -> Run | None:
    """Make `run` the agent's live run.

    Returns:
        The run of the same cell that it replaces and that must end first; None if the agent was free.

    Raises:
        AlreadyRunningError: The agent is busy with a run from elsewhere, or `on_rerun` is "keep".
    """
    with _lock:
        other = _live.get(id(agent))
        if other is not None and other.done:
            other = None
        if other is not None and (cell is None or other.cell != cell or on_rerun == "keep"):
            raise AlreadyRunningError(_busy(other))
        _live[id(agent)] = run
    return other


def release(agent: object, run: Run) -> None:
    """`run` has ended."""
    with _lock:
        if _live.get(id(agent)) is run:
            del _live[id(agent)]


def _busy(other: Run) -> str:
    waiting = ", ".join(call.name for call in other.pending)
    if waiting:
        return f"{other.name!r} waits for an answer on {waiting}: give it or stop that run with .stop(), then start the next."
    return (
        f"{other.name!r} is still running: stop that run with .stop() or wait for it with `await`, then start the next."
    )
