"""Lines of a log as plain rows: one dict an event, nothing checked but that it is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic_core import from_json

Row = dict[str, Any]
OnProblem = Callable[[str, str], None]
"""Called with the rule and the sentence of a problem."""

FIELDS = {
    "TEXT_BLOCK_DELTA": "block_id",
    "THINKING_BLOCK_DELTA": "block_id",
    "TOOL_CALL_DELTA": "tool_call_id",
    "TOOL_RESULT_TEXT_DELTA": "tool_call_id",
}
"""The deltas of text, nearly all events of a log, and the field that says what they belong to."""


def read_rows(path: Path, problem: OnProblem) -> Iterator[Row]:
    """Yield the event of each line; a bad line becomes a problem that names file and line.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = from_json(line)
            except ValueError as error:
                if line.strip():
                    problem("bad_line", f"{path}, line {number}: no JSON: {error}; the line is left out.")
                continue
            if type(row) is dict:
                yield row
            else:
                what = f"an event must be one JSON object, got {type(row).__name__}"
                problem("bad_line", f"{path}, line {number}: {what}; the line is left out.")
