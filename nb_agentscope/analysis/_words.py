"""Numbers and foreign names as a reader wants them in a summary or a chart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import floor
from typing import Any
from unicodedata import east_asian_width

import pandas as pd

# What hides or reorders text or that no file can carry: controls, zero-width and bidi marks, odd spaces, surrogates, tags.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
MISSING = "\N{EN DASH}"
"""Stands where a value is not known."""


def label(text: Any, limit: int = 40) -> str:
    """A foreign name on one line of at most `limit` cells: what cannot be seen as `<U+202E>`, a gap as a dash, blanks quoted."""
    shown = _visible(text)
    return shown if cells(shown) <= limit else f"{_head(shown, limit - 1)}…"


def labels(texts: Iterable[Any], limit: int = 40) -> list[str]:
    """`label` of each, no two alike: names with the same beginning are cut in the middle, and those still alike numbered."""
    names = list(texts)
    shown = [label(name, limit) for name in names]
    times = Counter(shown)
    cut = [_ends(name, limit) if times[one] > 1 else one for name, one in zip(names, shown, strict=True)]
    made: list[str] = []
    for name in cut:
        new, number = name, 1
        while new in made:
            number += 1
            new = f"{label(name, limit - 4)} ({number})"
        made.append(new)
    return made


def _visible(text: Any) -> str:
    if pd.isna(text):
        return MISSING
    line = re.sub(r"[\t\n\r]+", " ", str(text))
    return _HIDDEN.sub(lambda match: f"<U+{ord(match.group()):04X}>", line) if line.strip() else f'"{line}"'


def _ends(text: Any, limit: int) -> str:
    shown = _visible(text)
    if cells(shown) <= limit:
        return shown
    tail = _head(shown[::-1], limit // 2)[::-1]
    return f"{_head(shown, limit - 1 - cells(tail))}…{tail}"


def is_wide(character: str) -> bool:
    """Whether it takes the room of two, as Chinese letters and emoji do."""
    return east_asian_width(character) in "WF"


def cells(text: str) -> int:
    """How wide a text is, in narrow letters."""
    return len(text) if text.isascii() else sum(1 + is_wide(character) for character in text)


def _head(text: str, limit: int) -> str:
    """As much of it as fits."""
    room = limit
    for place, character in enumerate(text):
        room -= 1 + is_wide(character)
        if room < 0:
            return text[:place]
    return text


def known(value: Any) -> bool:
    """Whether there is a value."""
    return not pd.isna(value)


def seconds(value: Any) -> str:
    """40 ms · 1.4 s · 12 s · 3 min 05 s · 2 h 10 min."""
    if not known(value):
        return MISSING
    if value < 0.9995:
        return f"{value * 1000:.0f} ms" if value >= 0.001 else "< 1 ms" if value else "0 s"
    if value < 9.95:
        return f"{value:.1f} s"
    whole = floor(value + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def count(value: Any) -> str:
    """1 204, with narrow spaces."""
    return f"{int(value):,}".replace(",", "\u202f") if known(value) else MISSING


def at_least(text: str, n_unknown: Any) -> str:
    """The text of a sum; with ≥ before it if something unknown is not in it."""
    return f"≥ {text}" if n_unknown and text != MISSING else text


def share(value: Any) -> str:
    """42 %."""
    if not known(value):
        return MISSING
    return f"{100 * value:.0f} %" if value >= 0.01 or value == 0 else "< 1 %"


def usd(value: Any) -> str:
    """$0.0042 · $0.020 · $1.20."""
    if not known(value):
        return MISSING
    return f"${value:.2f}" if value >= 0.1 or value == 0 else f"${value:#.2g}" if value >= 1e-4 else "< $0.0001"


def many(value: int, one: str, more: str | None = None) -> str:
    """1 reply, 2 replies."""
    return f"{count(value)} {one if value == 1 else more or one + 's'}"
