"""A whole run as static HTML: no script, nothing fetched, everything escaped; the markup is the live view's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from nb_agentscope.message import Msg, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._blocks import Scope
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._element import Html, element, unstyled
from nb_agentscope.render._icon import icon
from nb_agentscope.render._items import LEAST_CHARACTERS, items_html, lanes_html
from nb_agentscope.render._placement import place
from nb_agentscope.render._visible import visible, well_formed
from nb_agentscope.render._words import State, clock, phase, stats
from nb_agentscope.stream import Lane

_CSS = Path(__file__).parent.parent / "static" / "widget.css"
_TEXT_LIMITS = (None, 20_000, 4_000, 800, LEAST_CHARACTERS)
_FEW_LANES = 20


def to_html(
    msgs: Sequence[Msg],
    progress: Any,
    *,
    lanes: Mapping[Lane, Any] | None = None,
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
        lanes: What sub-agents said: `msgs` and `progress` of each lane.
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
    placement = place(msgs, lanes or {})
    own = [length for msg in msgs for length in _lengths(msg)]
    nested = [[length for msg in view.msgs for length in _lengths(msg)] for view in (lanes or {}).values()]
    html = Html("")
    for attempt in _attempts(len(own), bool(lanes)):
        if room is not None and attempt.least(own, nested) > room:
            continue  # rendering it only to throw it away would cost the more the longer it is
        scope = Scope(attempt.budget(room), progress, status == "finished", placement)
        html = _document(msgs, scope, status, elapsed_s, attempt.newest, look)
        if room is None or len(html.encode()) <= room:
            break
    return head + html


class Attempt(NamedTuple):
    """How much of everything is shown, to see whether it fits."""

    characters: int | None
    """Of a text; None: all."""
    newest: int
    """Blocks of the run's own agent."""
    lane_blocks: int | None = None
    """Of each sub-agent; None: all."""

    def least(self, own: Sequence[int], nested: Sequence[Sequence[int]]) -> int:
        """Characters that it takes at least; `own` and `nested` are those of all blocks."""
        shown = list(own[len(own) - self.newest :])
        for lengths in nested if self.lane_blocks is None else ():
            shown += lengths
        return sum(min(length, self.characters or length) for length in shown)

    def budget(self, room: int | None) -> Budget:
        """Of one rendering that is to fit into `room` bytes."""
        if room is None:
            return Budget(None, 10**9)
        images = 0 if self.characters == _TEXT_LIMITS[-1] else room // 2
        few = None if self.lane_blocks is None else min(self.newest, _FEW_LANES)
        return Budget(self.characters, images, self.lane_blocks, few)


def _attempts(blocks: int, nested: bool) -> list[Attempt]:
    attempts = [Attempt(characters, blocks) for characters in _TEXT_LIMITS]
    least = _TEXT_LIMITS[-1]
    if nested:  # their newest words first go, then all but their names
        attempts += [Attempt(least, blocks, newest) for newest in (3, 0)]
    while blocks:  # many short blocks: leave out the oldest, half of them at a time
        blocks //= 2
        attempts.append(Attempt(least, blocks, 0))
    return attempts


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
    items = [*items_html(msgs, scope, newest), *lanes_html(scope.placement.loose, scope, whole_path=True)]
    shown = element("div", *items, cls="nbas-items")
    log = element("div", shown, cls="nbas-log", role="log", aria_label="Transcript", tabindex="0")
    words = stats(msgs, scope.progress)
    foot = [element("span", word, unstyled(" · ") if word != words[-1] else None, cls="nbas-stat") for word in words]
    return Html(well_formed(_section(scope, phase(msgs, status), elapsed_s, log, foot, look)))


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


@cache
def _css() -> Html:
    """The widget's style sheet: our own file, and checked not to end the element it is put into."""
    css = _CSS.read_text(encoding="utf-8") if _CSS.exists() else ""
    if "</" in css:
        raise ValueError(f"{_CSS} holds '</', which would end the <style> element.")
    return Html(css)
