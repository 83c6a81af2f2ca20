"""Media beside a log: each payload once, in a file that is named by its hash."""

from __future__ import annotations

import hashlib
import os
import stat
import warnings
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nb_agentscope._common import first_problem

Media = Literal["inline", "files"]
FOLDER = "media"
"""Name of the folder with media, beside the logs that share it."""

# Kinds that a double click shows and does not run; everything else is `.bin`.
_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
}


class MediaReference(NamedTuple):
    """Where a payload stood in its event, and which file holds it."""

    at: tuple[str | int, ...]
    """Keys and positions that lead to the base64 text."""
    sha256: str
    """Of the bytes, as 64 hex digits."""
    size: int
    """Number of bytes."""
    ending: str
    """Of the file's name, with its dot."""

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.sha256 + self.ending


def checked_media(media: str) -> Media:
    """The argument, if it is one.

    Raises:
        ValueError: It is neither "inline" nor "files".
    """
    if media not in ("inline", "files"):
        raise ValueError(f'media must be "inline" or "files", got {media!r}.')
    return media  # type: ignore[return-value]  # mypy does not narrow by `in`


class _Written(BaseModel):
    """A reference as a log has it; with these patterns it cannot lead to another folder."""

    model_config = ConfigDict(strict=True)

    at: Annotated[list[str | int], Field(min_length=1)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size: int
    ending: Annotated[str, Field(pattern=r"^\.[a-z0-9]{1,4}$")]


def read_reference(raw: Any) -> MediaReference:
    """What a log says about a payload; logs may come from anyone, so nothing in it is trusted.

    Raises:
        ValueError: It is not of the form that we write; the text says so, without a full stop.
    """
    try:
        written = _Written.model_validate(raw)
    except ValidationError as error:
        raise ValueError(f"its reference to media has a bad value at {first_problem(error)}") from error
    return MediaReference(tuple(written.at), written.sha256, written.size, written.ending)


class MediaFolder:
    """The folder `media` beside a log."""

    def __init__(self, log: Path) -> None:
        self.path = log.absolute().parent / FOLDER  # the process may go to another folder meanwhile
        self._stored: set[str] = set()
        self._failed = False

    def store(self, data: bytes, media_type: str, at: tuple[str | int, ...]) -> MediaReference | None:
        """Keep the bytes, which are then with the operating system; None, with one warning, if the folder takes nothing."""
        ending = _ENDINGS.get(media_type, ".bin")
        reference = MediaReference(at, hashlib.sha256(data).hexdigest(), len(data), ending)
        if reference.name in self._stored:
            return reference
        try:
            if not self._holds(reference):
                self._write(reference.name, data)
        except OSError as error:
            self._complain(error)
            return None
        self._stored.add(reference.name)
        return reference

    def load(self, reference: MediaReference) -> bytes:
        """The bytes.

        Raises:
            ValueError: They are not there, or not those that were stored; the text says which, without a full stop.
        """
        path = self.path / reference.name
        try:
            about = path.lstat()
            if not stat.S_ISREG(about.st_mode):  # a link may lead anywhere, and a pipe never ends
                raise ValueError(f"{str(path)!r} is not a file")
            if about.st_size != reference.size:
                raise ValueError(f"{str(path)!r} has changed")
            data = path.read_bytes()
        except OSError as error:
            raise ValueError(f"{str(path)!r} cannot be read ({error.strerror})") from error
        if hashlib.sha256(data).hexdigest() != reference.sha256:
            raise ValueError(f"{str(path)!r} has changed")
        return data

    def _holds(self, reference: MediaReference) -> bool:
        try:
            self.load(reference)
        except ValueError:
            return False
        return True

    def _write(self, name: str, data: bytes) -> None:
        """The file appears under its name only when it is complete: another process may store the same."""
        self.path.mkdir(exist_ok=True)
        partial = self.path / f".{uuid4().hex}.partial"
        try:
            partial.write_bytes(data)
            os.replace(partial, self.path / name)  # noqa: PTH105 - the same in fewer words
        except OSError:
            partial.unlink(missing_ok=True)
            raise

    def _complain(self, error: OSError) -> None:
        if not self._failed:
            self._failed = True
            text = f"The folder {str(self.path)!r} cannot be written ({error.strerror}); media stay in the log itself."
            warnings.warn(text, UserWarning, stacklevel=2)
