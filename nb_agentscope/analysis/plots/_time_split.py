"""Where the time went."""

from __future__ import annotations

from typing import Any

import numpy as np

from nb_agentscope.analysis._tables import Zone
from nb_agentscope.analysis._totals import PARTS
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import many, seconds
from nb_agentscope.analysis.plots._axes import clock_axis, grid, name_rows, text_beside
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import rows_of
from nb_agentscope.analysis.plots._names import lane_names
from nb_agentscope.analysis.plots._style import EXTERNAL, MODEL, OTHER, TOOL, YOU, boxes

_LOOKS = dict(zip(PARTS, (MODEL, TOOL._replace(name="tools, sub-agents"), YOU, EXTERNAL, OTHER), strict=True))
_ROWS = 40


def time_split(log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None) -> Chart:
    """A bar for each agent: its wall time by model, tools, waiting for people and for programs outside, and the rest.

    Of several runs each has a bar for each agent. A sub-agent's time lies within the tool time of its caller, too.

    Args:
        log: What `events_df` takes, or a frame of `replies_df`.
        where: As in `replies_df`, as are `strict` and `tz`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    replies = rows_of(log, "replies", ["run", "agent", *PARTS.values()], where=where, strict=strict, tz=tz)
    groups = replies.groupby(["run", "agent"], observed=True, dropna=False, sort=False)
    sums = groups[list(PARTS.values())].sum(min_count=1).astype("Float64").astype(float)
    if not sums.notna().any(axis=None):
        return Chart.empty("Where the time went", "No replies with known times in this log.")
    shown = sums.head(_ROWS)
    chart, (axes,) = Chart.new("Where the time went", 0.6 + 0.42 * max(len(shown), 2))
    several = replies["run"].nunique() > 1
    name_rows(axes, lane_names(shown.index, several=several))
    rows = np.arange(len(shown))
    left = np.zeros(len(shown))
    handles = []
    for part, column in PARTS.items():
        wide = shown[column].fillna(0.0).to_numpy()
        if wide.any():
            boxes(axes, left, rows - 0.3, wide, 0.6, _LOOKS[part])
            handles.append(_LOOKS[part].patch())
        left = left + wide
    for y, (whole, wall) in enumerate(zip(left, shown.sum(axis=1, min_count=1), strict=True)):
        text_beside(axes, seconds(wall), whole, y)
    clock_axis(axes, float(left.max()) * 1.18)
    grid(axes, "x")
    chart.explain(handles, [str(handle.get_label()) for handle in handles])
    unknown = int(replies[list(PARTS.values())].isna().any(axis=1).sum())
    hidden = len(sums) - len(shown)
    chart.note(
        f"Time that is not known is left out: of {many(unknown, 'reply', 'replies')}." if unknown else "",
        f"{many(hidden, 'bar')} more not shown." if hidden else "",
    )
    return chart
