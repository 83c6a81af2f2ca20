"""What a chart is made of: a log, or a frame that is there already."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nb_agentscope.analysis._tables import tables


def rows_of(log: Any, table: str, columns: list[str], **options: Any) -> pd.DataFrame:
    """Rows of one table with these columns.

    Raises:
        ValueError: A frame lacks one of them.
    """
    if not isinstance(log, pd.DataFrame):
        made: dict[str, pd.DataFrame] = tables(log, [table], columns={table: columns}, **options)
        return made[table]
    missing = [name for name in columns if name not in log.columns]
    if missing:
        raise ValueError(f"A frame for this chart needs the columns of {table}_df; it lacks {', '.join(missing)}.")
    return log[columns].reset_index(drop=True)
