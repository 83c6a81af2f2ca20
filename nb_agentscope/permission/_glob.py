"""Path patterns like `src/**`."""

from __future__ import annotations


def match_glob(pattern: str, path: object, *, root: str | None = None, loose: bool = False) -> bool:
    """Whether a path is what a pattern names.

    Args:
        pattern: The rule's content.
        path: The argument of the call; what is neither a str, a path nor a list of them is no path.
        root: The folder that relative paths and patterns start in; None is the current one.
        loose: False for allow rules, True for deny and ask rules.
    """
    raise NotImplementedError
