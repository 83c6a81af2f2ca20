"""How long people and programs outside were waited for, and what they said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from nb_agentscope.analysis._tables import Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import count, many
from nb_agentscope.analysis.plots._axes import counts_axis, grid, name_rows, nothing, plain, text_beside
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._names import names
from nb_agentscope.analysis.plots._style import ANSWERED, APPROVED, DENIED, OTHER, boxes

_TITLE = "Questions to people and programs outside"
_COLUMNS = ["tool", "kind", "decision", "decided_by", "wait_s"]
_LOOKS = {
    "approved": APPROVED,
    "denied": DENIED,
    "answered": ANSWERED,
    "interrupted": OTHER._replace(name="interrupted"),
    "expired": OTHER._replace(name="expired", hatch="xxxx"),
    "pending": OTHER._replace(name="pending", hatch=" "),
}
_TOOLS = 40
_STEPS = (1.0, 2.0, 5.0)
_BINS = 12


def approvals(log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None) -> Chart:
    """Left, how many questions waited how long, by what was decided; right, the decisions on each tool's calls.

    Questions to programs outside and to the user count as well as those for approval; all are rows of `approvals_df`.

    Args:
        log: What `events_df` takes, or a frame of `approvals_df`.
        where: As in `approvals_df`, as are `strict` and `tz`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    asked = rows_of(log, "approvals", _COLUMNS, where=where, strict=strict, tz=tz)
    if asked.empty:
        return Chart.empty(_TITLE, "No questions in this log.")
    asked = asked.assign(seconds=floats(asked["wait_s"]))
    sizes = asked["tool"].value_counts(dropna=False)
    tools = list(sizes[sizes > 0].index)
    shown = tools[:_TOOLS]
    chart, (left, right) = Chart.new(_TITLE, max(2.3, 0.6 + 0.34 * len(shown)), (1.0, 1.0))
    _waits(left, asked)
    _decisions(right, asked, shown)
    looks = [look for decision, look in _LOOKS.items() if (asked["decision"] == decision).any()]
    chart.explain([look.patch() for look in looks], [look.name for look in looks])
    unknown, hidden = int(asked["seconds"].isna().sum()), len(tools) - len(shown)
    by_machine = int(asked["decided_by"].isin(["rule", "policy", "code"]).sum())
    chart.note(
        f"Wait not known, or not over: {many(unknown, 'question')}." if unknown else "",
        f"Decided by a rule, a policy or code: {count(by_machine)} of {count(len(asked))}." if by_machine else "",
        f"{many(hidden, 'more tool')} not shown." if hidden else "",
    )
    return chart


def _waits(axes: Axes, asked: pd.DataFrame) -> None:
    """A histogram, stacked by decision."""
    known = asked[asked["seconds"].notna()]
    axes.set_xlabel("wait, seconds")
    if known.empty:
        nothing(axes, "No known waits.")
        return
    edges, is_log = _edges(known["seconds"].to_numpy())
    bottom, gaps = np.zeros(len(edges) - 1), np.diff(edges) * 0.03
    for decision, look in _LOOKS.items():
        high, _ = np.histogram(known["seconds"][known["decision"] == decision], edges)
        full = high > 0
        boxes(axes, (edges[:-1] + gaps)[full], bottom[full], (np.diff(edges) - 2 * gaps)[full], high[full], look)
        bottom = bottom + high
    if is_log:
        # The first bin begins at 0; the axis below its end is only there to be seen.
        axes.set_xscale("symlog", linthresh=edges[1], linscale=0.3)
        axes.minorticks_off()
    marks = edges[:: -(-len(edges) // 6)]
    axes.set_xticks(marks, [plain(mark) for mark in marks])
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0, bottom.max() * 1.08)
    axes.set_ylabel("questions")
    counts_axis(axes, "y")
    grid(axes, "y")


def _edges(values: Any) -> tuple[Any, bool]:
    """Round edges of bins from 0: of one width, or 1, 2, 5, 10 … where the longest is a hundred times the shortest."""
    longest = max(float(values.max()), 1e-3)
    positive = values[values > 0]
    powers = range(int(np.floor(np.log10(longest / _BINS))) - 4, int(np.ceil(np.log10(longest))) + 2)
    round_ = np.array([step * 10.0**power for power in powers for step in _STEPS])
    if len(positive) and positive.max() / positive.min() > 100:
        low = round_[round_ <= positive.min()]
        first = low[-1] if len(low) else round_[0]
        last = round_[round_ >= longest][0]
        return np.array([0.0, *round_[(round_ > first) & (round_ <= last)]]), True
    width = round_[round_ >= longest / _BINS][0]
    return np.arange(int(longest / width) + 2) * width, False


def _decisions(axes: Axes, asked: pd.DataFrame, tools: list[Any]) -> None:
    """A bar for each tool, parted by decision."""
    name_rows(axes, names(tools, 22))
    rows = [asked[asked["tool"].isna() if pd.isna(tool) else asked["tool"] == tool] for tool in tools]
    left = np.zeros(len(tools))
    for decision, look in _LOOKS.items():
        wide = np.array([float((group["decision"] == decision).sum()) for group in rows])
        full = wide > 0
        boxes(axes, left[full], np.flatnonzero(full) - 0.3, wide[full], 0.6, look)
        left = left + wide
    for y, group in enumerate(rows):
        to_confirm = group["decision"][group["kind"] == "confirm"]
        denied = f"{count((to_confirm == 'denied').sum())} of {count(len(to_confirm))} denied"
        text_beside(axes, denied if len(to_confirm) else count(len(group)), left[y], y)
    axes.set_xlim(0, max(left.max(), 1) * 1.75)
    axes.set_xlabel("questions")
    counts_axis(axes, "x")
    grid(axes, "x")
