"""Command patterns like `git commit:*`."""

from __future__ import annotations


def match_prefix(pattern: str, command: object, *, loose: bool = False) -> bool:
    """Whether a shell command is what a pattern names.

    Args:
        pattern: The rule's content.
        command: The argument of the call; what is no str is no command.
        loose: False for allow rules, True for deny and ask rules.
    """
    raise NotImplementedError
