"""What was wrong with a log, so that a value is missing or a line was skipped."""

from __future__ import annotations

from typing import NamedTuple


class AnalysisProblem(NamedTuple):
    """One thing that did not fit."""

    run: str
    """Name of the log."""
    seq: int | None
    """Place in the log; None if it is about the whole log."""
    rule: str
    """What kind of problem: `bad_line`, `bad_time`, `clock_backwards`, `bad_number`, ..."""
    message: str
    """One sentence."""
