"""Many ISO 8601 times of one form, read together: only their seconds are parsed, once each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_FORM = re.compile(r"[^.]{19}\.([0-9]{3}|[0-9]{6})(?![0-9])")
_SECOND = 19
"""Length of a time up to its second."""


def microseconds(times: Sequence[str | None], whole: Callable[[str], int | None]) -> list[int] | None:
    """Microseconds of times such as `2026-03-01T09:00:02.648629`, with or without an offset.

    Args:
        times: The times, at least one.
        whole: Microseconds of a time without fraction; None if it is none.

    Returns:
        None if they have not all the same form, or if one is no time: then each needs a look of its own.
    """
    texts = [text for text in times if text is not None]
    form = _FORM.match(texts[0]) if len(texts) == len(times) else None
    if form is None or set(map(len, texts)) != {len(texts[0])}:
        return None
    fractions = _fractions(texts, form.end())
    starts = _starts({text[:_SECOND] for text in texts}, texts[0][form.end() :], whole)
    if fractions is None or starts is None:
        return None
    scale = 10 ** (6 - len(fractions[0]))
    return [starts[text[:_SECOND]] + int(digits) * scale for text, digits in zip(texts, fractions, strict=True)]


def _fractions(texts: list[str], end: int) -> list[str] | None:
    """Their digits after the second; None if what stands there is anything else, or if what follows them differs."""
    fractions = [text[_SECOND + 1 : end] for text in texts]
    digits, dots, offsets = "".join(fractions), {text[_SECOND] for text in texts}, {text[end:] for text in texts}
    are_digits = digits.isascii() and digits.isdecimal()
    return fractions if are_digits and dots == {"."} and len(offsets) == 1 else None


def _starts(seconds: set[str], offset: str, whole: Callable[[str], int | None]) -> dict[str, int] | None:
    """Microseconds of these seconds; None if one is none."""
    starts = {second: whole(second + offset) if ends_in_seconds(second) else None for second in seconds}
    found = {second: start for second, start in starts.items() if start is not None}
    return found if len(found) == len(starts) else None


def ends_in_seconds(start: str) -> bool:
    """Whether the first 19 letters of a time are all that stands before its fraction; shorter forms are times, too."""
    return start[13::3] == "::"
