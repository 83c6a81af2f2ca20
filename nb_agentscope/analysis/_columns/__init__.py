"""All tables, one file each."""

from nb_agentscope.analysis._column import Table
from nb_agentscope.analysis._columns._approvals import APPROVALS
from nb_agentscope.analysis._columns._blocks import BLOCKS
from nb_agentscope.analysis._columns._events import EVENTS
from nb_agentscope.analysis._columns._intervals import INTERVALS
from nb_agentscope.analysis._columns._model_calls import MODEL_CALLS
from nb_agentscope.analysis._columns._problems import PROBLEMS
from nb_agentscope.analysis._columns._replies import REPLIES
from nb_agentscope.analysis._columns._tool_calls import TOOL_CALLS
from nb_agentscope.analysis._columns._usage import USAGE

TABLES: dict[str, Table] = {
    table.name: table for table in (EVENTS, REPLIES, MODEL_CALLS, TOOL_CALLS, APPROVALS, BLOCKS, USAGE, INTERVALS)
}
LOG_TABLES = tuple(name for name in TABLES if name != "usage")
"""Those that are read from a log; usage is made of them."""


def table_of_log(name: str) -> Table:
    """The table of this name.

    Raises:
        ValueError: There is none, or it is not read from a log.
    """
    if name in LOG_TABLES:
        return TABLES[name]
    hint = " usage_df(log) makes that of usage." if name == "usage" else ""
    raise ValueError(f"There is no table {name!r} of a log; there are {', '.join(LOG_TABLES)}.{hint}")


__all__ = [
    "APPROVALS",
    "BLOCKS",
    "EVENTS",
    "INTERVALS",
    "LOG_TABLES",
    "MODEL_CALLS",
    "PROBLEMS",
    "REPLIES",
    "TABLES",
    "TOOL_CALLS",
    "USAGE",
    "table_of_log",
]
