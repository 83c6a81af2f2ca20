"""How long the first token took, by what had to be read for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from nb_agentscope.analysis._tables import Prices, Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import labels, many
from nb_agentscope.analysis.plots._axes import grid, numbers_axis
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._style import INK, LINES, MARKS

_TITLE = "Time to first token by input"
_COLUMNS = ["model", "ttft_s", "input_tokens", "input_tokens_total", "cache_read_input_tokens"]


def prefill(
    log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None, prices: Prices = None
) -> Chart:
    """A mark for each model call: its TTFT against its input tokens, hollow if some of them were read from a cache.

    A model reads its input before it writes, so TTFT grows with it; what comes from a cache need not be read again. Where it is
    not known whether the reported input holds the cached tokens, it is drawn as reported.

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
        return Chart.empty(_TITLE, "No model calls in this log.")
    total = floats(calls["input_tokens_total"])
    calls = calls.assign(
        x=total.fillna(floats(calls["input_tokens"])),
        y=floats(calls["ttft_s"]),
        cached=floats(calls["cache_read_input_tokens"]) > 0,
    )
    drawn = calls[calls["x"].notna() & calls["y"].notna()]
    if drawn.empty:
        return Chart.empty(_TITLE, "No model calls with known input and time to first token in this log.")
    chart, (axes,) = Chart.new(_TITLE, 2.9)
    handles, hidden = _marks(axes, drawn)
    numbers_axis(axes, "x", drawn["x"])
    numbers_axis(axes, "y", drawn["y"])
    axes.set_xlabel("input tokens")
    axes.set_ylabel("seconds to first token")
    grid(axes, "both")
    chart.explain(handles, [str(handle.get_label()) for handle in handles])
    as_reported = int((drawn["cached"] & total[drawn.index].isna()).sum())
    chart.note(
        f"Not known for {many(len(calls) - len(drawn), 'call')}." if len(drawn) < len(calls) else "",
        f"{many(as_reported, 'call')} drawn with the input as reported, which may lack what was cached: "
        "accounting in prices= says." if as_reported else "",
        f"{many(hidden, 'model')} with fewer calls not shown." if hidden else "",
    )  # fmt: skip
    return chart


def _marks(axes: Axes, drawn: pd.DataFrame) -> tuple[list[Any], int]:
    """Marks by model, those with most calls first, and how many models are too many for it."""
    sizes = drawn["model"].value_counts(dropna=False)
    models = list(sizes[sizes > 0].index)
    handles: list[Any] = []
    for model, name, mark, (colour, _) in zip(models, labels(models, 28), MARKS, LINES, strict=False):
        mine = drawn[drawn["model"].isna() if pd.isna(model) else drawn["model"] == model]
        look: dict[str, Any] = {"marker": mark, "linestyle": "", "color": colour, "markersize": 6}
        for hollow, group in mine.groupby("cached"):
            faces = {"markerfacecolor": "none", "markeredgewidth": 1.4} if hollow else {"markeredgewidth": 0}
            axes.plot(group["x"], group["y"], label=name, clip_on=False, alpha=1 if hollow else 0.85, **look, **faces)
        handles.append(Line2D([], [], label=name, markeredgewidth=0, **look))
    if np.any(drawn["cached"]):
        hollow_look: dict[str, Any] = {"markerfacecolor": "none", "markeredgewidth": 1.4, "markersize": 6}
        label = "hollow: partly from a cache"
        handles.append(Line2D([], [], marker="o", linestyle="", color=INK, label=label, **hollow_look))
    return handles, max(len(models) - len(MARKS), 0)
