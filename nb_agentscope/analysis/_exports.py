"""A log for other tools: spans of OpenTelemetry, and an event log for process mining."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from nb_agentscope.analysis._clock import zone
from nb_agentscope.analysis._collect import Collected
from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns import TABLES
from nb_agentscope.analysis._frame import frame
from nb_agentscope.analysis._options import Zone
from nb_agentscope.analysis._otel import Span, otel_spans
from nb_agentscope.analysis._otel_send import send_spans
from nb_agentscope.analysis._pm4py import COLUMNS, pm4py_rows
from nb_agentscope.analysis._source import sources
from nb_agentscope.analysis._tables import VISIBLE
from nb_agentscope.analysis._where import Test, tests, wanted_columns

Wanted = dict[str, tuple[Table, list[Column], dict[str, Test]]]

_TABLES = ("replies", "model_calls", "tool_calls", "approvals")
_WHERE = {"model_calls": VISIBLE}
_TIMES = ("start_timestamp", "time:timestamp")
_PM4PY = Table(
    "pm4py",
    "One row for each thing that happened.",
    (),
    tuple(Column(name, "time" if name in _TIMES else "str", "") for name in ("run", *COLUMNS)),
)


def to_otel_spans(
    log: Any, tracer_provider: Any = None, content: bool = False, *, strict: bool = False, tz: Zone = None
) -> list[Span]:
    """Spans of agents, model calls and tools, with the GenAI attribute names of OpenTelemetry.

    Args:
        log: As `events_df`; its end is not awaited: what is open has no end time.
        tracer_provider: An `opentelemetry.sdk.trace.TracerProvider` that the spans are sent through, too, with ids and times of
            their own: a log that is sent twice gives the same trace. What is open is then sent with the latest time as its end.
        content: Whether arguments of tools are attributes; they may be private.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Returns:
        For each span: name, span_kind, context {trace_id, span_id}, parent_id, start_time and end_time (nanoseconds since 1970,
        UTC), status_code, status_message, attributes, events.

    Raises:
        TypeError: `tracer_provider` is none of the SDK; and as `events_df`.
        ValueError: As `events_df`.
    """
    spans = [span for _, rows in _rows(log, strict, tz) for span in otel_spans(*rows, content=content)]
    if tracer_provider is not None:
        send_spans(spans, tracer_provider)
    return spans


def to_pm4py(log: Any, *, case: str = "session_id", strict: bool = False, tz: Zone = None) -> pd.DataFrame:
    """The log as pm4py reads it: a row for each model call, tool call and question, with the column names of XES.

    Its functions take it as it is, and after `pm4py.format_dataframe` (tried with pm4py 2.7.23). Rows stand in order of time
    within their case, also where several logs tell of one conversation. Case, activity and time are never missing; times count
    nanoseconds, which pm4py takes for granted where it makes numbers of them.

    Args:
        log: As `events_df`.
        case: What is one case: "session_id" or "reply_id".
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.

    Raises:
        ValueError: `case` is neither; and as `events_df`.
        TypeError: As `events_df`.
    """
    rows = [{"run": run, **row} for run, found in _rows(log, strict, tz) for row in pm4py_rows(*found, case=case)]
    made = frame(_PM4PY, _PM4PY.columns, [[row[column.name] for row in rows] for column in _PM4PY.columns])
    made = made.astype(dict.fromkeys(_TIMES, "datetime64[ns, UTC]"))
    return made.sort_values(["case:concept:name", "time:timestamp"], kind="stable", ignore_index=True)


def _rows(log: Any, strict: bool, tz: Zone) -> Iterator[tuple[str, list[list[dict[str, Any]]]]]:
    """For each log its name and the rows of its tables: ids of replies mean something within one log only."""
    wanted: Wanted = {
        name: (TABLES[name], wanted_columns(TABLES[name], None), tests(TABLES[name], _WHERE.get(name)))
        for name in _TABLES
    }
    for source in sources(log):
        found = Collected(wanted, zone(tz), {}, strict=strict).read([source])
        yield source.name, [_dicts(columns, found.values(name)) for name, (_, columns, _) in wanted.items()]


def _dicts(columns: list[Column], values: list[Any]) -> list[dict[str, Any]]:
    names = [column.name for column in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
