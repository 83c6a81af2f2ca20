"""Logs as tables, and what can be measured on them.

- Tables: `events_df`, `replies_df`, `model_calls_df`, `tool_calls_df`, `approvals_df`, `blocks_df`, `intervals_df`, `usage_df`;
  several at once with `tables`; what did not fit with `problems_df`. `help(events_df)` explains the arguments they share.
- `TABLES`: what each column means, by name of the table: `TABLES["replies"]`.
- Answers: `summary`, `compare`, and the charts of `nb_agentscope.analysis.plots`.
- For other tools: `to_parquet` and `read_parquet`, `to_otel_spans`, `to_pm4py`.
"""

from nb_agentscope.analysis._columns import TABLES
from nb_agentscope.analysis._compare import compare
from nb_agentscope.analysis._exports import to_otel_spans, to_pm4py
from nb_agentscope.analysis._parquet import read_parquet, to_parquet
from nb_agentscope.analysis._problems import problems_df
from nb_agentscope.analysis._summary import Summary, summary
from nb_agentscope.analysis._tables import (
    approvals_df,
    blocks_df,
    events_df,
    intervals_df,
    model_calls_df,
    replies_df,
    tables,
    tool_calls_df,
)
from nb_agentscope.analysis._usage import usage_df

__all__ = [
    "TABLES",
    "Summary",
    "approvals_df",
    "blocks_df",
    "compare",
    "events_df",
    "intervals_df",
    "model_calls_df",
    "problems_df",
    "read_parquet",
    "replies_df",
    "summary",
    "tables",
    "to_otel_spans",
    "to_parquet",
    "to_pm4py",
    "tool_calls_df",
    "usage_df",
]
