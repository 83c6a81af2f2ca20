"""A tool call with its arguments, its decision and its result in one card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nb_agentscope.message import DataBlock, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._arguments import arguments, summary
from nb_agentscope.render._blocks import Scope
from nb_agentscope.render._data import data_html
from nb_agentscope.render._element import Html, element, joined, unstyled
from nb_agentscope.render._icon import icon
from nb_agentscope.render._visible import visible, without_ansi
from nb_agentscope.render._words import (
    OPEN_CALLS,
    State,
    call_state,
    decision_words,
    duration,
    edit_words,
)
from nb_agentscope.stream import seconds_between


def tool_html(
    call: ToolCallBlock | None, result: ToolResultBlock | None, scope: Scope, nested: Sequence[Html] = ()
) -> Html:
    """The card of a call and its result, one of which may be missing, with the sub-agents that it began."""
    known = call or result
    decision = scope.progress.decisions.get(known.id) if known is not None else None
    state = call_state(call, result, decision, ended=scope.ended)
    fold = element(
        "details",
        _head(call, result, state),
        element("div", *_body(call, result, decision, scope, nested), cls="nbas-body"),
        cls="nbas-tool-fold",
        open=state.kind in OPEN_CALLS or _has_picture(result),
    )
    record = element("div", _record(decision), cls="nbas-record-box") if decision is not None else None
    return element("div", fold, record, cls="nbas-item nbas-tool", data_state=state.kind)


def _has_picture(result: ToolResultBlock | None) -> bool:
    """A picture is what the reader came for: such a card stays open."""
    parts = [] if result is None or isinstance(result.output, str) else result.output
    return any(isinstance(part, DataBlock) and part.source.media_type.startswith("image/") for part in parts)


def _body(
    call: ToolCallBlock | None, result: ToolResultBlock | None, decision: Any, scope: Scope, nested: Sequence[Html]
) -> Iterator[Html]:
    if call is not None:
        yield element("div", *_arguments(call, decision, scope), cls="nbas-args-box")
    if nested:
        yield element("div", *nested, cls="nbas-lanes")
    if result is not None and result.output:
        yield element("div", *_output(result, scope), cls="nbas-result")


def _head(call: ToolCallBlock | None, result: ToolResultBlock | None, state: State) -> Html:
    name = call.name if call is not None else result.name if result is not None else ""
    took = seconds_between(result.created_at, result.finished_at) if result is not None else None
    return element(
        "summary",
        element("span", icon(state.icon), cls="nbas-symbol"),
        element("bdi", element("strong", visible(name)), cls="nbas-name"),
        " ",
        element("bdi", visible(summary(call.input)) if call is not None else None, cls="nbas-sum"),
        unstyled(" · "),
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
        yield element("p", edit_words(decision), element("code", visible(shown)), cls="nbas-dim")


def _record(decision: Any) -> Html:
    symbol = icon("check" if decision.decision in ("approved", "answered") else "ban")
    words = element("span", decision_words(decision))
    note = element("span", "“", visible(decision.note or ""), "”", cls="nbas-record-note")
    said = joined(" ", note) if decision.note else None
    rules = [joined(" ", element("code", visible(rule.pattern), cls="nbas-pattern")) for rule in decision.rules]
    return element("p", symbol, words, *rules, said, cls="nbas-record", data_decision=str(decision.decision))


def _output(result: ToolResultBlock, scope: Scope) -> Iterator[Html]:
    yield unstyled("result:")
    parts = [TextBlock(text=result.output)] if isinstance(result.output, str) else result.output
    for part in parts:
        if isinstance(part, DataBlock):
            yield data_html(part, scope.budget)
        else:
            shown, note = scope.budget.cut(without_ansi(part.text).removesuffix("\n"))
            yield element("div", joined(element("pre", visible(shown)), note), cls="nbas-output")
