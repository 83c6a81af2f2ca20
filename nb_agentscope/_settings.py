"""Settings of the process, for runs that say nothing themselves: where logs go."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final, Literal

LOG_DIR_VARIABLE = "NB_AGENTSCOPE_LOG_DIR"
"""Environment variable with the folder of logs."""

_UNCHANGED: Final = object()
_log_dir: Path | Literal[False] | None = None


def configure(*, log_dir: str | os.PathLike[str] | Literal[False] | object | None = _UNCHANGED) -> None:
    """Set what holds for all runs that begin from now on in this process; what is not given stays as it is.

    An argument of a run (`log_to=`) beats this, and this beats the environment variable `NB_AGENTSCOPE_LOG_DIR`. Nothing is
    made or checked before a run begins.

    Args:
        log_dir: Folder in which each run writes a log of its own; a relative one is meant from the current folder. False: no
            logs, whatever the environment says. None: what the environment says.

    Raises:
        TypeError: `log_dir` is of another kind.
        ValueError: `log_dir` is empty.
    """
    global _log_dir  # noqa: PLW0603 - one setting per process is the contract
    if log_dir is _UNCHANGED:
        return
    if log_dir is None or log_dir is False:
        _log_dir = log_dir
    elif isinstance(log_dir, str | os.PathLike):
        _log_dir = _absolute(os.fspath(log_dir))
    else:
        raise TypeError(f"log_dir must be the path of a folder, False or None, got {log_dir!r}.")


def default_log_dir() -> Path | None:
    """The folder for the logs of runs that name none; None: they stay in memory."""
    if _log_dir is not None:
        return _log_dir or None
    given = os.environ.get(LOG_DIR_VARIABLE)
    return _from_environment(given) if given else None


@cache
def _from_environment(given: str) -> Path:
    """A relative folder is meant from where the first run began, so that the logs of a process stay together."""
    return _absolute(given)


def _absolute(folder: str) -> Path:
    """From where we are now: a notebook may change its folder between two runs."""
    if not folder:
        raise ValueError("log_dir must name a folder, got an empty path; False means no logs.")
    return Path(os.path.expanduser(folder)).absolute()  # noqa: PTH111 - Path's raises where there is no such home
