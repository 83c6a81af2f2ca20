"""What a path argument may mean: every place that a tool could take it for."""

from __future__ import annotations

import os
import unicodedata
from pathlib import PurePath


def paths_of(value: object) -> list[str] | None:
    """The paths in an argument: one, or a list of them; None if it holds anything else."""
    items = value if isinstance(value, list | tuple) else [value]
    paths = [str(item) for item in items if isinstance(item, str | PurePath)]
    return paths if len(paths) == len(items) else None


def is_clear(path: str) -> bool:
    """Whether every tool reads this text alike: not empty, no blanks to strip, no control characters."""
    return path == path.strip() != "" and path.isprintable()


def start(root: str | None) -> str:
    """The folder that relative paths start in."""
    return os.path.abspath(os.path.expanduser(root or "."))  # noqa: PTH100, PTH111 - as text: pathlib drops `..` and `./~`


def expand(path: str) -> str:
    """The path with a leading `~` or `~user` replaced by the home folder."""
    return os.path.expanduser(path)  # noqa: PTH111 - as above


def lexical(path: str, root: str) -> str:
    """The absolute path with `.`, `..` and double slashes removed, links not followed."""
    return _slashes(os.path.normpath(os.path.join(root, path)))  # noqa: PTH118 - as above


def real(path: str, root: str) -> str | None:
    """The absolute path with all links followed, whether the file exists or not; None if no file can have this name."""
    try:
        return _slashes(os.path.realpath(os.path.join(root, path)))  # noqa: PTH118 - as above
    except (OSError, ValueError):  # a NUL, a lone surrogate
        return None


def is_inside(path: str, folder: str) -> bool:
    """Whether the path is beneath the folder, both absolute; the folder itself is not."""
    return path.startswith(folder.rstrip("/") + "/") and path != folder


def folded(text: str) -> str:
    """The text as a forgiving file system compares names: case, composition and invisible characters do not count."""
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", visible).casefold())


def _slashes(path: str) -> str:
    path = path.replace(os.sep, "/")
    return "/" + path.lstrip("/") if os.sep == "/" else path
