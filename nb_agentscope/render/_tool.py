"""A tool call with its arguments, its decision and its result in one card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nb_agentscope.message import DataBlock, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._arguments import arguments, summary
from nb_agentscope.render._blocks import Scope
from nb_agentscope.render._data import data_html
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._icon import icon
from nb_agentscope.render._visible import visible, without_ansi
from nb_agentscope.render._words import State, between, call_state, decision_words, duration

_OPEN = frozenset({"running", "outside", "failed", "interrupted", "asking"})


def tool_html(call: ToolCallBlock | None, result: ToolResultBlock | None, scope: Scope) -> Html:
    """The card of a call and its result; one of them may be missing."""
    known = call or result
    decision = scope.progress.decisions.get(known.id) if known is not None else None
    state = call_state(call, result, decision, ended=scope.ended)
    body = [
        element("div", *_arguments(call, decision, scope), cls="nbas-args-box") if call is not None else None,
        _record(decision) if decision is not None else None,
        element("div", *_output(result, scope), cls="nbas-result") if result is not None and result.output else None,
    ]
    return element(
        "details",
        _head(call, result, state),
        element("div", *body, cls="nbas-body"),
        cls="nbas-item nbas-tool",
        data_state=state.kind,
        open=state.kind in _OPEN or _has_picture(result),
    )


def _has_picture(result: ToolResultBlock | None) -> bool:
    """A picture is what the reader came for: such a card is open."""
    if result is None or isinstance(result.output, str):
        return False
    return any(block.type == "data" and block.source.media_type.startswith("image/") for block in result.output)


def _head(call: ToolCallBlock | None, result: ToolResultBlock | None, state: State) -> Html:
    name = call.name if call is not None else result.name if result is not None else ""
    took = between(result.created_at, result.finished_at) if result is not None else None
    return element(
        "summary",
        element("span", icon(state.icon), cls="nbas-symbol"),
        element("bdi", visible(name), cls="nbas-name"),
        " ",
        element("bdi", visible(summary(call.input)) if call is not None else None, cls="nbas-sum"),
        " ",
        element("span", state.word, cls="nbas-state"),
        " ",
        element("span", duration(took) if took is not None and state.kind != "denied" else None, cls="nbas-time"),
        icon("chevron", "nbas-chevron"),
    )


def _arguments(call: ToolCallBlock, decision: Any, scope: Scope) -> Iterator[Html]:
    edited = decision.edited_input if decision is not None else None
    yield arguments(call.input if edited is None else edited, scope.budget)
    if edited is not None:
        shown, _ = scope.budget.cut(call.input)
        who = "you" if decision.by == "user" else str(decision.by)
        yield element("p", f"edited by {who}; the model asked: ", element("code", visible(shown)), cls="nbas-dim")


def _record(decision: Any) -> Html:
    symbol = icon("check" if decision.decision in ("approved", "answered") else "ban")
    note = element("span", "“", visible(decision.note), "”", cls="nbas-record-note") if decision.note else None
    line = element("span", decision_words(decision))
    return element("p", symbol, line, note, cls="nbas-record", data_decision=str(decision.decision))


def _output(result: ToolResultBlock, scope: Scope) -> Iterator[Html]:
    parts = [TextBlock(text=result.output)] if isinstance(result.output, str) else result.output
    for part in parts:
        if isinstance(part, DataBlock):
            yield data_html(part, scope.budget)
        else:
            shown, note = scope.budget.cut(without_ansi(part.text).removesuffix("\n"))
            yield element("div", joined(element("pre", visible(shown)), note), cls="nbas-output")
