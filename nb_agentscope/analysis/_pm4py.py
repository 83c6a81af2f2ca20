"""Table rows as an event log for process mining, with the column names of XES that pm4py reads.

One row for each thing that happened: a model call, a tool call, a question to a person. The case is the conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]

COLUMNS = (
    "case:concept:name",
    "concept:name",
    "start_timestamp",
    "time:timestamp",
    "lifecycle:transition",
    "org:resource",
    "reply_id",
    "ref_id",
)
"""What each row has, in this order; times as whole microseconds since 1970 UTC."""

_TRANSITIONS = {"error": "ate_abort", "interrupted": "ate_abort", "denied": "withdraw", "expired": "withdraw"}
"""How XES calls an end that is not a completion, by status, state or decision."""


def pm4py_rows(
    replies: Iterable[Row],
    model_calls: Iterable[Row] = (),
    tool_calls: Iterable[Row] = (),
    approvals: Iterable[Row] = (),
    *,
    case: str = "session_id",
) -> list[dict[str, Any]]:
    """Rows of an event log, in order of time within their case.

    What has not ended is a row at its start, with the transition "start". What has no time gives no row.

    Args:
        replies: Rows of the table of replies: they tell the session of the others.
        model_calls: Rows of the table of model calls; the activity is "model call".
        tool_calls: Rows of the table of tool calls; the activity is the name of the tool, "tool call" if it is not known.
        approvals: Rows of the table of approvals; the activity is "approve NAME", "submit NAME" or "answer NAME".
        case: What is one case: "session_id" or "reply_id". A reply without a session is its own case.

    Raises:
        ValueError: `case` is neither.
    """
    if case not in ("session_id", "reply_id"):
        raise ValueError(f"A case can be 'session_id' or 'reply_id', got {case!r}.")
    cases = {row["reply_id"]: row.get(case) or row["reply_id"] for row in replies}
    made = [
        *(
            _made(row, "model call", "started_at", "ended_at", row.get("status"), "model_call_id")
            for row in model_calls
        ),
        *(
            _made(row, row.get("tool") or "tool call", _tool_start(row), "ended_at", row.get("state"), "tool_call_id")
            for row in tool_calls
        ),
        *(_asked(row) for row in approvals),
    ]
    rows = [{"case:concept:name": cases.get(row["reply_id"], row["reply_id"]), **row} for row in made]
    known = [row for row in rows if row["time:timestamp"] is not None]
    return sorted(known, key=lambda row: (row["case:concept:name"], row["time:timestamp"]))


def _made(row: Row, name: Any, start: str, end: str, state: Any, ref: str) -> dict[str, Any]:
    started, ended = row.get(start), row.get(end)
    return {
        "concept:name": name,
        "start_timestamp": started,
        "time:timestamp": started if ended is None else ended,
        "lifecycle:transition": "start" if ended is None else _TRANSITIONS.get(state, "complete"),
        "org:resource": row.get("agent"),
        "reply_id": row["reply_id"],
        "ref_id": row.get(ref),
    }


def _asked(row: Row) -> dict[str, Any]:
    verb = {"external": "submit", "ask_user": "answer"}.get(str(row.get("kind")), "approve")
    name = " ".join(filter(None, (verb, row.get("tool"))))
    made = _made(row, name, "asked_at", "decided_at", row.get("decision"), "tool_call_id")
    return {**made, "org:resource": row.get("decided_by") or "user"}


def _tool_start(row: Row) -> str:
    """The column that tells when it ran, or, if it never did, when the model called it."""
    return "called_at" if row.get("exec_started_at") is None else "exec_started_at"
