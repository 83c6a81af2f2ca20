"""The table of problems: what did not fit in a log."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import RUN

PROBLEMS = Table(
    "problems",
    "One row for each thing that did not fit: a line that was skipped, a value that is missing from any table.",
    (),
    (
        RUN,
        Column("seq", "int", "Place in the log; NA if it is about the whole log."),
        Column("rule", "cat", "What kind of problem: `bad_line`, `bad_time`, `clock_backwards`, `bad_number`, ..."),
        Column("message", "str", "One sentence."),
    ),
)
