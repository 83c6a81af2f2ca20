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


def page() -> str:
    """The page as Markdown."""
    return "\n".join([_HEAD, *(_section(table) for table in (*TABLES.values(), PROBLEMS))])


def _section(table: Table) -> str:
    key = f"Key within a run: {', '.join(f'`{name}`' for name in table.key)}.\n" if table.key else ""
    columns = [*table.columns, *([] if table.by_key is None else [table.by_key])]
    lines = [f"| {' | '.join(_cells(column))} |" for column in columns]
    head = "| Column | dtype | Unit | Definition | Made of | OpenTelemetry |\n| --- | --- | --- | --- | --- | --- |"
    return f"## {table.name}_df\n\n{table.doc} {key}\n{head}\n" + "\n".join(lines) + "\n"


def _cells(column: Column) -> list[str]:
    doc = column.doc
    if column.categories:
        doc += f" Values: {', '.join(f'`{value}`' for value in column.categories)}."
    if column.opt_in:
        doc += " Only if named in `columns=`."
    if column.by_delta:
        doc += " Differs where deltas were joined."
    cells = [f"`{column.name}`", PANDAS_DTYPES[column.dtype], column.unit or "", doc, column.source or ""]
    return [cell.replace("|", "\\|") for cell in [*cells, f"`{column.otel}`" if column.otel else ""]]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
