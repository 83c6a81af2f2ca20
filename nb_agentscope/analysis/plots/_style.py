"""Colours, hatches and lines of all charts; what stands for what is the same everywhere."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from nb_agentscope.analysis._sheet import COLOURS

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
READ = Look("read from cache", COLOURS["tool"], "--")
OUTPUT = Look("output", COLOURS["you"])
INPUT = Look("other input", COLOURS["model"])
APPROVED = Look("approved", COLOURS["tool"])
DENIED = Look("denied", COLOURS["you"], "////")
ANSWERED = Look("answered", COLOURS["model"])
LINES = (
    ("#2f7fd1", "-"),
    ("#d55e00", "--"),
    ("#1f8a70", "-."),
    ("#c2549d", ":"),
    ("#8a7300", (0, (6, 1.5, 1, 1.5, 1, 1.5))),
    ("#808080", (0, (1, 1))),
)
"""Colour and dashes of lines, told apart by either."""
MARKS = ("o", "s", "^", "D", "v", "P")
"""Of points, beside their colours."""
_CROWD = 200
"""Boxes of a kind."""


def boxes(axes: Axes, x: Any, y: Any, width: Any, height: Any, look: Look, **options: Any) -> PolyCollection:
    """Rectangles from their lower left corners, as one artist: thousands are no more work than one."""
    left, bottom, wide, high = np.broadcast_arrays(*(np.asarray(one, dtype=float) for one in (x, y, width, height)))
    right, top = left + wide, bottom + high
    corners = np.stack([left, bottom, right, bottom, right, top, left, top], axis=-1).reshape(-1, 4, 2)
    paint = look.paint()
    if len(corners) > _CROWD:
        paint["linewidth"] = min(paint["linewidth"], 0.25)  # outlines would be wider than what they enclose
    made = PolyCollection(list(corners), **paint, label=look.name, **options)
    axes.add_collection(made)
    axes.autoscale_view()
    return made
