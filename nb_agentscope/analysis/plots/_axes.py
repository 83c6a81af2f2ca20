"""Axes: names beside rows, times, counts, shares; nothing with exponents or offsets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from nb_agentscope.analysis._words import count
from nb_agentscope.analysis.plots._style import DIM, INK, LINE

Side = Literal["x", "y"]
_UNITS = (("seconds", 1.0), ("minutes", 60.0), ("hours", 3600.0), ("days", 86400.0))
_STEPS = (1, 2, 5, 10, 15, 20, 30, 60)
_ENOUGH = 180
"""Of a unit, before the next larger one is used."""


def style(axes: Axes) -> None:
    """Quiet axes without a box, on the page's ground."""
    axes.set_facecolor("none")
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(LINE)
        spine.set_linewidth(0.6)
    axes.tick_params(colors=INK, labelsize=9, length=0, pad=5)
    axes.xaxis.label.set(color=INK, fontsize=9)
    axes.yaxis.label.set(color=INK, fontsize=9)
    axes.title.set_color(INK)
    axes.set_axisbelow(True)


def grid(axes: Axes, axis: Literal["x", "y", "both"]) -> None:
    """Lines to read values by, across `axis`."""
    axes.grid(visible=True, axis=axis, color=LINE, linewidth=0.5, alpha=0.35)


def name_rows(axes: Axes, rows: Sequence[str]) -> None:
    """Names beside the rows of a chart, the first at the top; no mathematics in them."""
    axes.set_yticks(range(len(rows)), rows, parse_math=False)
    axes.set_ylim(max(len(rows), 1) - 0.4, -0.6)


def text_beside(axes: Axes, text: str, x: float, y: float) -> None:
    """What a bar says, right of its end."""
    axes.annotate(text, (x, y), xytext=(6, 0), textcoords="offset points", va="center", color=INK, fontsize=9)


def plain(value: float, _: object = None) -> str:
    """0.00025 · 1.5 · 12 000."""
    return f"{value:,.7f}".rstrip("0").rstrip(".").replace(",", " ")


def numbers_axis(axes: Axes, side: Side, values: Any) -> None:
    """From 0, or by powers of ten where the largest is a hundred times the smallest; 0 stands at the foot of those."""
    axis = _axis(axes, side)
    positive = values[values > 0]
    if len(positive) and positive.max() / positive.min() > 100:
        if len(positive) < len(values):
            _call(axes, side, "scale", "symlog", linthresh=positive.min(), linscale=0.3)
            _call(axes, side, "lim", -positive.min() / 10, positive.max() * 1.6)
        else:
            _call(axes, side, "scale", "log")
            _call(axes, side, "lim", positive.min() / 1.6, positive.max() * 1.6)
        axes.minorticks_off()
    else:
        _call(axes, side, "lim", 0, positive.max() * 1.05 if len(positive) else 1.0)
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(plain))


def counts_axis(axes: Axes, side: Side) -> None:
    """Whole numbers, from 0."""
    axis = _axis(axes, side)
    axis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda value, _: count(value).replace("\u202f", " ")))


def clock_axis(axes: Axes, longest: float, what: str = "") -> None:
    """Seconds from 0 to a little beyond the longest, as seconds, minutes, hours or days.

    Args:
        axes: Their x.
        longest: In seconds.
        what: Stands behind the unit.
    """
    longest = max(longest, 1e-3)
    unit, size = next((one for one in _UNITS if longest <= _ENOUGH * one[1]), _UNITS[-1])
    axes.set_xlim(0, longest * 1.01)
    axes.set_xlabel(f"{unit} {what}".strip())
    rough = longest / size / 6
    step = next((step for step in _STEPS if step >= rough), None)
    if (size == 1 and rough < 1) or step is None:
        axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    else:
        axes.xaxis.set_major_locator(MultipleLocator(step * size))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(value / size)))


def share(value: float, _: object = None) -> str:
    """50 %."""
    return f"{100 * value:.0f} %"


def nothing(axes: Axes, sentence: str, *, has_rows: bool = False) -> None:
    """Says that there is nothing to draw; names of rows are left."""
    axes.text(
        0.5, 0.5, sentence, transform=axes.transAxes, ha="center", va="center", color=DIM, fontsize=9.5, wrap=True
    )
    axes.set_xticks([])
    if not has_rows:
        axes.set_yticks([])


def _axis(axes: Axes, side: Side) -> Axis:
    return axes.xaxis if side == "x" else axes.yaxis


def _call(axes: Axes, side: Side, what: str, *args: Any, **options: Any) -> None:
    getattr(axes, f"set_{side}{what}")(*args, **options)
