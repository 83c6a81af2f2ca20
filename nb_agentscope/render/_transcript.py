"""A whole run as static HTML: no script, nothing fetched, everything escaped; the markup is the live view's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nb_agentscope.message import DataBlock, ErrorInfo, Msg, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._blocks import Scope, block_html
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._data import data_html
from nb_agentscope.render._element import Html, element, joined, unstyled
from nb_agentscope.render._icon import icon
from nb_agentscope.render._tool import tool_html
from nb_agentscope.render._visible import visible, well_formed
from nb_agentscope.render._words import ERRORS, State, clock, count, empty_words, phase, plural, stats

_CSS = Path(__file__).parent.parent / "static" / "widget.css"
_TEXT_LIMITS = (None, 20_000, 4_000, 800, 160)
_FEW_NOTES = 3


def to_html(
    msgs: Sequence[Msg],
    progress: Any,
    *,
    status: str = "finished",
    elapsed_s: float | None = None,
    limit: int | None = None,
    style: bool = True,
    theme: str = "auto",
    max_height: int | None = None,
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
        theme: `auto` follows the notebook; `light` or `dark`.
        max_height: Height in pixels at which the transcript scrolls; None: the style sheet's.
    """
    look = _look(theme, max_height)
    head = element("style", _css()) if style and _css() else Html("")
    room = None if limit is None else limit - len(head.encode())
    blocks = sum(len(msg.content) for msg in msgs)
    attempts = [(characters, blocks) for characters in _TEXT_LIMITS]
    while blocks:  # many short blocks: leave out the oldest, half of them at a time
        blocks //= 2
        attempts.append((_TEXT_LIMITS[-1], blocks))
    html = Html("")
    lengths = [length for msg in msgs for length in _lengths(msg)]
    for characters, newest in attempts:
        if room is not None and sum(min(length, characters or length) for length in lengths[-newest:]) > room:
            continue  # rendering it only to throw it away would cost the more the longer it is
        images = room // 2 if room is not None and characters != _TEXT_LIMITS[-1] else 0 if room is not None else 10**9
        scope = Scope(Budget(characters, images), progress, status == "finished")
        html = _document(msgs, scope, status, elapsed_s, newest, look)
        if room is None or len(html.encode()) <= room:
            break
    return head + html


def _lengths(msg: Msg) -> Iterator[int]:
    """Characters of each block, at least; its HTML is never shorter."""
    for block in msg.content:
        match block:
            case TextBlock() | ThinkingBlock():
                yield len(block.text if isinstance(block, TextBlock) else block.thinking)
            case ToolCallBlock():
                yield len(block.input)
            case ToolResultBlock() if isinstance(block.output, str):
                yield len(block.output)
            case ToolResultBlock():
                yield sum(len(part.text) for part in block.output if isinstance(part, TextBlock))
            case _:
                yield 0


def _document(
    msgs: Sequence[Msg], scope: Scope, status: str, elapsed_s: float | None, newest: int, look: dict[str, str]
) -> Html:
    skip = sum(len(msg.content) for msg in msgs) - newest
    items: list[Html] = []
    if skip:
        items.append(element("p", f"… {count(skip)} earlier blocks are in the log", cls="nbas-item nbas-dim"))
    else:
        items += [_asked(Msg.model_validate(raw), scope) for raw in scope.progress.inputs]
    for msg in msgs:
        items += _reply(msg, scope, skip)
        skip = max(0, skip - len(msg.content))
    if scope.progress.notes:
        items.append(_notes(scope))
    shown = element("div", *items, cls="nbas-items")
    log = element("div", shown, cls="nbas-log", role="log", aria_label="Transcript", tabindex="0")
    words = stats(msgs, scope.progress)
    foot = [element("span", word, unstyled(" · ") if word != words[-1] else None, cls="nbas-stat") for word in words]
    return Html(well_formed(_section(scope, phase(msgs, status), elapsed_s, log, foot, look)))


def _notes(scope: Scope) -> Html:
    """What the package remarked on the run, a line each; the newest alone where there is little room."""
    most = scope.budget.characters
    newest = scope.progress.notes[-_FEW_NOTES if most == _TEXT_LIMITS[-1] else 0 :]
    left_out = len(scope.progress.notes) - len(newest)
    lines = [f"… {plural(left_out, 'earlier note')} in the log"] if left_out else []
    lines += [text if most is None or len(text) <= most else f"{text[:most]}…" for text in newest]
    shown = [element("p", icon("info"), element("span", visible(text)), cls="nbas-dim") for text in lines]
    return element("div", *shown, cls="nbas-item nbas-notes", role="note", aria_label="Notes")


def _look(theme: str, max_height: int | None) -> dict[str, str]:
    """Attributes of the root for what the reader chose."""
    look = {"cls": "nbas-root nbas-static"}
    if theme != "auto":
        look = {"cls": "nbas-root nbas-static nbas-own-theme", "data_theme": theme}
    if max_height is not None:
        look["style"] = f"--nbas-max-height:{max_height}px"
    return look


def _section(
    scope: Scope, state: State, elapsed_s: float | None, log: Html, foot: Sequence[Html], look: dict[str, str]
) -> Html:
    return element(
        "section",
        _head(scope.progress, state, elapsed_s),
        element("div", log, cls="nbas-log-box"),
        element("footer", *foot, cls="nbas-foot") if foot else None,
        aria_label="Agent run",
        data_phase=state.kind,
        **look,
    )


def _head(progress: Any, state: State, elapsed_s: float | None) -> Html:
    agent = element("bdi", element("strong", visible(progress.agent or "Agent")), cls="nbas-agent")
    model = element("bdi", visible(progress.model or ""), cls="nbas-model")
    symbol = element("span", icon(state.icon), cls="nbas-symbol")
    return element(
        "header",
        element("div", agent, " ", model, cls="nbas-who-box"),
        " ",
        element("span", symbol, element("bdi", state.word), cls="nbas-chip", data_phase=state.kind),
        " ",
        element("span", clock(elapsed_s) if elapsed_s is not None else None, cls="nbas-clock"),
        cls="nbas-head",
    )


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
            yield tool_html(block, result, scope)
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


@cache
def _css() -> Html:
    """The widget's style sheet: our own file, and checked not to end the element it is put into."""
    css = _CSS.read_text(encoding="utf-8") if _CSS.exists() else ""
    if "</" in css:
        raise ValueError(f"{_CSS} holds '</', which would end the <style> element.")
    return Html(css)
