"""One block of a message as static HTML; the markup is the live widget's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import (
    Base64Source,
    DataBlock,
    HintBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from nb_agentscope.render._budget import Budget, more
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._markdown import markdown, safe_link
from nb_agentscope.render._visible import visible
from nb_agentscope.render._words import between, call_state, decision_words, duration, size

INLINE_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


@dataclass
class Scope:
    """What a block's HTML depends on beside the block."""

    budget: Budget
    progress: Any
    results: dict[str, ToolResultBlock] = field(default_factory=dict)
    """Results of the message by call id; each is shown with its call."""
    calls: set[str] = field(default_factory=set)
    """Ids of the calls of the message."""

    def of(self, content: list[Any]) -> Scope:
        """The scope of the blocks of one message."""
        results = {block.id: block for block in content if isinstance(block, ToolResultBlock)}
        calls = {block.id for block in content if isinstance(block, ToolCallBlock)}
        return Scope(self.budget, self.progress, results, calls)


def block_html(block: Any, scope: Scope) -> Html | None:
    """The HTML of one block; None for a result, which its call shows."""
    return _RENDERERS[block.type](block, scope)


def _text(block: TextBlock, scope: Scope) -> Html:
    text, cut = scope.budget.cut(block.text)
    return element("div", markdown(text), _cut_note(cut), cls="nbas-block nbas-text")


def _thinking(block: ThinkingBlock, scope: Scope) -> Html:
    text, cut = scope.budget.cut(block.thinking)
    took = between(block.created_at, block.finished_at)
    label = "Thinking" if took is None else f"Thought for {duration(took)}"
    body = element("div", text or "The model keeps this thought to itself.", _cut_note(cut), cls="nbas-thinking-body")
    return element("details", element("summary", label), body, cls="nbas-block nbas-thinking")


def _hint(block: HintBlock, scope: Scope) -> Html:
    source = block.source or "system"
    parts = [TextBlock(text=block.hint)] if isinstance(block.hint, str) else block.hint
    body = joined(*(_output_part(part, scope) for part in parts))
    return element(
        "div", element("div", f"Hint from {visible(source)}", cls="nbas-hint-source"), body, cls="nbas-block nbas-hint"
    )


def _data(block: DataBlock, scope: Scope) -> Html:
    return element("div", data_html(block, scope), cls="nbas-block nbas-data")


def data_html(block: DataBlock, scope: Scope) -> Html:
    """An image inline if it is of a harmless type and fits, else a line that says what it is."""
    source = block.source
    name = visible(block.name or "data")
    if not isinstance(source, Base64Source):
        url = str(source.url)
        label = f"{name} · {source.media_type} · {url}"
        link = element("a", label, href=url, rel="noopener noreferrer", target="_blank") if safe_link(url) else label
        return element("span", link, cls="nbas-data-note")
    count = len(source.data) * 3 // 4
    label = f"{name} · {source.media_type} · {size(count)}"
    if source.media_type in INLINE_IMAGES and scope.budget.take_image(len(source.data)):
        return element("img", cls="nbas-image", src=f"data:{source.media_type};base64,{source.data}", alt=label)
    return element("span", label, cls="nbas-data-note")


def _tool_call(block: ToolCallBlock, scope: Scope) -> Html:
    result = scope.results.get(block.id)
    state, word = call_state(block, result)
    took = between(block.created_at, result.finished_at if result else None)
    summary = element(
        "summary",
        element("span", visible(block.name), cls="nbas-tool-name"),
        element("span", _one_line(block.input), cls="nbas-tool-summary"),
        element("span", word, cls="nbas-state", data_state=state),
        element("span", duration(took), cls="nbas-duration") if took is not None else None,
    )
    decision = scope.progress.decisions.get(block.id)
    body = [_arguments(block.input, scope)]
    if decision is not None:
        body.append(_decision(decision, scope))
    if result is not None:
        body.append(element("div", _output(result, scope), cls="nbas-tool-result", data_state=state))
    return element(
        "details", summary, *body, cls="nbas-block nbas-tool", data_state=state, open=state not in {"success"}
    )


def _decision(decision: Any, scope: Scope) -> Html:
    edited = _arguments(decision.edited_input, scope) if decision.edited_input is not None else None
    note = element("div", f"Note: {visible(decision.note)}", cls="nbas-note") if decision.note else None
    record = element("div", decision_words(decision), cls="nbas-record", data_decision=str(decision.decision))
    return joined(record, note, edited)


def _arguments(text: str, scope: Scope) -> Html:
    """Arguments as key and value where they are a JSON object, else as they are; hidden characters made visible."""
    arguments = _parsed(text)
    if arguments is None:
        return _pre(visible(text), scope) if text else element("div", "no arguments", cls="nbas-args-none")
    rows = [
        joined(element("dt", visible(str(key))), element("dd", _pre(_value(value), scope)))
        for key, value in arguments.items()
    ]
    return element("dl", *rows, cls="nbas-args")


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _value(value: Any) -> str:
    return visible(value) if isinstance(value, str) else visible(json.dumps(value, ensure_ascii=False, indent=2))


def _one_line(text: str, limit: int = 80) -> str:
    """The first scalar arguments, in one line."""
    arguments = _parsed(text)
    if arguments is None:
        line = text
    else:
        line = ", ".join(str(value) for value in arguments.values() if not isinstance(value, dict | list))
    line = visible(" ".join(line[: 4 * limit].split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _output(result: ToolResultBlock, scope: Scope) -> Html:
    parts = [TextBlock(text=result.output)] if isinstance(result.output, str) else result.output
    return joined(*(_output_part(part, scope) for part in parts))


def _output_part(part: TextBlock | DataBlock, scope: Scope) -> Html:
    return data_html(part, scope) if isinstance(part, DataBlock) else _pre(part.text, scope)


def _pre(text: str, scope: Scope) -> Html:
    shown, cut = scope.budget.cut(text)
    return joined(element("pre", shown, cls="nbas-pre"), _cut_note(cut))


def _cut_note(cut: int) -> Html | None:
    return element("div", more(cut), cls="nbas-more") if cut else None


def _result(block: ToolResultBlock, scope: Scope) -> Html | None:
    """A result without a call (a broken stream) is shown by itself."""
    if block.id in scope.calls:
        return None
    return element("div", _output(block, scope), cls="nbas-block nbas-tool-result")


_RENDERERS: dict[str, Callable[[Any, Scope], Html | None]] = {
    "text": _text,
    "thinking": _thinking,
    "hint": _hint,
    "data": _data,
    "tool_call": _tool_call,
    "tool_result": _result,
}
