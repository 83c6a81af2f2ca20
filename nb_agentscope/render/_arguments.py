"""Arguments of a call as key and value, exactly as they stand in the JSON text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from nb_agentscope.render._budget import Budget
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._visible import visible


@dataclass(frozen=True)
class _Literal:
    """A number, true, false or null as it was written."""

    text: str


class _Object(list[tuple[str, Any]]):
    """Keys and values in order, duplicates kept."""


_MAX_DEPTH = 40
"""As in the live view; what is nested deeper is shown as its text, or it would end who renders it."""


def _read(text: str) -> Any:
    """The value of JSON text; a str where it is no JSON at all, or nested too deeply."""
    try:
        value = json.loads(
            text, object_pairs_hook=_Object, parse_int=_Literal, parse_float=_Literal, parse_constant=_Literal
        )
    except (ValueError, RecursionError):
        return text
    return text if _is_deeper(value, _MAX_DEPTH) else value


def _is_deeper(value: Any, depth: int) -> bool:
    if not isinstance(value, list):
        return False
    items = [item for _, item in value] if isinstance(value, _Object) else value
    return depth < 0 or any(_is_deeper(item, depth - 1) for item in items)


def arguments(text: str, budget: Budget) -> Html:
    """What ran, key by key; the raw text where it is no JSON object."""
    value = _read(text)
    if not text.strip() or (isinstance(value, _Object) and not value):
        return element("p", "no arguments", cls="nbas-none")
    return _list(value, budget) if isinstance(value, _Object) else _text(text, budget)


def _list(entries: _Object, budget: Budget) -> Html:
    rows = [joined(element("dt", visible(key)), element("dd", _value(value, budget))) for key, value in entries]
    return element("dl", *rows, cls="nbas-args")


def _value(value: Any, budget: Budget) -> Html:
    if isinstance(value, _Object) and value:
        return _list(value, budget)
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        return _list(_Object((str(index), item) for index, item in enumerate(value)), budget)
    if isinstance(value, str):
        return _text(value, budget, string=True)
    return element("span", visible(_source(value)), cls="nbas-value-line nbas-literal")


def _text(text: str, budget: Budget, *, string: bool = False) -> Html:
    shown, note = budget.cut(text)
    if "\n" in text or len(text) > 200:
        return joined(element("pre", visible(shown), cls="nbas-value-block"), note)
    return joined(
        element("span", visible(shown), cls="nbas-value-line nbas-string" if string else "nbas-value-line"), note
    )


def _source(value: Any) -> str:
    """A value as one line of JSON."""
    if isinstance(value, _Literal):
        return value.text
    if isinstance(value, _Object):
        return "{" + ", ".join(f"{key}: {_source(item)}" for key, item in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_source, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def summary(text: str) -> str:
    """One line for the head of a card: the first scalar arguments."""
    value = _read(text)
    if not isinstance(value, _Object):
        return " ".join(text[:500].split())[:120]
    scalars = [item for _, item in value if not isinstance(item, list)][:3]
    words = [" ".join(item.split())[:80] if isinstance(item, str) else _source(item) for item in scalars]
    return " · ".join(filter(None, words)) or ", ".join(key for key, _ in value)[:120]
