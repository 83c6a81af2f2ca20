"""Which tool is slow, and which fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from nb_agentscope.analysis._tables import Zone
from nb_agentscope.analysis._totals import exec_seconds
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import count, many
from nb_agentscope.analysis.plots._axes import grid, name_rows, nothing, numbers_axis, share, text_beside
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import rows_of
from nb_agentscope.analysis.plots._names import names
from nb_agentscope.analysis.plots._style import INK, Look, boxes

_TOOLS = 40
_FAILED = Look("failed", "#d55e00", "////")
_COLOUR = "#1f8a70"
_HALF = Look("middle half", INK, " ")
_ENOUGH = 5
"""Calls, for a half of them to mean something."""
_PERCENTILES: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.5, {"label": "p50", "linewidth": 2.2}),
    (0.95, {"label": "p95", "linewidth": 1.3, "linestyles": ":"}),
)


def tool_latency(log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None) -> Chart:
    """A row for each tool, the slowest at the top: a ring for the `exec_s` of each call, p50, p95, the middle half; what failed.

    The rate of failures is of all its calls that ended, denied ones too; calls that ran outside or were denied
    have no time of their own.

    Args:
        log: What `events_df` takes, or a frame of `tool_calls_df`.
        where: As in `tool_calls_df`, as are `strict` and `tz`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    calls = rows_of(log, "tool_calls", ["tool", "exec_s", "state", "ended_at"], where=where, strict=strict, tz=tz)
    if calls.empty:
        return Chart.empty("Tools", "No tool calls in this log.")
    calls = calls.assign(seconds=exec_seconds(calls).astype(float))
    groups = calls.groupby("tool", observed=True, dropna=False)
    order = groups["seconds"].quantile(0.95).sort_values(ascending=False, na_position="last", kind="stable").index
    tools = list(order[:_TOOLS])
    chart, (left, right) = Chart.new("Tools", 0.6 + 0.34 * max(len(tools), 3), (2.6, 1.0))
    for axes in (left, right):
        name_rows(axes, names(tools, 28))
    right.tick_params(labelleft=False)
    rows = {tool: calls[calls["tool"].isna() if pd.isna(tool) else calls["tool"] == tool] for tool in tools}
    chart.explain(*_times(left, list(rows.values())))
    _failures(right, list(rows.values()))
    unknown, hidden = int(calls["seconds"].isna().sum()), len(order) - len(tools)
    chart.note(
        f"Without a time of their own: {many(unknown, 'call')}." if unknown else "",
        f"{many(hidden, 'more tool')} not shown." if hidden else "",
    )
    return chart


def _times(axes: Axes, rows: list[pd.DataFrame]) -> tuple[list[Any], list[str]]:
    """A ring for each call; percentiles, and the middle half where there are enough calls for one."""
    ran = {y: times for y, group in enumerate(rows) if len(times := group["seconds"].dropna().to_numpy())}
    axes.set_xlabel("seconds")
    grid(axes, "x")
    if not ran:
        nothing(axes, "No known times.", has_rows=True)
        return [], []
    x = np.concatenate(list(ran.values()))
    places = np.array(list(ran), dtype=float)
    y = np.repeat(places, [len(times) for times in ran.values()])
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": _COLOUR, "linewidths": 1.2}
    handles: list[Any] = [axes.scatter(x, y, s=24, label="call", clip_on=False, **ring)]
    for quantile, look in _PERCENTILES:
        at = [np.quantile(times, quantile) for times in ran.values()]
        handles.append(axes.vlines(at, places - 0.32, places + 0.32, color=INK, **look))
    often = {y: np.quantile(times, [0.25, 0.75]) for y, times in ran.items() if len(times) >= _ENOUGH}
    if often:
        low, high = np.array(list(often.values())).T
        boxes(axes, low, np.array(list(often)) - 0.22, high - low, 0.44, _HALF, zorder=0.9)
        handles.append(_HALF.patch())
    numbers_axis(axes, "x", x)
    return handles, [str(handle.get_label()) for handle in handles]


def _failures(axes: Axes, rows: list[pd.DataFrame]) -> None:
    ended = np.array([group["ended_at"].notna().sum() for group in rows])
    failed = np.array([(group["state"] == "error").sum() for group in rows])
    rate = np.divide(failed, ended, out=np.zeros(len(rows)), where=ended > 0)
    boxes(axes, 0, np.arange(len(rows)) - 0.28, rate, np.where(failed > 0, 0.56, 0.0), _FAILED)
    for y, (bad, of, width) in enumerate(zip(failed, ended, rate, strict=True)):
        text_beside(axes, f"{count(bad)} of {count(of)}", width, y)
    axes.set_xlim(0, 1.45)
    axes.set_xticks([0, 0.5, 1])
    axes.xaxis.set_major_formatter(FuncFormatter(share))
    axes.set_xlabel("failed")
    grid(axes, "x")
