"""What it came to as time went on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nb_agentscope.analysis._tables import Prices, Zone
from nb_agentscope.analysis._where import Where
from nb_agentscope.analysis._words import MISSING, at_least, labels, many, usd
from nb_agentscope.analysis.plots._axes import clock_axis, grid, plain
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._given import floats, rows_of
from nb_agentscope.analysis.plots._style import INK, LINE, LINES, MARKS

_TITLE = "Cost over time"
_COLUMNS = ["run", "seq", "model", "started_at", "ended_at", "total_cost"]
_APART = 60
"""Marks on a line that are still apart."""
_STEPS: dict[str, Any] = {"drawstyle": "steps-post", "clip_on": False}


def cost(
    log: Any, *, where: Where | None = None, strict: bool = False, tz: Zone = None, prices: Prices = None
) -> Chart:
    """Steps of what the model calls so far cost, in USD, each at the end of a call.

    Of one run, a line with marks that tell the model of each step. Of several runs, a line for each, with its
    first call at 0; the six dearest have colours. A call without a price is left out and counted: the sums are lower bounds then.

    Args:
        log: What `events_df` takes, or a frame of `model_calls_df`.
        where: As in `model_calls_df`, as are `strict`, `tz` and `prices`; all only with a log.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.
        prices: USD per million tokens by model; there are no built-in prices.

    Returns:
        A `matplotlib.figure.Figure` that shows itself.

    Raises:
        ValueError: A frame lacks columns; and as `events_df`.
    """
    calls = rows_of(log, "model_calls", _COLUMNS, where=where, strict=strict, tz=tz, prices=prices)
    if calls.empty:
        return Chart.empty(_TITLE, "No model calls in this log.")
    calls = calls.assign(usd=floats(calls["total_cost"]), second=_seconds(calls))
    if not calls["usd"].notna().any():
        return Chart.empty(_TITLE, "No model calls with a known cost in this log; prices= says what tokens cost.")
    priced = _known(calls)
    if priced.empty:
        return Chart.empty(_TITLE, "No model calls with a known cost and a known time in this log.")
    chart, (axes,) = Chart.new(_TITLE, 2.7)
    several = calls["run"].nunique(dropna=False) > 1
    chart.explain(*(_runs if several else _one_run)(axes, calls))
    clock_axis(axes, float(priced["second"].max()), "since the first call" + (" of the run" if several else ""))
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"${plain(value)}"))
    axes.set_ylabel("USD")
    grid(axes, "y")
    missing = len(calls) - len(priced)
    chart.note(f"≥: without {many(missing, 'call')} whose cost or time is not known." if missing else "")
    return chart


def _seconds(calls: pd.DataFrame) -> pd.Series[Any]:
    """The end of each call, or its start, since the first start of its run."""
    first = calls.groupby("run", observed=True, dropna=False)["started_at"].transform("min")
    return (calls["ended_at"].fillna(calls["started_at"]) - first).dt.total_seconds()


def _by(calls: pd.DataFrame, column: str) -> list[tuple[Any, pd.DataFrame]]:
    """Calls by a column, the dearest first."""
    groups = list(calls.groupby(column, observed=True, dropna=False, sort=False))
    return sorted(groups, key=lambda group: -group[1]["usd"].sum())


def _runs(axes: Axes, calls: pd.DataFrame) -> tuple[list[Any], list[str]]:
    """A line for each."""
    groups = _by(calls, "run")
    shown, others = groups[: len(LINES)], groups[len(LINES) :]
    for _, group in others:
        axes.plot(*_steps(group), color=LINE, linewidth=0.9, zorder=1.5, **_STEPS)
    handles = []
    for (_, group), (colour, dashes) in zip(shown, LINES, strict=False):
        handles += axes.plot(*_steps(group), color=colour, linestyle=dashes, linewidth=1.8, **_STEPS)
        axes.plot(*(values[-1:] for values in _steps(group)), "o", color=colour, markersize=4, clip_on=False)
    texts = [
        f"{name} {_total(group)}"
        for name, (_, group) in zip(labels((name for name, _ in shown), 16), shown, strict=True)
    ]
    if others:
        handles.append(Line2D([], [], color=LINE, linewidth=0.9))
        texts.append(f"{many(len(others), 'cheaper run')}")
    return handles, texts


def _one_run(axes: Axes, calls: pd.DataFrame) -> tuple[list[Any], list[str]]:
    """A line, with marks that tell whose calls its steps are."""
    handles = list(axes.plot(*_steps(calls), color=INK, linewidth=1.3, **_STEPS))
    known = _known(calls).assign(sum=lambda one: one["usd"].cumsum())
    groups = _by(calls, "model")[: len(LINES)]
    texts = [f"together {_total(calls)}"]
    if len(groups) == 1:  # it would say the same twice
        handles, texts = [], []
    names = labels((name for name, _ in groups), 16)
    for name, mark, (model, group), (colour, _) in zip(names, MARKS, groups, LINES, strict=False):
        mine = known[known["model"].isna() if pd.isna(model) else known["model"] == model]
        size = 6 if len(known) <= _APART else 3.5
        handles += axes.plot(mine["second"], mine["sum"], mark, color=colour, markersize=size, clip_on=False)
        texts.append(f"{name} {_total(group)}")
    return handles, texts


def _known(group: pd.DataFrame) -> pd.DataFrame:
    return group[group["usd"].notna() & group["second"].notna()].sort_values("second", kind="stable")


def _steps(group: pd.DataFrame) -> tuple[Any, Any]:
    """From nothing, up at each call."""
    known = _known(group)
    return np.array([0.0, *known["second"]]), np.array([0.0, *known["usd"].cumsum()])


def _total(group: pd.DataFrame) -> str:
    known = _known(group)
    return at_least(usd(known["usd"].sum()), len(group) - len(known)) if len(known) else MISSING
