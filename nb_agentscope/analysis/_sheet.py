"""HTML in the host's colours, for outputs that are no widget: no script, no fetch, all text escaped.

The variables and the ways to tell a dark host are those of the widget's style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_STYLE = """
.nbas-sheet {
  --nbas-bg: var(--jp-layout-color1, var(--vscode-editor-background, light-dark(#fff, #16181c)));
  --nbas-fg: var(--jp-ui-font-color1, var(--vscode-editor-foreground, light-dark(#1d2025, #e4e6ea)));
  --nbas-dim: light-dark(#5c636e, #a2a9b4);
  --nbas-line: color-mix(in srgb, var(--nbas-fg) 15%, var(--nbas-bg));
  --nbas-edge: color-mix(in srgb, var(--nbas-fg) 48%, var(--nbas-bg));
  --nbas-red: light-dark(#b3261e, #ff8f86);
  --nbas-ui: var(--jp-ui-font-family, var(--vscode-font-family, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif));
  color-scheme: light; box-sizing: border-box; max-width: 100%; color: var(--nbas-fg); font: 13px/1.5 var(--nbas-ui);
  text-align: start; overflow-wrap: anywhere;
}
[data-jp-theme-light="false"] .nbas-sheet, .vscode-dark .nbas-sheet, .vscode-high-contrast .nbas-sheet, .dark .nbas-sheet,
[theme="dark"] .nbas-sheet { color-scheme: dark; }
@media (prefers-color-scheme: dark) {
  :root:not([theme]) body:not([data-jp-theme-light], [class*="vscode-"]) .nbas-sheet { color-scheme: dark; }
}
.nbas-sheet > .nbas-live { display: block !important; }
.nbas-sheet > .nbas-live + img { display: none; }
.nbas-live { overflow-x: auto; overflow-y: hidden; }
.nbas-live > svg { display: block; width: 100%; min-width: 560px; height: auto; overflow: visible; }
.nbas-sheet.nbas-sum { padding: 12px 16px 14px; border: 1px solid var(--nbas-line); border-radius: 10px;
  background: var(--nbas-bg); max-width: 860px; }
.nbas-sum .nbas-head { margin: 0 0 10px; font-weight: 600; font-size: 14px; }
.nbas-sum .nbas-head span, .nbas-sum .nbas-dim { color: var(--nbas-dim); font-weight: 400; font-size: 13px; }
.nbas-sum section { margin-top: 14px; overflow-x: auto; }
.nbas-sum .nbas-dim { margin: 4px 0 0; }
.nbas-sum table.nbas-grid { border-collapse: separate; border-spacing: 0; border: 0; margin: 0; width: 100%;
  table-layout: auto; font: inherit; color: inherit; font-variant-numeric: tabular-nums; }
.nbas-sum .nbas-title { margin: 0 0 2px; font-weight: 600; }
.nbas-sum table.nbas-grid tr, .nbas-sum table.nbas-grid tbody tr:nth-child(odd), .nbas-sum table.nbas-grid tbody tr:hover {
  background: none; color: inherit; }
.nbas-sum table.nbas-grid :is(th, td) { padding: 3px 14px 3px 0; border: 0;
  border-bottom: 1px solid var(--nbas-line); text-align: start;
  vertical-align: baseline; white-space: normal; max-width: none; color: inherit; background: none; font-weight: 400; }
.nbas-sum table.nbas-grid :is(th, td):not(.nbas-num) { min-width: 7.5em; }
.nbas-sum table.nbas-grid :is(th, td):first-child { min-width: 8.5em; position: sticky; left: 0; background: var(--nbas-bg); }
.nbas-sum table.nbas-grid :is(th, td).nbas-long { min-width: 16em; }
.nbas-sum table.nbas-grid tbody tr:last-child > * { border-bottom: 0; }
.nbas-sum table.nbas-grid thead th { color: var(--nbas-dim); font-size: 12px; }
.nbas-sum table.nbas-grid .nbas-num { text-align: end; white-space: nowrap; }
.nbas-sum table.nbas-grid :is(th, td):last-child { padding-inline-end: 0; }
.nbas-sum table.nbas-grid tbody td.nbas-bad { color: var(--nbas-red); }
.nbas-sum .nbas-bar { display: flex; gap: 2px; height: 12px; margin: 2px 0 6px; border-radius: 4px; overflow: hidden; }
.nbas-sum .nbas-bar i { display: block; min-width: 2px; background: var(--nbas-part); }
.nbas-sum .nbas-key { display: inline-block; width: 10px; height: 10px; margin-inline-end: 7px; border-radius: 2px;
  background: var(--nbas-part); }
.nbas-sum :is(.nbas-you, .nbas-external) { background: repeating-linear-gradient(135deg, var(--nbas-part) 0 3px,
  color-mix(in srgb, var(--nbas-part) 45%, var(--nbas-bg)) 3px 6px) !important; }
@media print { .nbas-sum .nbas-bar i, .nbas-sum .nbas-key { print-color-adjust: exact; } }
"""
COLOURS = {
    "model": "#2f7fd1",
    "tool": "#1f8a70",
    "you": "#d55e00",
    "external": "#c2549d",
    "other": "#808080",
}
"""By part of the wall time. Each has a contrast above 3 on white and on #1e1e1e, and they differ for the colour-blind."""


class Head(NamedTuple):
    """The head of a column."""

    text: str
    is_number: bool = True
    is_long: bool = False
    """Whether sentences stand below it."""


class Section(NamedTuple):
    """A small table of texts (not escaped); the first cell of a row names it."""

    title: str
    heads: tuple[Head, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""
    """A line below it."""
    has_keys: bool = False
    """Whether the rows are parts of the wall time, each with its colour."""
    bad: str = ""
    """Head of the column whose cells are marked as errors, unless they say 0."""


def sheet(body: str, kind: str = "") -> str:
    """HTML with the style that it needs, so that it stands alone in a saved notebook."""
    # Notebooks typeset $…$ in HTML as mathematics, unless told not to.
    return f'<style>{_STYLE}</style><div class="nbas-sheet mathjax_ignore tex2jax_ignore {kind}">{body}</div>'


def text(content: str) -> str:
    """Foreign text as HTML; no page reads mathematics into it, even one that drops the classes of `sheet`."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", escape(content))


def table(section: Section, above: str = "") -> str:
    """A section as HTML; `above` stands between its caption and its rows."""
    head = "".join(f'<th scope="col"{_css(one, False)}>{escape(one.text)}</th>' for one in section.heads)
    body = "".join(f"<tr>{_cells(section, row)}</tr>" for row in section.rows)
    note = f'<p class="nbas-dim">{text(section.note)}</p>' if section.note else ""
    grid = f'<table class="nbas-grid"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    title = escape(section.title)
    return f'<section aria-label="{title}"><p class="nbas-title">{title}</p>{above}{grid}{note}</section>'


def _cells(section: Section, row: tuple[str, ...]) -> str:
    made = ""
    for number, (head, cell) in enumerate(zip(section.heads, row, strict=True)):
        tag, scope = ("td", "") if number else ("th", ' scope="row"')
        key = _key(cell) if section.has_keys and not number else ""
        made += f"<{tag}{scope}{_css(head, head.text == section.bad and cell != '0')}>{key}{text(cell)}</{tag}>"
    return made


def _key(part: str) -> str:
    return f'<i class="nbas-key nbas-{part}" style="--nbas-part:{COLOURS[part]}"></i>'


def bar(shares: dict[str, float]) -> str:
    """Parts of the wall time as one bar; what each is stands in the table below it."""
    parts = "".join(
        f'<i class="nbas-{part}" style="--nbas-part:{COLOURS[part]};flex:{value:.6f} 0 0"></i>'
        for part, value in shares.items()
        if value > 0
    )
    return f'<div class="nbas-bar" aria-hidden="true">{parts}</div>'


def _css(head: Head, is_bad: bool) -> str:
    names = [
        name
        for name, wanted in (("nbas-num", head.is_number), ("nbas-long", head.is_long), ("nbas-bad", is_bad))
        if wanted
    ]
    return f' class="{" ".join(names)}"' if names else ""
