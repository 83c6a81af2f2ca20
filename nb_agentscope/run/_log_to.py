"""The log of a run's own: in memory, a file, or a new file in a folder of logs."""

from __future__ import annotations

import os
import secrets
import unicodedata
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from nb_agentscope._settings import default_log_dir
from nb_agentscope.stream import EventLog, Media

LogTo = str | os.PathLike[str] | Literal[False] | None
"""Path of a file or a folder; False for none; None for what is configured."""

_MAX_NAME = 40
_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


class OwnLog:
    """Makes the log of one run.

    Args:
        name: The agent's name, for the file's.
        log_to: Where it goes. What ends in a separator and what is a folder is a folder, and gets a new file for this run.
        media: Where large media go; by default beside the logs of a folder, and inline into a file that was named.

    Raises:
        OSError: The file or folder that was asked for cannot be written; one that is only configured gives a warning instead.
        TypeError: `log_to` is of another kind.
    """

    def __init__(self, name: str, log_to: LogTo, media: Media | None) -> None:
        self._new: Path | None = None
        self.log = self._made(name, log_to, media)

    def _made(self, name: str, log_to: LogTo, media: Media | None) -> EventLog:
        if log_to is False:
            return EventLog()
        if log_to is None:
            return self._as_configured(name, media)
        if not isinstance(log_to, str | os.PathLike):
            raise TypeError(f"log_to must be a path, False or None, got {log_to!r}.")
        text = os.path.expanduser(os.fspath(log_to))  # noqa: PTH111 - Path's raises where there is no such home
        path = Path(text).absolute()  # what the log is found by later, wherever the process is then
        if text.endswith(_SEPARATORS) or path.is_dir():
            return self._in_folder(path, name, media)
        return EventLog(path, media=media or "inline")

    def _as_configured(self, name: str, media: Media | None) -> EventLog:
        folder = default_log_dir()
        if folder is None:
            return EventLog()
        try:
            return self._in_folder(folder, name, media)
        except OSError as error:  # set far away and long ago: no reason to refuse what this cell is about
            text = f"{error.strerror} The run goes on; run.log.save(path) keeps its log."
            warnings.warn(text, UserWarning, stacklevel=5)  # whoever makes the Run
            return EventLog()

    def _in_folder(self, folder: Path, name: str, media: Media | None) -> EventLog:
        try:
            self._new = new_file(folder, name)
            return EventLog(self._new, media=media or "files")
        except OSError as error:
            reason = "it is a file" if folder.is_file() else error.strerror or error
            why = f"The folder {str(folder)!r} cannot take the log of a run ({reason})."
            raise OSError(error.errno, why) from error

    def discard(self) -> None:
        """The run was refused: leave no empty file in a folder of logs."""
        self.log.close()
        if self._new is not None and not len(self.log):
            self._new.unlink(missing_ok=True)


def new_file(folder: Path, name: str) -> Path:
    """A new, empty file in `folder`, which is made if need be; names sort by time, and none is ever taken twice.

    Raises:
        OSError: That cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        path = folder / f"{stamp}-{_safe(name)}-{secrets.token_hex(3)}.jsonl"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path


def _safe(name: str) -> str:
    """Letters and digits of the name: nothing that leads to another folder, hides, or turns the reading direction."""
    words = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", name).lower()).split()
    return "-".join(words)[:_MAX_NAME].strip("-") or "agent"
