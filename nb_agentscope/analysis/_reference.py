"""The reference page of the tables, made from their columns: `python -m nb_agentscope.analysis._reference docs/tables.md`."""

from __future__ import annotations

import sys
from pathlib import Path

from nb_agentscope.analysis._column import PANDAS_DTYPES, Column, Table
from nb_agentscope.analysis._columns import PROBLEMS, TABLES

_HEAD = """# Tables

Made from the columns that the package declares. All tables have the same columns and dtypes for an empty log. What cannot be
known is NA and never 0. Times are UTC, durations float seconds. `df.attrs` has `schema_version`, `tz_assumed`, `n_events`,
`n_problems`, `problems` (what is missing from the table, and why) and `otel` (names of columns in OpenTelemetry's GenAI
conventions). Frames of Dask have no `attrs`; `problems_df` tells what is missing from them. With `strict=True` the first
problem is an error.

How durations are measured: by the recorder's monotonic clock within one process; processes, and events without it, are placed
by `recorded.at`, else by `created_at`. A duration that a clock makes negative is NA, with a problem. After a monotonic clock has
gone back within a process, it counts only where it agrees with the wall clock to a second.

What events do not tell, others may: the widget's page tells the log when a question could first be seen (`shown_at`), and a model
made by `watch_model(model)` tells it of each of its calls (`attempts`, and rows of `kind` hidden). Calls that are hidden, such as
those that compress the context, are no model calls of their reply: sums, usage, summaries, comparisons, charts and exports leave
them out, and their time counts as overhead. `usage_df(log, where={"kind": "hidden"})` says what they used.
"""

_ANSWERS = (
    ("Where did the time go?", "`summary(log)`; by reply `replies_df(log)`, by moment `intervals_df(log)`"),
    (
        "Which tool is slow?",
        '`tool_calls_df(log).groupby("tool", observed=True)["exec_s"].quantile(0.95)`, or `summary(log).tools`',
    ),
    (
        "How long was waited for people, and what did they say?",
        '`approvals_df(log).groupby(["tool", "decision"], observed=True)["wait_s"].sum()`',
    ),
    (
        "How long has it been waiting for me?",
        '`pd.Timestamp.now("UTC") - approvals_df(log, where={"decision": "pending"})["asked_at"]`; it is in no sum yet',
    ),
    (
        "How fast were they once they saw the question?",
        '`approvals_df(log)["reaction_s"]`; known only where a widget showed it',
    ),
    (
        "What did they change?",
        '`approvals_df(log, where={"edited": True}, columns=["tool", "input_before", "input_after"])`',
    ),
    (
        "What failed, and why?",
        '`summary(log).errors` has the messages, `tool_calls_df(log, where={"state": "error"})` the arguments',
    ),
    (
        "What did a reply do, step by step?",
        '`blocks_df(log, where={"reply_id": id}, columns=["seq", "agent", "kind", "tool", "text"])`',
    ),
    (
        "What did it cost?",
        '`usage_df(log, by=["model", "agent"], prices=prices)`; or by "run", "reply", "session", or a time such as "1h"',
    ),
    (
        "What did the cache save?",
        "`cache_hit_ratio` of the same; its cost once more, with `cache_read` as dear as `input`, less its cost",
    ),
    (
        "What went to sub-agents?",
        '`usage_df(log, by="agent")`; of a reply `subtree_input_tokens` less `own_input_tokens`',
    ),
    ("Were calls tried again?", '`model_calls_df(log)["attempts"]`, if the agent was given `watch_model(model)`'),
    ("Did it get better?", '`compare({"before": "runs/old/", "after": "runs/new/"})`'),
)

_JOINS = """## Joins

A key names a row within one run, so a join is on `run` and the key. Tables share `reply_id`, `model_call_id` (model calls, tool
calls) and `tool_call_id` (tool calls, approvals, events). `ref_id` of an interval is a `model_call_id` if its `kind` is model,
else a `tool_call_id`; `block_id` of a call and of its result is its `tool_call_id`. Where a provider uses an id again in a reply,
`tool_call_id` alone names several calls, which only `tool_calls_df` tells apart, by `occurrence`. `run` and `seq` lead from a row
to its first event.

```python
calls = tool_calls_df(log).merge(model_calls_df(log), on=["run", "reply_id", "model_call_id"], suffixes=("", "_model"))
```

`to_parquet(log, "tables/")` writes what other engines read, such as DuckDB with
`SELECT tool, quantile_cont(exec_s, 0.95) FROM 'tables/tool_calls/*.parquet' GROUP BY tool`.

## The tables
"""


def page() -> str:
    """The page as Markdown."""
    return "\n".join([_HEAD, _answers(), _JOINS, *(_section(table) for table in (*TABLES.values(), PROBLEMS))])


def _answers() -> str:
    lines = [f"| {question} | {answer} |" for question, answer in _ANSWERS]
    about = (
        "`log` is whatever has events: a file, a folder (every `*.jsonl` in it, at any depth), a pattern, a run that goes on.\n"
        'In a notebook `TABLES["replies"]` shows what the columns of a table mean.'
    )
    return "\n".join(["## Questions and answers\n", about, "\n| Question | Answer |\n| --- | --- |", *lines]) + "\n"


def _section(table: Table) -> str:
    key = f" Key within a run: {', '.join(f'`{name}`' for name in table.key)}." if table.key else ""
    columns = [*table.columns, *([] if table.by_key is None else [table.by_key])]
    lines = [f"| {' | '.join(_cells(column))} |" for column in columns]
    head = "| Column | dtype | Unit | Definition | Made of | OpenTelemetry |\n| --- | --- | --- | --- | --- | --- |"
    return f"### {table.name}_df\n\n{table.doc}{key}\n\n{head}\n" + "\n".join(lines) + "\n"


def _cells(column: Column) -> list[str]:
    cells = [f"`{column.name}`", PANDAS_DTYPES[column.dtype], column.unit or "", column.told(), column.source or ""]
    return [cell.replace("|", "\\|") for cell in [*cells, f"`{column.otel}`" if column.otel else ""]]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
