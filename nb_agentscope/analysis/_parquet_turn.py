"""One call at a time writes into a folder of datasets, and what it wrote takes its place when all of it is complete."""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# Beside the tables, not in them: no engine that reads a table sees them.
_LOCK, _WRITING, _READY = ".lock", ".writing", ".ready"


@contextmanager
def turn(dir: Path) -> Iterator[Path]:
    """Wait until no other call writes into `dir`, then give a folder to write `TABLE/PART` into.

    If the block ends well, each part takes its place in `dir`; if it raises, nothing in `dir` has changed. What a killed process
    left is put in order first: parts that were complete take their places, others are dropped.

    Raises:
        OSError: A file cannot be written or replaced. What was complete by then takes its place at the next call.
    """
    dir.mkdir(parents=True, exist_ok=True)
    with (dir / _LOCK).open("ab") as lock:
        _wait_for(lock)
        _finish(dir)
        writing = dir / _WRITING
        writing.mkdir()
        try:
            yield writing
        except BaseException:
            shutil.rmtree(writing)
            raise
        writing.rename(dir / _READY)  # from here on, all of it is to be there, be it by the next call
        _finish(dir)


def _finish(dir: Path) -> None:
    if (dir / _WRITING).is_dir():
        shutil.rmtree(dir / _WRITING)
    ready = dir / _READY
    if not ready.is_dir():
        return
    for folder in sorted(ready.iterdir()):
        (dir / folder.name).mkdir(exist_ok=True)
        for part in sorted(folder.iterdir()):
            part.replace(dir / folder.name / part.name)
    shutil.rmtree(ready)


def _wait_for(lock: BinaryIO) -> None:
    """The system gives the lock back when the file is closed, also by the end of the process."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)
        return
    import msvcrt

    while True:
        try:
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
        except OSError as error:
            if error.errno != errno.EDEADLK:  # that it has waited for ten seconds
                raise
        else:
            return
