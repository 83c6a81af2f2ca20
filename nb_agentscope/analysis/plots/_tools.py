"""Which tool is slow, and which fails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from nb_agentscope.analysis._totals import exec_seconds
from nb_agentscope.analysis._words import count, many
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import rows_of
from nb_agentscope.analysis.plots._style import INK, Look, boxes, grid, name_rows, seconds_axis, text_beside

_TOOLS = 40
_FAILED = Look("failed", "#d55e00", "////")
_COLOUR = "#1f8a70"


def tool_latency(log: Any) -> Chart:
    """A row for each tool, the slowest at the top: a dot for the `exec_s` of each call, p50 and p95; what failed.

    The rate of failures is of all its calls that ended, denied ones too; calls that ran outside or were denied
    have no time of their own.

    Args:
        log: What `events_df` takes, or a frame of `tool_calls_df`.
    """
    calls = rows_of(log, "tool_calls", ["tool", "exec_s", "state", "ended_at"])
    if calls.empty:
        return Chart.empty("Tools", "tool calls")
    calls = calls.assign(seconds=exec_seconds(calls).astype(float))
    groups = calls.groupby("tool", observed=True, dropna=False)
    order = groups["seconds"].quantile(0.95).sort_values(ascending=False, na_position="last", kind="stable").index
    tools = list(order[:_TOOLS])
    chart, (left, right) = Chart.new("Tools", 0.6 + 0.34 * max(len(tools), 3), (2.6, 1.0))
    for axes in (left, right):
        name_rows(axes, tools)
    right.tick_params(labelleft=False)
    rows = {tool: calls[calls["tool"].isna() if pd.isna(tool) else calls["tool"] == tool] for tool in tools}
    chart.explain(*_times(left, list(rows.values())))
    _failures(right, list(rows.values()))
    unknown, hidden = int(calls["seconds"].isna().sum()), len(order) - len(tools)
    chart.note(
        f"Without a time of their own: {many(unknown, 'call')}." if unknown else "",
        f"{many(hidden, 'faster tool')} not shown." if hidden else "",
    )
    return chart


def _times(axes: Axes, rows: list[pd.DataFrame]) -> tuple[list[Any], list[str]]:
    places = [(y, group["seconds"].dropna().to_numpy()) for y, group in enumerate(rows)]
    x = np.concatenate([times for _, times in places])
    y = np.concatenate([np.full(len(times), float(place)) for place, times in places])
    axes.set_xlabel("seconds")
    grid(axes, "x")
    if not len(x):
        axes.set_xlim(0, 1)
        return [], []
    dots = axes.scatter(
        x, y, s=22, color=_COLOUR, alpha=0.6 if len(x) > 30 else 0.8, linewidths=0, label="call", clip_on=False
    )
    ran = [(place, times) for place, times in places if len(times)]
    at = np.array([place for place, _ in ran])
    middle = axes.vlines(
        [np.quantile(times, 0.5) for _, times in ran], at - 0.3, at + 0.3, color=INK, linewidth=2.2, label="p50"
    )
    p95 = [np.quantile(times, 0.95) for _, times in ran]
    high = axes.vlines(p95, at - 0.3, at + 0.3, color=INK, linewidth=1.1, linestyles=":", label="p95")
    seconds_axis(axes, x)
    return [dots, middle, high], ["call", "p50", "p95"]


def _failures(axes: Axes, rows: list[pd.DataFrame]) -> None:
    ended = np.array([group["ended_at"].notna().sum() for group in rows])
    failed = np.array([(group["state"] == "error").sum() for group in rows])
    rate = np.divide(failed, ended, out=np.zeros(len(rows)), where=ended > 0)
    boxes(axes, 0, np.arange(len(rows)) - 0.28, rate, np.where(failed > 0, 0.56, 0.0), _FAILED)
    for y, (bad, of, width) in enumerate(zip(failed, ended, rate, strict=True)):
        text_beside(axes, f"{count(bad)} of {count(of)}", width, y)
    axes.set_xlim(0, 1.45)
    axes.set_xticks([0, 0.5, 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("failed")
    grid(axes, "x")
