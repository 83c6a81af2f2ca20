"""What each model call read and wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from nb_agentscope.analysis._tables import Prices, Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import labels, many
from nb_agentscope.analysis.plots._axes import counts_axis, grid
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._style import INK, INPUT, LINE, LINES, OUTPUT, READ, Look, boxes

_STACK = {
    "cache_read_input_tokens": READ,
    "cache_creation_input_tokens": Look("written to cache", "#808080", "xxxx"),
    "input_tokens_uncached": INPUT,
    "unsplit": Look("input, cached or not", INPUT.colour, "////"),
    "output_tokens": OUTPUT,
}
"""From the bottom up."""
_COLUMNS = [
    "run", "seq", "agent", "usage_known", "input_tokens", "input_tokens_total", "input_tokens_uncached",
    "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens",
]  # fmt: skip
_MARKED = 60
"""Points of a line, and question marks, that are still apart."""


def tokens(
    log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None, prices: Prices = None
) -> Chart:
    """A column for each model call, in the order of the log: input by cache and output; a line for each agent's growing context.

    A call whose usage is not known has no column, but a question mark. Where it is not known whether the reported input holds the
    cached tokens, it is drawn as reported. Of several runs each begins at an upright line.

    Args:
        log: What `events_df` takes, or a frame of `model_calls_df`.
        where: As in `model_calls_df`, as are `strict`, `tz` and `prices`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.
        prices: For what it says of cached tokens.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    calls = rows_of(log, "model_calls", _COLUMNS, where=where, strict=strict, tz=tz, prices=prices)
    if calls.empty:
        return Chart.empty("Tokens per model call", "No model calls in this log.")
    calls = calls.assign(x=np.arange(1, len(calls) + 1), **_split(calls))
    if not calls[list(_STACK)].to_numpy().any():
        return Chart.empty("Tokens per model call", "No model calls with known usage in this log.")
    chart, (axes,) = Chart.new("Tokens per model call", 2.8)
    handles = _columns(axes, calls)
    lines, hidden = _contexts(axes, calls)
    unknown = calls[~calls["usage_known"].fillna(False).astype(bool)]
    _unknown(axes, unknown["x"], len(calls))
    run = calls["run"].astype("string").fillna("")
    starts = calls["x"][run.ne(run.shift())].iloc[1:]
    axes.vlines(starts - 0.5, 0, 1, transform=axes.get_xaxis_transform(), color=LINE, linewidth=0.8)
    axes.set_xlim(0.4, len(calls) + 0.6)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("model call" + (", a line between runs" if len(starts) else ""))
    axes.set_ylabel("tokens")
    for side in ("x", "y"):
        counts_axis(axes, side)
    grid(axes, "y")
    chart.explain(handles + lines, [str(handle.get_label()) for handle in handles + lines])
    chart.note(
        f"{'?' if len(calls) <= _MARKED else '|'}: {many(len(unknown), 'call')} of unknown usage."
        if len(unknown)
        else "",
        f"Contexts of {many(hidden, 'more agent')} not shown." if hidden else "",
    )
    return chart


def _split(calls: pd.DataFrame) -> dict[str, Any]:
    """The parts of each column, 0 where there is none."""
    is_split = calls["input_tokens_uncached"].notna()
    parts = {name: calls[name].where(is_split) for name in list(_STACK)[:3]}
    parts["unsplit"] = calls["input_tokens"].where(~is_split)
    parts["output_tokens"] = calls["output_tokens"]
    context = calls["input_tokens_total"].fillna(calls["input_tokens"])
    return {**{name: floats(part).fillna(0.0) for name, part in parts.items()}, "context": floats(context)}


def _columns(axes: Axes, calls: pd.DataFrame) -> list[Any]:
    handles = []
    bottom = np.zeros(len(calls))
    for name, look in _STACK.items():
        high = calls[name].to_numpy()
        if high.any():
            boxes(axes, calls["x"] - 0.36, bottom, np.where(high > 0, 0.72, 0.0), high, look)
            handles.append(look.patch())
        bottom = bottom + high
    return handles


def _contexts(axes: Axes, calls: pd.DataFrame) -> tuple[list[Any], int]:
    """Lines of the input of each agent in each run, from call to call; and how many agents are too many for it."""
    agents = list(calls.groupby("agent", observed=True, dropna=False, sort=False))
    handles = []
    short = labels((agent for agent, _ in agents[: len(LINES)]), 17)
    for name, (_, group), (_, dashes) in zip(short, agents, LINES, strict=False):
        look: dict[str, Any] = {"color": INK, "linewidth": 1.3, "linestyle": dashes, "markersize": 3.2}
        look["marker"] = "o" if len(calls) <= _MARKED else ""
        drawn = group[group["context"].notna()]
        runs = [one for _, one in drawn.groupby("run", observed=True, dropna=False, sort=False) if len(one) > 1]
        for one in runs:
            axes.plot(one["x"], one["context"], label=f"context of {name}", **look)
        if runs:
            handles.append(Line2D([], [], label=f"context of {name}", **look))
    return handles, max(len(agents) - len(LINES), 0)


def _unknown(axes: Axes, places: pd.Series[Any], n_calls: int) -> None:
    if n_calls > _MARKED:  # letters would lie on each other
        axes.plot(places, [0.02] * len(places), "|", color=INK, markersize=5, transform=axes.get_xaxis_transform())
        return
    for x in places:
        axes.annotate("?", (x, 0), xytext=(0, 3), textcoords="offset points", ha="center", color=INK, fontsize=10)
