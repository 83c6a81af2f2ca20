"""What a chart is made of: a log, or a frame that is there already."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nb_agentscope.analysis._tables import tables


def rows_of(log: Any, table: str, columns: list[str], *, where: Any = None, **options: Any) -> pd.DataFrame:
    """Rows of one table with these columns.

    Args:
        log: A log, or a frame of the table.
        table: Its name.
        columns: Those that the chart needs.
        where: Which rows.
        options: Other arguments of the table's function.

    Raises:
        ValueError: A frame lacks a column, or comes with arguments that only a log can be read with; and as `events_df`.
    """
    if not isinstance(log, pd.DataFrame):
        wheres = None if where is None else {table: where}
        return tables(log, [table], columns={table: columns}, where=wheres, **options)[table]
    given = [name for name, value in {"where": where, **options}.items() if value not in (None, False)]
    if given:
        raise ValueError(f"{given[0]}= is for logs; this is a frame already: give {given[0]}= to {table}_df.")
    missing = [name for name in columns if name not in log.columns]
    if missing:
        raise ValueError(f"A frame for this chart needs the columns of {table}_df; it lacks {', '.join(missing)}.")
    return log[columns].reset_index(drop=True)


def floats(values: pd.Series[Any]) -> pd.Series[Any]:
    """Numbers with NaN where there is none."""
    return values.astype("Float64").astype(float)
