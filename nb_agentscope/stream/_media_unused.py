"""Media that no log beside them mentions any more."""

from __future__ import annotations

import os
import re
from pathlib import Path

from nb_agentscope.stream._media import FOLDER

_HASH = re.compile(rb"[0-9a-f]{64}")


def unused_media(folder: str | os.PathLike[str]) -> list[Path]:
    """Files in `folder/media` that no log in `folder` refers to, say because the logs were deleted. Nothing is removed here.

    Whatever looks like the hash of a file counts as a reference to it, in any file of the folder, also in a broken one. Ask while
    no run is being logged there, as a payload is stored before the line that names it:

        for path in unused_media("runs/"):
            path.unlink()

    Args:
        folder: A folder with logs.

    Raises:
        OSError: The folder, or a file in it, cannot be read.
    """
    logs = [path for path in Path(folder).iterdir() if path.is_file()]
    media = Path(folder, FOLDER)
    stored = [path for path in sorted(media.iterdir()) if _is_ours(path)] if media.is_dir() else []
    mentioned = {hash for log in logs for hash in _hashes(log)} if stored else set()
    return [path for path in stored if path.stem.encode() not in mentioned]


def _is_ours(path: Path) -> bool:
    """Whether it is named as a payload is; what somebody else put there is none of our business."""
    return path.is_file() and not path.is_symlink() and _HASH.fullmatch(os.fsencode(path.stem)) is not None


def _hashes(log: Path) -> set[bytes]:
    with log.open("rb") as file:
        return {hash for line in file for hash in _HASH.findall(line)}
