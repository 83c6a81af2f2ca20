import pytest
from opentelemetry.sdk import trace as sdk
from opentelemetry.sdk.trace import export
from opentelemetry.sdk.trace.export import in_memory_span_exporter as memory

from nb_agentscope.analysis._otel import otel_spans
from nb_agentscope.analysis._otel_send import send_spans
from tests.analysis.handmade import LOG, REPLIES, at


def sent(spans, times=1):
    exporter = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    for _ in range(times):
        assert send_spans(spans, provider) == len(spans)
    return exporter.get_finished_spans()


def test_what_arrives_is_what_the_dictionaries_say():
    spans = otel_spans(*LOG)
    found = sent(spans)
    assert len(found) == len(spans) == 7
    for span, got in zip(spans, found, strict=True):
        assert got.name == span["name"]
        assert got.kind.name == span["span_kind"]
        assert f"{got.context.trace_id:032x}" == span["context"]["trace_id"]
        assert f"{got.context.span_id:016x}" == span["context"]["span_id"]
        assert (None if got.parent is None else f"{got.parent.span_id:016x}") == span["parent_id"]
        assert got.start_time == span["start_time"]
        assert (got.status.status_code.name, got.status.description or "") == (
            span["status_code"],
            span["status_message"],
        )
        assert span["attributes"].items() <= got.attributes.items()
        assert [(e.name, e.timestamp, dict(e.attributes)) for e in got.events] == [
            (e["name"], e["timestamp"], e["attributes"]) for e in span["events"]
        ]


def test_what_is_open_ends_with_the_last_that_is_known():
    ends = {span.name: span for span in sent(otel_spans(*LOG))}
    assert ends["execute_tool format_disk"].end_time == at(10) * 1000
    assert ends["execute_tool format_disk"].attributes["nb_agentscope.open"] is True
    assert ends["execute_tool delete"].end_time == at(5) * 1000
    assert "nb_agentscope.open" not in ends["execute_tool delete"].attributes


def test_sending_twice_gives_the_same_trace():
    found = sent(otel_spans(REPLIES), times=2)
    assert len(found) == 4
    assert len({(span.context.trace_id, span.context.span_id) for span in found}) == 2


def test_a_span_that_is_current_here_is_no_parent():
    from opentelemetry import trace

    with trace.use_span(sdk.TracerProvider().get_tracer("x").start_span("mine")):
        (span,) = sent(otel_spans(REPLIES[:1]))
    assert span.parent is None


def test_nothing_to_send():
    assert sent([]) == ()


@pytest.mark.parametrize("wrong", [None, "provider", object()])
def test_what_is_no_provider(wrong):
    with pytest.raises(
        TypeError, match=f"must be an opentelemetry.sdk.trace.TracerProvider, got {type(wrong).__name__}"
    ):
        send_spans(otel_spans(REPLIES), wrong)
