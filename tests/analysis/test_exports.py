import pandas as pd
import pytest
from opentelemetry.sdk import trace as sdk
from opentelemetry.sdk.trace import export
from opentelemetry.sdk.trace.export import in_memory_span_exporter as memory

from nb_agentscope.analysis import approvals_df, model_calls_df, replies_df, to_otel_spans, to_pm4py, tool_calls_df
from nb_agentscope.stream import EventLog
from tests.analysis.recorded import RECORDED, VECTORS

DESK = next(path for path in RECORDED if path.stem == "approval")
LOGS = [*RECORDED, *VECTORS]


def by_operation(spans, operation):
    return [span for span in spans if span["attributes"]["gen_ai.operation.name"] == operation]


def test_a_span_for_each_row_with_its_ids_times_and_tokens():
    spans, calls, tools = to_otel_spans(DESK), model_calls_df(DESK), tool_calls_df(DESK)
    chats = by_operation(spans, "chat")
    assert len(by_operation(spans, "invoke_agent")) == len(replies_df(DESK))
    assert [span["start_time"] for span in chats] == [moment.value for moment in calls["started_at"].dt.as_unit("ns")]
    tokens = [span["attributes"]["gen_ai.usage.output_tokens"] for span in chats]
    assert tokens == calls["output_tokens"].tolist()
    assert sorted(span["attributes"]["gen_ai.tool.call.id"] for span in by_operation(spans, "execute_tool")) == sorted(
        tools["tool_call_id"]
    )
    parents = {span["context"]["span_id"] for span in by_operation(spans, "invoke_agent")}
    assert {span["parent_id"] for span in chats} <= parents
    asked = [event for span in spans for event in span["events"] if event["name"] == "nb_agentscope.approval.asked"]
    assert len(asked) == len(approvals_df(DESK)) > 0


def test_values_are_plain_and_content_is_asked_for():
    def plain(value):
        return (
            value is None or type(value) in (str, int, float, bool) or (type(value) is list and all(map(plain, value)))
        )

    spans = to_otel_spans(LOGS)
    assert all(plain(value) for span in spans for value in span["attributes"].values())
    assert not any("gen_ai.tool.call.arguments" in span["attributes"] for span in spans)
    assert any("gen_ai.tool.call.arguments" in span["attributes"] for span in to_otel_spans(LOGS, content=True))


def test_spans_of_several_logs_are_those_of_each():
    assert to_otel_spans(LOGS) == [span for log in LOGS for span in to_otel_spans(log)]


def test_a_log_in_memory_and_one_without_events():
    assert to_otel_spans(EventLog.load(DESK)) == to_otel_spans(DESK)
    assert to_otel_spans(EventLog()) == []


def test_spans_are_sent_as_they_are_returned():
    exporter, provider = memory.InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    spans = to_otel_spans(DESK, provider)
    sent = {f"{span.context.span_id:016x}": span for span in exporter.get_finished_spans()}
    assert sent.keys() == {span["context"]["span_id"] for span in spans}
    assert all(sent[span["context"]["span_id"]].start_time == span["start_time"] for span in spans)


def test_what_is_no_tracer_provider_and_no_log_is_an_error():
    with pytest.raises(TypeError, match="tracer_provider must be"):
        to_otel_spans(DESK, tracer_provider=object())
    with pytest.raises(TypeError, match="Tables are made of"):
        to_otel_spans(3)


def test_strict_tells_what_does_not_fit(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text(DESK.read_text() + "no event\n")
    assert to_otel_spans(path) == to_otel_spans(DESK)
    for make in (to_otel_spans, to_pm4py):
        with pytest.raises(ValueError, match="no JSON"):
            make(path, strict=True)


def test_pm4py_has_the_columns_of_xes_and_aware_times():
    found = to_pm4py(DESK)
    assert list(found.columns) == [
        "run",
        "case:concept:name",
        "concept:name",
        "start_timestamp",
        "time:timestamp",
        "lifecycle:transition",
        "org:resource",
        "reply_id",
        "ref_id",
    ]
    assert {str(found[name].dtype) for name in ("start_timestamp", "time:timestamp")} == {"datetime64[ns, UTC]"}
    assert len(found) == len(model_calls_df(DESK)) + len(tool_calls_df(DESK)) + len(approvals_df(DESK))
    assert set(found["case:concept:name"]) == set(replies_df(DESK)["session_id"])
    assert found["time:timestamp"].is_monotonic_increasing
    ends = model_calls_df(DESK)["ended_at"]
    assert found.loc[found["concept:name"] == "model call", "time:timestamp"].tolist() == ends.tolist()


def test_what_pm4py_demands_of_a_frame():
    """As `pm4py.format_dataframe` and its algorithms do; the library itself is large, and under the AGPL."""
    orphan = [{"id": "e", "created_at": "2026-03-01T09:00:00+00:00", "metadata": {}, "type": "TOOL_RESULT_START",
               "reply_id": "r", "tool_call_id": "c", "tool_call_name": ""}]  # fmt: skip
    found = to_pm4py([*LOGS, orphan])
    for name in ("case:concept:name", "concept:name"):
        assert str(found[name].dtype) == "string"
        assert found[name].str.len().min() > 0
    for name in ("start_timestamp", "time:timestamp"):  # pm4py makes seconds of them by // 10**9
        assert found[name].dtype == "datetime64[ns, UTC]"
        assert found[name].notna().all()
    assert (found["start_timestamp"] <= found["time:timestamp"]).all()
    assert found["case:concept:name"].is_monotonic_increasing
    cases = found.groupby("case:concept:name")
    assert cases["time:timestamp"].apply(lambda times: times.is_monotonic_increasing).all()
    assert cases["run"].nunique().max() > 1  # conversations that several logs tell of
    assert set(found["lifecycle:transition"]) <= {"start", "complete", "ate_abort", "withdraw"}


def test_pm4py_of_several_logs_of_a_reply_and_of_nothing():
    found = to_pm4py(LOGS, case="reply_id")
    assert set(found["case:concept:name"]) <= set(replies_df(LOGS)["reply_id"])
    assert set(found["run"]) == set(model_calls_df(LOGS)["run"])
    pd.testing.assert_frame_equal(to_pm4py([]), found.iloc[:0])
    with pytest.raises(ValueError, match="A case can be 'session_id' or 'reply_id', got 'run'"):
        to_pm4py(LOGS, case="run")
