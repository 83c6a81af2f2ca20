"""What a chart is made of: a log, or a frame that is there already."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nb_agentscope.analysis._tables import VISIBLE, tables


def rows_of(log: Any, table: str, columns: list[str], **options: Any) -> pd.DataFrame:
    """Rows of one table with these columns; of model calls only the visible ones.

    Raises:
        ValueError: A frame lacks one of them.
    """
    if not isinstance(log, pd.DataFrame):
        where = {table: VISIBLE} if table == "model_calls" else None
        return tables(log, [table], columns={table: columns}, where=where, **options)[table]
    missing = [name for name in columns if name not in log.columns]
    if missing:
        raise ValueError(f"A frame for this chart needs the columns of {table}_df; it lacks {', '.join(missing)}.")
    rows = log[log["kind"] == VISIBLE["kind"]] if table == "model_calls" and "kind" in log.columns else log
    return rows[columns].reset_index(drop=True)
