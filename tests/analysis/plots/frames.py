"""Frames of the tables, made up: rows that know nothing, or as many as a test wants."""

import pandas as pd

from nb_agentscope.analysis import TABLES, plots
from nb_agentscope.analysis._column import PANDAS_DTYPES

TABLE_OF = {
    plots.approvals: "approvals",
    plots.cost: "model_calls",
    plots.latency: "model_calls",
    plots.prefill: "model_calls",
    plots.time_split: "replies",
    plots.timeline: "intervals",
    plots.tokens: "model_calls",
    plots.tool_latency: "tool_calls",
}
BEGAN = pd.Timestamp("2026-01-01", tz="UTC")


def frame(table, rows, **values):
    """`rows` rows; columns that are not given are NA."""
    columns = TABLES[table].columns
    made = pd.DataFrame({column.name: pd.Series([pd.NA] * rows, dtype="object") for column in columns})
    for name in set(values) & set(made.columns):
        made[name] = values[name]
    return made.astype({column.name: PANDAS_DTYPES[column.dtype] for column in columns})


def full(table, rows, names=("solo",), runs=1):
    """`rows` rows of everything that a chart draws, by turns for each of the names and of a run."""
    turn = range(rows)
    second = [(7 * n) % 23 / 8 + 0.25 for n in turn]
    began = [BEGAN + pd.Timedelta(seconds=n) for n in turn]
    ended = [start + pd.Timedelta(seconds=wide) for start, wide in zip(began, second, strict=True)]
    name = [names[n % len(names)] for n in turn]
    kinds = {"approvals": ("confirm", "external"), "intervals": ("model", "tool", "human", "external", "subagent")}
    decision = ("approved", "denied", "answered", "interrupted", "expired", "pending")
    tokens = [100 + 37 * n for n in turn]
    values = {"run": [f"run {n * runs // rows}" for n in turn], "seq": turn, "critical": True, "usage_known": True,
              "started_at": began, "start": began, "ended_at": ended, "end": ended,
              "kind": [kinds.get(table, ("local",))[n % len(kinds.get(table, ("local",)))] for n in turn],
              "decision": [decision[n % 6] for n in turn], "state": [("success", "error")[n % 2] for n in turn],
              "input_tokens": tokens, "input_tokens_total": tokens, "input_tokens_uncached": [t // 2 for t in tokens],
              "cache_read_input_tokens": [t - t // 2 for t in tokens], "cache_creation_input_tokens": 0,
              "output_tokens": 9, "total_cost": [s / 1000 for s in second]}  # fmt: skip
    values |= dict.fromkeys(("agent", "model", "tool", "lane"), name)
    times = (
        "duration_s",
        "exec_s",
        "wait_s",
        "ttft_s",
        "tpot_s",
        "model_s",
        "tool_s",
        "human_wait_s",
        "external_wait_s",
    )
    values |= dict.fromkeys((*times, "overhead_s"), second)
    return frame(table, rows, **values)
