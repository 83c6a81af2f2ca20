"""Foreign names in a chart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from nb_agentscope.analysis._words import is_wide, labels

ROOM = "\N{EN SPACE}"
"""Behind each letter that the font lacks and a page draws wide: so much more room it needs. No name has one of its own."""


def names(texts: Iterable[Any], limit: int) -> list[str]:
    """Each on one line, no two alike."""
    return [roomy(text) for text in labels(texts, limit)]


def lane_names(lanes: Iterable[tuple[Any, Any]], *, several: bool) -> list[str]:
    """Of agents and tools, with their run before them if there are several; no two alike."""
    pairs = [(_plain(run), _plain(lane)) for run, lane in lanes]
    room = 14 if several else 28
    short = [_short([pair[place] for pair in pairs], limit) for place, limit in ((0, 12), (1, room))]
    return [roomy(f"{short[0][run]}: {short[1][lane]}" if several else short[1][lane]) for run, lane in pairs]


def _short(texts: list[Any], limit: int) -> dict[Any, str]:
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, labels(distinct, limit), strict=True))


def _plain(text: Any) -> Any:
    """Gaps have many forms, and not all are equal to themselves."""
    return None if pd.isna(text) else text


def roomy(text: str) -> str:
    """The text with room for its wide letters; `inline_svg` takes it out again."""
    return text if text.isascii() else "".join(one + ROOM if is_wide(one) else one for one in text)
