"""What went on when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from nb_agentscope.analysis._tables import Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import count, many
from nb_agentscope.analysis.plots._axes import clock_axis, grid, name_rows
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._names import lane_names
from nb_agentscope.analysis.plots._style import EXTERNAL, INK, MODEL, OTHER, TOOL, YOU, boxes

_LOOKS = {
    "model": MODEL,
    "tool": TOOL,
    "subagent": OTHER._replace(name="sub-agent", hatch=" "),
    "human": YOU,
    "external": EXTERNAL,
}
_COLUMNS = ["run", "seq", "lane", "kind", "start", "end", "duration_s", "critical"]
_LANES = 60
_HIGH = 0.62


def timeline(log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None) -> Chart:
    """A lane for each agent and tool, a box for each time it was at it; waits for people and programs outside are hatched.

    Each run begins at 0. A line below a box: it lies on the path that decided when its reply ended. A box without end in the log
    reaches to the last moment that is known, and is paler.

    Args:
        log: What `events_df` takes, or a frame of `intervals_df`.
        where: As in `intervals_df`, as are `strict` and `tz`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    rows, unplaced = _placed(rows_of(log, "intervals", _COLUMNS, where=where, strict=strict, tz=tz))
    if rows.empty:
        gap = " with a known start" if unplaced else ""
        return Chart.empty("Timeline", f"No intervals{gap} in this log.")
    lanes = list(dict.fromkeys(zip(rows["run"], rows["lane"], strict=True)))
    shown = lanes[:_LANES]
    chart, (axes,) = Chart.new("Timeline", 0.55 + 0.3 * max(len(shown), 3))
    several = rows["run"].nunique() > 1
    name_rows(axes, lane_names(shown, several=several))
    place = {lane: number for number, lane in enumerate(shown)}
    rows = rows.assign(y=[place.get(lane, np.nan) for lane in zip(rows["run"], rows["lane"], strict=True)])
    chart.explain(*_draw(axes, rows.dropna(subset="y")))
    clock_axis(axes, float(rows["right"].max()), "since the start of the run" if several else "")
    grid(axes, "x")
    hidden = len(lanes) - len(shown)
    chart.note(
        f"{many(hidden, 'lane')} more not shown." if hidden else "",
        f"{count(unplaced)} without a known start or end left out." if unplaced else "",
    )
    return chart


def _placed(rows: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The rows with `left` and `right` in seconds since the start of their run, and how many have no place."""
    first = rows.groupby("run", observed=True, dropna=False)["start"].transform("min")
    left = (rows["start"] - first).dt.total_seconds()
    # The duration may come from a better clock than the times.
    right = left + floats(rows["duration_s"])
    is_open = rows["end"].isna()
    ends = right.groupby(rows["run"], observed=True, dropna=False).transform("max")
    last = np.fmax(ends, left.groupby(rows["run"], observed=True, dropna=False).transform("max"))
    rows = rows.assign(left=left, right=right.where(~is_open, last), is_open=is_open)
    has_place = rows["left"].notna() & rows["right"].notna() & rows["lane"].notna()
    return rows[has_place].sort_values("run", kind="stable"), int((~has_place).sum())


def _draw(axes: Axes, rows: pd.DataFrame) -> tuple[list[Any], list[str]]:
    looks = {kind: look for kind, look in _LOOKS.items() if (rows["kind"] == kind).any()}
    for kind, look in looks.items():
        of_kind = rows[rows["kind"] == kind]
        for is_open, group in of_kind.groupby("is_open"):
            wide = group["right"] - group["left"]
            made = boxes(
                axes, group["left"], group["y"] - _HIGH / 2, wide, _HIGH, look, zorder=2 if kind == "subagent" else 3
            )
            made.set_gid("open" if is_open else None)
            made.set_alpha(0.45 if is_open else None)
    critical = rows[rows["critical"].fillna(False).astype(bool)]
    handles: list[Any] = [look.patch() for look in looks.values()]
    names = [look.name for look in looks.values()]
    if len(critical):
        below = critical["y"] + _HIGH / 2 + 0.1
        handles.append(
            axes.hlines(below, critical["left"], critical["right"], color=INK, linewidth=1.6, label="critical path")
        )
        names.append("critical path")
    return handles, names
