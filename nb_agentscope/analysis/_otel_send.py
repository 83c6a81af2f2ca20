"""Spans handed to a tracer provider of the OpenTelemetry SDK, which exports them as it exports its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nb_agentscope.analysis._otel import Span

_SCOPE = "nb_agentscope"


def send_spans(spans: Iterable[Span], tracer_provider: Any) -> int:
    """Send spans with their own ids and times, so that sending a log twice gives the same trace, not two.

    A span that has not ended is sent with the latest time of all as its end, and the attribute `nb_agentscope.open`.

    Args:
        spans: What `otel_spans` made.
        tracer_provider: An `opentelemetry.sdk.trace.TracerProvider`.

    Returns:
        How many were handed over.

    Raises:
        TypeError: That is no tracer provider of the SDK.
    """
    get_tracer = getattr(tracer_provider, "get_tracer", None)
    tracer: Any = get_tracer(_SCOPE) if callable(get_tracer) else None
    if not hasattr(tracer, "id_generator"):
        kind = type(tracer_provider).__name__
        raise TypeError(f"tracer_provider must be an opentelemetry.sdk.trace.TracerProvider, got {kind}.")
    sent = list(spans)
    times = [time for span in sent for time in (span["start_time"], span["end_time"]) if time is not None]
    for span in sent:
        tracer.id_generator = _Ids(span["context"])
        _send(span, tracer, last=max(times))
    return len(sent)


class _Ids:
    """An id generator that gives the ids of one span."""

    def __init__(self, context: dict[str, str]) -> None:
        self._context = context

    def generate_trace_id(self) -> int:
        """The trace's id, asked for a span without a parent only."""
        return int(self._context["trace_id"], 16)

    def generate_span_id(self) -> int:
        """The span's id."""
        return int(self._context["span_id"], 16)

    def is_trace_id_random(self) -> bool:
        """No: it is made of ids in the log."""
        return False


def _send(span: Span, tracer: Any, last: int) -> None:
    from opentelemetry.trace import SpanKind, Status, StatusCode

    made = tracer.start_span(
        span["name"],
        context=_context(span),
        kind=SpanKind[span["span_kind"]],
        attributes=span["attributes"],
        start_time=span["start_time"],
    )
    for event in span["events"]:
        made.add_event(event["name"], event["attributes"], event["timestamp"])
    if span["status_code"] == "ERROR":
        made.set_status(Status(StatusCode.ERROR, span["status_message"]))
    if span["end_time"] is None:
        made.set_attribute("nb_agentscope.open", True)
    made.end(last if span["end_time"] is None else span["end_time"])


def _context(span: Span) -> Any:
    """A context with the parent alone: nothing of the code that happens to call."""
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if span["parent_id"] is None:
        return Context()
    parent = SpanContext(
        int(span["context"]["trace_id"], 16),
        int(span["parent_id"], 16),
        is_remote=False,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    return set_span_in_context(NonRecordingSpan(parent), Context())
