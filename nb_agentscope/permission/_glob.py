"""Path patterns like `src/**`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from nb_agentscope.permission._path import expand, folded, is_clear, lexical, paths_of, real, start

_MAGIC = frozenset("*?[")


def match_glob(pattern: str, path: object, *, root: str | None = None, loose: bool = False) -> bool:
    """Whether a path is what a pattern names.

    `*`, `?` and `[...]` stand for parts of one name, `**` for any number of folders; `src/**` is all that is beneath
    `src`. Relative patterns and paths start in `root`, a leading `~` is the home folder.

    Narrow (for allow rules): the file that the path leads to once links and `..` are followed must fit; a path with
    blanks at its ends or control characters fits nothing, and a path with a leading `~` must fit with and without
    its meaning. Of a list every path must fit.

    Loose (for deny and ask rules): one spelling of one path suffices: as written, or with links followed, in any
    case; `*` crosses folders, a folder stands for all that is in it, and a relative pattern fits at any depth.

    Args:
        pattern: The rule's content.
        path: The argument of the call: a str, a path, or a list of them. None never fits, anything else fits loosely.
        root: The folder that relative paths and patterns start in; None is the current one.
        loose: False for allow rules, True for deny and ask rules.
    """
    paths = paths_of(path)
    if paths is None:
        return loose and path is not None
    base = start(root)
    if loose:
        return any(_touches(pattern, each, base) for each in paths)
    return bool(paths) and all(_within(pattern, each, base) for each in paths)


def _within(pattern: str, path: str, root: str) -> bool:
    if not is_clear(path):
        return False
    if not _leads_to(_anchored(expand(pattern), root), expand(path), root):
        return False
    # The tool may know no `~`: then it is a folder of that name, and must not be a link to elsewhere.
    return not path.startswith("~") or _leads_to(f"{real('.', root)}/{pattern}", f"./{path}", root)


def _leads_to(anchored: str | None, path: str, root: str) -> bool:
    target = real(path, root)
    return target is not None and anchored is not None and _fits(anchored.split("/"), target.split("/"))


def _anchored(pattern: str, root: str) -> str | None:
    """The absolute pattern, its leading folders without wildcards resolved; the last name is taken as it stands."""
    parts = pattern.rstrip("/").split("/")
    fixed = next((i for i, part in enumerate(parts) if _MAGIC & set(part)), len(parts) - 1)
    head, tail = "/".join(parts[:fixed]), parts[fixed:]
    folder = real(f"{head}/" if head or pattern.startswith("/") else ".", root)
    names = [part for part in tail if part not in ("", ".")]
    return None if folder is None else "/".join([folder.rstrip("/"), *names])


def _touches(pattern: str, path: str, root: str) -> bool:
    patterns = {each for written in (pattern, expand(pattern)) for each in _pattern_spellings(written, root)}
    paths = {each for written in (path, path.strip()) for each in _path_spellings(written, root)}
    return any(_fits_loosely(fold(each), fold(there)) for fold in (str, folded) for each in patterns for there in paths)


def _pattern_spellings(pattern: str, root: str) -> Iterator[str]:
    yield lexical(pattern, root)
    yield _anchored(pattern, root) or pattern
    if not pattern.startswith(("/", "~", "./", "../")):
        yield f"**/{pattern}"


def _path_spellings(path: str, root: str) -> Iterator[str]:
    for written in (path, expand(path)):
        yield written
        yield lexical(written, root)
        yield real(written, root) or written


def _fits_loosely(pattern: str, path: str) -> bool:
    pattern = pattern.removesuffix("/**").rstrip("/")
    names = path.split("/")
    beneath = pattern.split("/")
    crossing = fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")
    return crossing or _fits(beneath, names) or _fits([*beneath, "**"], names)


def _fits(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Name by name; all places in the pattern where a match can stand are followed at once, so time is linear."""
    if pattern[-1] == "**":
        pattern = [*pattern, "?*"]  # at least one name
    places = _skipped({0}, pattern)
    for name in names:
        places = _skipped({after for place in places for after in _next(place, pattern, name)}, pattern)
    return len(pattern) in places


def _next(place: int, pattern: Sequence[str], name: str) -> Iterator[int]:
    if place == len(pattern):
        return
    if pattern[place] == "**":
        yield place
    elif fnmatchcase(name, pattern[place]):
        yield place + 1


def _skipped(places: set[int], pattern: Sequence[str]) -> set[int]:
    """Also the places behind each `**`, which may stand for nothing."""
    for place in range(len(pattern)):
        if place in places and pattern[place] == "**":
            places.add(place + 1)
    return places
