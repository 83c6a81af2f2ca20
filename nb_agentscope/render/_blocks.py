"""One block of a message as static HTML; the markup is the live view's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import DataBlock, HintBlock, TextBlock, ThinkingBlock
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._data import data_html
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._icon import icon
from nb_agentscope.render._markdown import markdown
from nb_agentscope.render._placement import Placement
from nb_agentscope.render._visible import visible
from nb_agentscope.render._words import thinking_words
from nb_agentscope.stream import Lane


@dataclass(frozen=True)
class Scope:
    """What the HTML of a block depends on beside the block."""

    budget: Budget
    progress: Any
    ended: bool = True
    """The run is over, so nothing can go on."""
    placement: Placement = field(default_factory=Placement)
    """Where sub-agents stand."""
    lane: Lane | None = None
    """The sub-agent whose blocks these are; None: the run's own agent."""


def block_html(block: Any, scope: Scope) -> Html:
    """The HTML of a block that is no tool call and no result."""
    return _RENDERERS[block.type](block, scope)


def markdown_box(text: str, scope: Scope, cls: str) -> Html:
    """Text as markdown, cut to the budget."""
    shown, note = scope.budget.cut(text)
    return element("div", markdown(shown), note, cls=cls)


def _text(block: TextBlock, scope: Scope) -> Html:
    return markdown_box(block.text, scope, "nbas-md nbas-item")


def _thinking(block: ThinkingBlock, scope: Scope) -> Html:
    head = element(
        "summary", icon("chevron", "nbas-chevron"), element("span", thinking_words(block), cls="nbas-think-label")
    )
    body = element("div", markdown_box(block.thinking, scope, "nbas-md"), cls="nbas-body")
    return element("details", head, body, cls="nbas-item nbas-think", data_live="false")


def _hint(block: HintBlock, scope: Scope) -> Html:
    label, sublabel = _source(block.source)
    head = element(
        "summary",
        icon("info"),
        element("span", "Hint from ", element("bdi", visible(label), cls="nbas-name")),
        joined(" ", element("bdi", visible(sublabel), cls="nbas-dim")) if sublabel else None,
        icon("chevron", "nbas-chevron"),
    )
    parts = [TextBlock(text=block.hint)] if isinstance(block.hint, str) else block.hint
    shown = [
        data_html(part, scope.budget) if isinstance(part, DataBlock) else markdown_box(part.text, scope, "nbas-md")
        for part in parts
    ]
    return element("details", head, element("div", *shown, cls="nbas-body"), cls="nbas-item nbas-hint")


def _source(source: str | None) -> tuple[str, str]:
    """Label and sublabel: the source is a plain name, or JSON text with both."""
    if source is not None and source.startswith("{"):
        try:
            value = json.loads(source)
        except ValueError:
            value = {}  # a name that happens to begin with a brace
        if isinstance(value.get("label"), str):
            return value["label"], str(value.get("sublabel") or "")
    return source or "the system", ""


def _data(block: DataBlock, scope: Scope) -> Html:
    return data_html(block, scope.budget)


_RENDERERS: dict[str, Callable[[Any, Scope], Html]] = {
    "text": _text,
    "thinking": _thinking,
    "hint": _hint,
    "data": _data,
}
