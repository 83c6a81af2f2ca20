"""What each model call read and wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nb_agentscope.analysis._words import count, label, many
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import rows_of
from nb_agentscope.analysis.plots._style import INK, LINES, Look, boxes, grid

_STACK = {
    "cache_read_input_tokens": Look("read from cache", "#1f8a70", "--"),
    "cache_creation_input_tokens": Look("written to cache", "#808080", "xxxx"),
    "input_tokens_uncached": Look("other input", "#2f7fd1"),
    "unsplit": Look("input, cached or not", "#2f7fd1", "////"),
    "output_tokens": Look("output", "#d55e00"),
}
"""From the bottom up."""
_COLUMNS = [
    "run", "seq", "agent", "usage_known", "input_tokens", "input_tokens_total", "input_tokens_uncached",
    "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens",
]  # fmt: skip
_AGENTS = 6


def tokens(log: Any, *, prices: Any = None) -> Chart:
    """A column for each model call, in the order of the log: input by cache and output; a line for each agent's growing context.

    A call whose usage is not known has no column, but a question mark. Where it is not known whether the reported input holds the
    cached tokens, it is drawn as reported.

    Args:
        log: What `events_df` takes, or a frame of `model_calls_df`.
        prices: As in `model_calls_df`, for what it says of cached tokens.
    """
    calls = rows_of(log, "model_calls", _COLUMNS, **({} if isinstance(log, pd.DataFrame) else {"prices": prices}))
    if calls.empty:
        return Chart.empty("Tokens per model call", "model calls")
    chart, (axes,) = Chart.new("Tokens per model call", 2.8)
    calls = calls.assign(x=np.arange(1, len(calls) + 1), **_split(calls))
    handles = _columns(axes, calls)
    handles += _contexts(axes, calls)
    unknown = calls[~calls["usage_known"].fillna(False).astype(bool)]
    for x in unknown["x"].head(200):
        axes.annotate("?", (x, 0), xytext=(0, 3), textcoords="offset points", ha="center", color=INK, fontsize=10)
    axes.set_xlim(0.4, len(calls) + 0.6)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("model call")
    axes.set_ylabel("tokens")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: count(value).replace("\u202f", " ")))
    grid(axes, "y")
    chart.explain(handles, [handle.get_label() for handle in handles])
    chart.note(f"?: {many(len(unknown), 'call')} of unknown usage." if len(unknown) else "")
    return chart


def _split(calls: pd.DataFrame) -> dict[str, Any]:
    """The parts of each column, 0 where there is none."""
    is_split = calls["input_tokens_uncached"].notna()
    parts = {name: calls[name].where(is_split) for name in list(_STACK)[:3]}
    parts["unsplit"] = calls["input_tokens"].where(~is_split)
    parts["output_tokens"] = calls["output_tokens"]
    context = calls["input_tokens_total"].fillna(calls["input_tokens"])
    return {**{name: _floats(part).fillna(0.0) for name, part in parts.items()}, "context": _floats(context)}


def _floats(values: pd.Series[Any]) -> pd.Series[Any]:
    return values.astype("Float64").astype(float)


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


def _contexts(axes: Axes, calls: pd.DataFrame) -> list[Any]:
    """Lines of the input of each agent, from call to call."""
    handles = []
    groups = list(calls.groupby(["run", "agent"], observed=True, dropna=False, sort=False))
    for ((_, agent), group), (_, dashes) in zip(groups[:_AGENTS], LINES, strict=False):
        drawn = group[group["context"].notna()]
        if len(drawn) > 1:
            name = f"context of {label(agent, 16)}"
            marks: dict[str, Any] = {
                "marker": "o",
                "markersize": 3.2,
                "linewidth": 1.3,
                "linestyle": dashes,
                "color": INK,
            }
            handles += axes.plot(drawn["x"], drawn["context"], label=name, **marks)
    return handles
