"""What an agent said, item by item, and inside its calls what sub-agents said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from nb_agentscope.message import DataBlock, ErrorInfo, Msg, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._blocks import Scope, block_html
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._data import data_html
from nb_agentscope.render._element import Html, element, joined, unstyled
from nb_agentscope.render._icon import icon
from nb_agentscope.render._placement import ARROW, Placed
from nb_agentscope.render._tool import tool_html
from nb_agentscope.render._visible import visible, visible_text
from nb_agentscope.render._words import ERRORS, empty_words, lane_phase, plural

LEAST_CHARACTERS = 160
"""Of one text, where there is little room."""
_FEW_NOTES = 3


def items_html(msgs: Sequence[Msg], scope: Scope, newest: int | None = None) -> Iterator[Html]:
    """What was asked, what was said, and the notes on it; of the blocks only the `newest`, if a number is given."""
    skip = 0 if newest is None else max(0, sum(len(msg.content) for msg in msgs) - newest)
    if skip:
        yield element("p", f"… {plural(skip, 'earlier block')} in the log", cls="nbas-item nbas-dim")
    else:
        yield from (_asked(Msg.model_validate(raw), scope) for raw in scope.progress.inputs)
    for msg in msgs:
        yield from _reply(msg, scope, skip)
        skip = max(0, skip - len(msg.content))
    if scope.progress.notes:
        yield _notes(scope)


def lanes_html(placed: Sequence[Placed], scope: Scope, *, whole_path: bool = False) -> list[Html]:
    """Sub-agents as groups, each with its own transcript inside.

    Args:
        placed: The sub-agents of one place.
        scope: That of the place.
        whole_path: Whether the title is the path; inside a call the name is enough.
    """
    most = scope.budget.lanes
    shown = placed if most is None or len(placed) <= most else placed[len(placed) - most :]
    left_out = len(placed) - len(shown)
    note = element("p", f"… {plural(left_out, 'earlier sub-agent')} in the log", cls="nbas-item nbas-dim")
    return [*([note] if left_out else []), *(_lane(one, scope, whole_path=whole_path) for one in shown)]


def _lane(placed: Placed, scope: Scope, *, whole_path: bool) -> Html:
    view, names = placed.view, placed.names
    state = lane_phase(view.msgs[-1] if view.msgs else None, ended=scope.ended)
    spoken = visible_text(placed.path)
    path = [
        joined(element("bdi", visible(name), cls="nbas-step"), element("span", ARROW, cls="nbas-sep")) for name in names
    ]
    title = joined(*(path[:-1] if whole_path else []), element("bdi", visible(names[-1]), cls="nbas-name"))
    head = element(
        "summary",
        element("span", icon(state.icon), cls="nbas-symbol"),
        element("span", title, cls="nbas-lane-name", title=spoken),
        unstyled(" · "),
        element("span", state.word, cls="nbas-state"),
        icon("chevron", "nbas-chevron"),
    )
    inner = replace(scope, progress=view.progress, lane=placed.lane)
    items = element("div", *items_html(view.msgs, inner, scope.budget.lane_blocks), cls="nbas-items")
    body = element("div", element("div", items, cls="nbas-items-box"), cls="nbas-body")
    fold = element("details", head, body, cls="nbas-lane-fold", open=state.kind != "done")
    return element(
        "div", fold, cls="nbas-item nbas-lane", role="group", aria_label=f"Sub-agent {spoken}", data_phase=state.kind
    )


def _begun(msg: Msg, call: ToolCallBlock | ToolResultBlock | None, scope: Scope) -> list[Html]:
    """The sub-agents that a call began."""
    return [] if call is None else lanes_html(scope.placement.under(scope.lane, msg.id, call.id), scope)


def _asked(msg: Msg, scope: Scope) -> Html:
    who = element("span", element("strong", visible("You" if msg.role == "user" else msg.name)), cls="nbas-who")
    return element("div", who, *_said(msg, scope), cls="nbas-item nbas-user")


def _said(msg: Msg, scope: Scope) -> Iterator[Html]:
    for block in msg.content:
        if isinstance(block, TextBlock):
            shown, note = scope.budget.cut(block.text)
            yield joined(element("div", shown, cls="nbas-said"), note)
        elif isinstance(block, DataBlock):
            yield data_html(block, scope.budget)


def _reply(msg: Msg, scope: Scope, skip: int) -> Iterator[Html]:
    if msg.role == "user":
        yield _asked(msg, scope)
        return
    if skip < len(msg.content) or not msg.content:
        yield element("p", element("strong", visible(msg.name)), cls="nbas-sr")
    for block, result in _paired(msg.content[skip:]):
        if block is None or isinstance(block, ToolCallBlock):
            yield tool_html(block, result, scope, _begun(msg, block or result, scope))
        else:
            yield block_html(block, scope)
    if msg.error is not None:
        yield element("div", _error(msg.error, scope.budget), cls="nbas-item nbas-end")
    elif not msg.content and msg.finished_at is not None:
        yield element("div", element("p", empty_words(msg), cls="nbas-empty"), cls="nbas-item nbas-end")


def _paired(content: Sequence[Any]) -> Iterator[tuple[Any, ToolResultBlock | None]]:
    """Blocks in order; a call comes with its result, a result without a call comes as (None, result)."""
    results: dict[str, list[ToolResultBlock]] = {}
    for block in content:
        if isinstance(block, ToolResultBlock):
            results.setdefault(block.id, []).append(block)
    for block in content:
        if isinstance(block, ToolCallBlock):
            mine = results.get(block.id)
            yield block, mine.pop(0) if mine else None
        elif isinstance(block, ToolResultBlock):
            if block in results[block.id]:
                results[block.id].remove(block)
                yield None, block
        else:
            yield block, None


def _error(error: ErrorInfo, budget: Budget) -> Html:
    title, advice = ERRORS[str(error.type)]
    shown, note = budget.cut(error.message)
    text = element(
        "div",
        element("p", title, cls="nbas-error-title"),
        element("p", visible(shown), cls="nbas-error-text"),
        note,
        element("p", advice, cls="nbas-dim") if advice else None,
    )
    return element("div", icon("warn"), text, cls="nbas-error", role="group", aria_label=title)


def _notes(scope: Scope) -> Html:
    """What the package remarked on the run, a line each; the newest alone where there is little room."""
    most = scope.budget.characters
    newest = scope.progress.notes[-_FEW_NOTES if most == LEAST_CHARACTERS else 0 :]
    left_out = len(scope.progress.notes) - len(newest)
    lines = [f"… {plural(left_out, 'earlier note')} in the log"] if left_out else []
    lines += [text if most is None or len(text) <= most else f"{text[:most]}…" for text in newest]
    shown = [element("p", icon("info"), element("span", visible(text)), cls="nbas-dim") for text in lines]
    return element("div", *shown, cls="nbas-item nbas-notes", role="note", aria_label="Notes")
