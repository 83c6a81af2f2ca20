"""A whole run as static HTML: no script, nothing fetched, everything escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nb_agentscope.message import ErrorInfo, Msg
from nb_agentscope.render._blocks import Scope, block_html
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._visible import visible
from nb_agentscope.render._words import ERROR_WORDS, duration, phase, usage_words

_CSS = Path(__file__).parent.parent / "static" / "widget.css"
_TEXT_LIMITS = (None, 20_000, 4_000, 800, 160)


def to_html(
    msgs: Sequence[Msg],
    progress: Any,
    *,
    status: str = "finished",
    elapsed_s: float | None = None,
    limit: int | None = None,
    style: bool = True,
) -> str:
    """The transcript as static HTML that looks like the live widget.

    Args:
        msgs: The replies, oldest first.
        progress: The `Progress` of the same run.
        status: running, waiting or finished.
        elapsed_s: Seconds that the run took so far; None leaves them out.
        limit: Size in bytes that must not be exceeded: long texts are cut first, then the oldest blocks left out, and what
            is missing is said. None: everything.
        style: Whether to put the widget's style sheet in front; without it the HTML reads as a plain document.
    """
    head = Html(f"<style>{_css()}</style>") if style and _css() else Html("")
    room = None if limit is None else limit - len(head.encode())
    blocks = sum(len(msg.content) for msg in msgs)
    for characters in _TEXT_LIMITS:
        html = _attempt(msgs, progress, status, elapsed_s, Budget(characters, (room or 10**9) // 2), None)
        if room is None or len(html.encode()) <= room:
            return head + html
    while blocks:  # many short blocks: leave out the oldest, half of them at a time
        blocks //= 2
        html = _attempt(msgs, progress, status, elapsed_s, Budget(_TEXT_LIMITS[-1]), blocks)
        if len(html.encode()) <= (room or 0):
            break
    return head + html


def _attempt(
    msgs: Sequence[Msg], progress: Any, status: str, elapsed_s: float | None, budget: Budget, newest: int | None
) -> Html:
    scope = Scope(budget, progress)
    total = sum(len(msg.content) for msg in msgs)
    skip = 0 if newest is None else total - newest
    note = f"… {skip:,} earlier blocks are in the log" if skip else None
    children: list[Html | str | None] = [element("div", note, cls="nbas-more") if note else None]
    if newest is None:
        children += [_input(Msg.model_validate(raw), scope) for raw in progress.inputs]
    for msg in msgs:
        children.append(_reply(msg, scope, skip))
        skip = max(0, skip - len(msg.content))
    kind, label = phase(list(msgs), status)
    header = _header(progress, kind, label, elapsed_s)
    transcript = element("div", *children, cls="nbas-transcript")
    footer = element("footer", *_footer(msgs, progress), cls="nbas-footer")
    return element("div", header, transcript, footer, cls="nbas-root nbas-static", data_phase=kind)


def _header(progress: Any, kind: str, label: str, elapsed_s: float | None) -> Html:
    return element(
        "header",
        element("span", visible(progress.agent or "agent"), cls="nbas-agent"),
        element("span", visible(progress.model), cls="nbas-model") if progress.model else None,
        element("span", label, cls="nbas-phase", data_phase=kind),
        element("span", duration(elapsed_s), cls="nbas-clock") if elapsed_s is not None else None,
        cls="nbas-header",
    )


def _input(msg: Msg, scope: Scope) -> Html:
    blocks = [block_html(block, scope.of(msg.content)) for block in msg.content]
    return element("div", element("div", visible(msg.name), cls="nbas-name"), *blocks, cls="nbas-input")


def _reply(msg: Msg, scope: Scope, skip: int) -> Html:
    inner = scope.of(msg.content)
    blocks = [block_html(block, inner) for block in msg.content[skip:]]
    if not msg.content and msg.finished_reason:
        blocks.append(element("div", f"(empty reply · {msg.finished_reason})", cls="nbas-empty"))
    if msg.error is not None:
        blocks.append(error_card(msg.error, scope.budget))
    return element("div", *blocks, cls="nbas-msg")


def error_card(error: ErrorInfo, budget: Budget) -> Html:
    """Why a reply failed."""
    text, _ = budget.cut(error.message)
    return element(
        "div",
        element("div", ERROR_WORDS[str(error.type)], cls="nbas-error-title"),
        element("div", visible(text), cls="nbas-error-message"),
        cls="nbas-block nbas-error",
        role="alert",
    )


def _footer(msgs: Sequence[Msg], progress: Any) -> list[Html]:
    usage = None
    for msg in msgs:
        if msg.usage is not None:
            usage = msg.usage if usage is None else _sum(usage, msg.usage)
    words = usage_words(usage, progress)
    if progress.other_events:
        words.append(f"{progress.other_events} other event{'s' if progress.other_events != 1 else ''}")
    return [joined(element("span", word, cls="nbas-usage"), " ") for word in words]


def _sum(first: Any, second: Any) -> Any:
    fields = type(first).model_fields
    return type(first)(**{name: getattr(first, name) + getattr(second, name) for name in fields})


@cache
def _css() -> str:
    """The widget's style sheet; our own file, and checked not to end the element it is put into."""
    css = _CSS.read_text(encoding="utf-8") if _CSS.exists() else ""
    if "</" in css:
        raise ValueError(f"{_CSS} holds '</', which would end the <style> element.")
    return css
