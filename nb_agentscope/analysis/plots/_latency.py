"""How fast models answered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from nb_agentscope.analysis._options import Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import count, labels, many
from nb_agentscope.analysis.plots._axes import grid, nothing, numbers_axis, share
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._style import INK, LINES

_PANELS = {"ttft_s": ("time to first token, seconds", 1.0), "tpot_s": ("time per output token, milliseconds", 1000.0)}


def latency(log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None) -> Chart:
    """For each model, the share of its calls that were at least so fast: left TTFT in seconds, right TPOT in milliseconds.

    Only calls where it is known are drawn; the number of the others stands below the chart.

    Args:
        log: What `events_df` takes, or a frame of `model_calls_df`.
        where: As in `model_calls_df`, as are `strict` and `tz`; all three only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    calls = rows_of(log, "model_calls", ["model", *_PANELS], where=where, strict=strict, tz=tz)
    if calls.empty:
        return Chart.empty("Latency by model", "No model calls in this log.")
    if not calls[list(_PANELS)].notna().any(axis=None):
        return Chart.empty("Latency by model", "No model calls with known times of their tokens in this log.")
    chart, panels = Chart.new("Latency by model", 2.7, (1.0, 1.0))
    sizes = calls["model"].value_counts(dropna=False)
    sizes = sizes[sizes > 0]
    lines = dict(zip(sizes.index, LINES, strict=False))
    unknown = []
    for axes, (column, (title, scale)) in zip(panels, _PANELS.items(), strict=True):
        values = floats(calls[column]) * scale
        if missing := values.isna().sum():
            unknown.append(f"{column.removesuffix('_s').upper()} of {count(missing)}")
        axes.set_xlabel(title)
        if values.notna().any():
            _panel(axes, values, calls["model"], lines)
        else:
            nothing(axes, "Not known for any of these calls.")
    panels[0].set_ylabel("share of calls")
    handles = [Line2D([], [], color=colour, linestyle=dashes, linewidth=1.8) for colour, dashes in lines.values()]
    names = zip(labels(lines, 20), sizes, strict=False)
    chart.explain(handles, [f"{name} ({many(size, 'call')})" for name, size in names])
    hidden = len(sizes) - len(lines)
    chart.note(
        f"Not known: {' and '.join(unknown)} of {many(len(calls), 'call')}." if unknown else "",
        f"{many(hidden, 'model')} with fewer calls not shown." if hidden else "",
    )
    return chart


def _panel(axes: Axes, values: pd.Series[Any], model_of: pd.Series[Any], lines: dict[Any, Any]) -> None:
    for model, (colour, dashes) in lines.items():
        known = np.sort(values[(model_of == model) if pd.notna(model) else model_of.isna()].dropna())
        if len(known):
            steps = np.arange(len(known) + 1) / len(known)
            axes.plot([known[0], *known], steps, drawstyle="steps-post", color=colour, linestyle=dashes, linewidth=1.8)
            axes.plot(known[-1:], [1.0], "o", color=colour, markersize=4, clip_on=False)
    numbers_axis(axes, "x", values.dropna())
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(FuncFormatter(share))
    axes.axhline(0.5, color=INK, linewidth=0.5, alpha=0.5)
    grid(axes, "both")
