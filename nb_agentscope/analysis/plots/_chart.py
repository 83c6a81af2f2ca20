"""A figure that shows itself in a notebook without pyplot."""

from __future__ import annotations

import textwrap
import warnings
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.text import Text

from nb_agentscope.analysis._sheet import sheet
from nb_agentscope.analysis.plots._axes import nothing, style
from nb_agentscope.analysis.plots._names import names
from nb_agentscope.analysis.plots._style import DIM, INK
from nb_agentscope.analysis.plots._svg import inline_svg

_WIDTH = 7.4
_MAX_SVG = 500_000
"""Characters; beyond them a picture is smaller and shows faster."""


class Chart(Figure):
    """A matplotlib figure that shows itself in a notebook; `title` says what it shows."""

    title: str = ""
    _body: float = 0.0
    _head: Text
    _explained: Legend
    _foot: Text
    _legend_lines: int = 0
    _note_lines: int = 0

    @classmethod
    def new(cls, title: str, height: float, widths: tuple[float, ...] = (1.0,)) -> tuple[Chart, list[Axes]]:
        """An empty chart with axes beside each other.

        Args:
            title: What it shows.
            height: Of the axes and their labels, in inches; title, legend and note come on top of it.
            widths: Of the axes, relative to each other.
        """
        chart = cls(layout="constrained", facecolor="none")
        chart.title, chart._body = title, height
        axes = list(chart.subplots(1, len(widths), width_ratios=widths, squeeze=False)[0])
        for one in axes:
            style(one)
        chart._head = chart.text(0, 1, title, va="top", fontsize=11, fontweight="bold", color=INK, parse_math=False)
        chart._arrange()
        return chart, axes

    @classmethod
    def empty(cls, title: str, sentence: str) -> Chart:
        """A chart that says why there is nothing to see."""
        chart, (axes,) = cls.new(title, 1.0)
        nothing(axes, sentence)
        return chart

    def explain(self, handles: Iterable[Any], texts: Iterable[str]) -> None:
        """What the colours mean, in lines below the title."""
        shown = names(texts, 34)
        # matplotlib leaves out names that begin with an underscore.
        shown = [f"\u200b{name}" if name.startswith("_") else name for name in shown]
        inches = [0.52 + 0.073 * len(name) for name in shown]
        fits = sum(inches) <= _WIDTH
        columns = max(1, len(shown) if fits else int(_WIDTH / max(inches)))
        self._legend_lines = -(-len(shown) // columns)
        made = self.legend(list(handles), shown, loc="upper left", ncols=columns, frameon=False, borderaxespad=0, borderpad=0,
                           fontsize=9, labelcolor=INK, handlelength=1.7, handleheight=0.9, columnspacing=1.6)  # fmt: skip
        made.set_in_layout(False)
        for text in made.get_texts():
            text.set_parse_math(False)
        self._explained = made
        self._arrange()

    def note(self, *sentences: str) -> None:
        """Lines below the axes: what is not in the chart, and why; empty sentences are left out."""
        text = " ".join(filter(None, sentences))
        if text:
            lines = textwrap.wrap(text, 110)
            self._note_lines = len(lines)
            self._foot = self.text(0, 0, "\n".join(lines), va="bottom", fontsize=8.5, color=DIM, parse_math=False)
            self._arrange()

    def _arrange(self) -> None:
        """Title, legend, axes, note from top to bottom."""
        head = 0.34 + 0.215 * self._legend_lines
        foot = 0.08 + 0.16 * self._note_lines
        height = head + self._body + foot
        self.set_size_inches(_WIDTH, height)
        side = 0.05 / _WIDTH
        self._head.set(position=(side, 1 - 0.05 / height), in_layout=False)
        if self._legend_lines:
            self._explained.set_bbox_to_anchor((side, 1 - 0.31 / height))
        if self._note_lines:
            self._foot.set(position=(side, 0.05 / height), in_layout=False)
        engine = self.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.set(rect=(0, foot / height, 1, self._body / height))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from")  # the page's font may have it
            png = self._png()
            svg = inline_svg(self, self.title)
        image = b64encode(png).decode()
        # A notebook that is not trusted drops svg and style, but neither their text nor `hidden` (if it has a value): there, the
        # picture is what shows.
        picture = f'<img alt="{escape(self.title)}" width="{_WIDTH * 96:.0f}" src="data:image/png;base64,{image}">'
        live = f'<div class="nbas-live" hidden="hidden">{svg}</div>' if len(svg) <= _MAX_SVG else ""
        page = sheet(live + picture)
        return {"text/html": page, "image/png": image, "text/plain": f"<Chart: {self.title}>"}

    def _png(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=130, transparent=True, metadata={"Software": None})
        return buffer.getvalue()
