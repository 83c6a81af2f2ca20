"""Colours, hatches and lines of all charts; what stands for what is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from nb_agentscope.analysis._sheet import COLOURS
from nb_agentscope.analysis._words import label

INK = "#7a7a7b"
"""Letters: contrast above 4.2 on white and on #111. Each of the three is its own, for inline SVG puts the page's in its place."""
DIM = "#7b7b7a"
"""Notes."""
LINE = "#7c7b7b"
"""Axes and grids."""


class Look(NamedTuple):
    """How a kind of thing is filled."""

    name: str
    colour: str
    hatch: str = ""
    """As matplotlib has it; a space for an outline alone."""

    def patch(self) -> Patch:
        """A sample for a legend."""
        return Patch(**self.paint(), label=self.name)

    def paint(self) -> dict[str, Any]:
        """Arguments of an artist; hatched ones are lines on nothing, as SVG drops the lines on a pale ground."""
        if not self.hatch:
            return {"facecolor": self.colour, "edgecolor": self.colour, "linewidth": 0.5}
        return {"facecolor": "none", "edgecolor": self.colour, "linewidth": 0.8, "hatch": self.hatch.strip()}


MODEL = Look("model", COLOURS["model"])
TOOL = Look("tool", COLOURS["tool"])
YOU = Look("waiting for you", COLOURS["you"], "////")
EXTERNAL = Look("waiting outside", COLOURS["external"], "\\\\\\\\")
OTHER = Look("other", COLOURS["other"])
LINES = (
    ("#2f7fd1", "-"),
    ("#d55e00", "--"),
    ("#1f8a70", "-."),
    ("#c2549d", ":"),
    ("#8a7300", (0, (6, 1.5, 1, 1.5, 1, 1.5))),
    ("#808080", (0, (1, 1))),
)
"""Colour and dashes of lines, told apart by either."""


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


def grid(axes: Axes, axis: str) -> None:
    """Lines to read values by, across `axis` ("x" or "y")."""
    axes.grid(visible=True, axis=axis, color=LINE, linewidth=0.5, alpha=0.35)  # type: ignore[arg-type] # a Literal


def name_rows(axes: Axes, names: Sequence[Any]) -> None:
    """Foreign names beside the rows of a chart, the first at the top; no mathematics in them."""
    axes.set_yticks(range(len(names)), [label(name, 28) for name in names], parse_math=False)
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)


def boxes(axes: Axes, x: Any, y: Any, width: Any, height: Any, look: Look, **options: Any) -> PolyCollection:
    """Rectangles from their lower left corners, as one artist: thousands are no more work than one."""
    left, bottom, wide, high = np.broadcast_arrays(*(np.asarray(one, dtype=float) for one in (x, y, width, height)))
    right, top = left + wide, bottom + high
    corners = np.stack([left, bottom, right, bottom, right, top, left, top], axis=-1).reshape(-1, 4, 2)
    made = PolyCollection(list(corners), **look.paint(), label=look.name, **options)
    axes.add_collection(made)
    axes.autoscale_view()
    return made


def text_beside(axes: Axes, text: str, x: float, y: float) -> None:
    """What a bar says, right of its end."""
    axes.annotate(text, (x, y), xytext=(6, 0), textcoords="offset points", va="center", color=INK, fontsize=9)


def seconds_axis(axes: Axes, values: Any) -> None:
    """Times from 0, or by powers of ten where the longest is a hundred times the shortest; without offsets and exponents."""
    positive = values[values > 0]
    if len(positive) and positive.max() / positive.min() > 100:
        axes.set_xscale("log")
        axes.minorticks_off()
    else:
        axes.set_xlim(0, positive.max() * 1.05 if len(positive) else 1.0)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def nothing(axes: Axes, what: str) -> None:
    """Says that there is nothing to draw."""
    axes.text(
        0.5, 0.5, f"No {what} in this log.", transform=axes.transAxes, ha="center", va="center", color=DIM, fontsize=9.5
    )
    axes.set_xticks([])
    axes.set_yticks([])
