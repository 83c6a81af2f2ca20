import hashlib
import random

import pytest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics
from opentelemetry.semconv.attributes import error_attributes

from nb_agentscope.analysis import TABLES
from nb_agentscope.analysis._otel import otel_spans
from nb_agentscope.analysis._otel_attributes import MODEL_CALL, OPERATION, REPLY, TOOL_ARGUMENTS, TOOL_CALL
from tests.analysis.handmade import LOG, MODEL_CALLS, REPLIES, TOOL_CALLS, T, at


def by_name(spans):
    named = {span["name"]: span for span in spans}
    assert len(named) == len(spans)
    return named


@pytest.fixture
def spans():
    return by_name(otel_spans(*LOG))


def parent(spans, name):
    ids = {span["context"]["span_id"]: span["name"] for span in spans.values()}
    return ids.get(spans[name]["parent_id"])


def test_names_kinds_and_order(spans):
    assert [(name, span["span_kind"]) for name, span in spans.items()] == [
        ("invoke_agent boss", "INTERNAL"),
        ("chat m-large", "CLIENT"),
        ("execute_tool format_disk", "INTERNAL"),
        ("execute_tool delete", "INTERNAL"),
        ("execute_tool ask_helper", "INTERNAL"),
        ("invoke_agent helper", "INTERNAL"),
        ("chat m-small", "CLIENT"),
    ]


def test_who_is_whose_child(spans):
    assert {name: parent(spans, name) for name in spans} == {
        "invoke_agent boss": None,
        "chat m-large": "invoke_agent boss",
        "execute_tool format_disk": "invoke_agent boss",
        "execute_tool delete": "invoke_agent boss",
        "execute_tool ask_helper": "invoke_agent boss",
        "invoke_agent helper": "execute_tool ask_helper",
        "chat m-small": "invoke_agent helper",
    }
    assert spans["invoke_agent boss"]["parent_id"] is None
    assert len({span["context"]["trace_id"] for span in spans.values()}) == 1


def test_ids_are_those_of_opentelemetry_and_depend_on_the_log_alone(spans):
    contexts = [span["context"] for span in spans.values()]
    assert all(len(bytes.fromhex(context["trace_id"])) == 16 for context in contexts)
    assert all(len(bytes.fromhex(context["span_id"])) == 8 for context in contexts)
    mixed = [random.Random(3).sample(rows, len(rows)) for rows in LOG]
    assert by_name(otel_spans(*mixed)) == spans
    # Written down: a change of the ids would make old and new exports two different traces.
    trace_id = hashlib.sha256(b"5:trace2:r1").hexdigest()[:32]
    span_id = hashlib.sha256(b"5:reply2:r1").hexdigest()[:16]
    assert contexts[0] == {"trace_id": trace_id, "span_id": span_id}


def test_times_are_nanoseconds_and_a_tool_begins_when_it_runs(spans):
    assert spans["chat m-large"]["start_time"] == T * 1000 + 500_000_000
    assert spans["chat m-large"]["end_time"] == T * 1000 + 2_000_000_000
    assert spans["execute_tool delete"]["start_time"] == at(4) * 1000
    # Never ran: from the call on, and without an end.
    assert spans["execute_tool format_disk"]["start_time"] == at(1.8) * 1000
    assert spans["execute_tool format_disk"]["end_time"] is None


def test_attributes(spans):
    assert spans["chat m-large"]["attributes"] == {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": "s1",
        "gen_ai.request.model": "m-large",
        "gen_ai.agent.name": "boss",
        "gen_ai.usage.input_tokens": 1000,  # with the 700 from the cache, as the conventions ask
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 700,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "gen_ai.response.time_to_first_chunk": 0.25,
        "nb_agentscope.cache_accounting": "exclusive",
        "nb_agentscope.model_call_id": "r1:0",
        "nb_agentscope.status": "completed",
        "nb_agentscope.streamed": True,
    }
    assert spans["invoke_agent boss"]["attributes"] == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.conversation.id": "s1",
        "gen_ai.agent.name": "boss",
        "nb_agentscope.reply_id": "r1",
        "nb_agentscope.finished_reason": "completed",
        "nb_agentscope.human_wait_s": 2.0,
    }
    assert spans["execute_tool ask_helper"]["attributes"] == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.conversation.id": "s1",
        "gen_ai.tool.name": "ask_helper",
        "gen_ai.tool.call.id": "t2",
        "gen_ai.tool.type": "function",
        "gen_ai.agent.name": "boss",
        "nb_agentscope.tool.kind": "subagent",
        "nb_agentscope.tool.state": "success",
    }


def test_arguments_only_if_asked_for(spans):
    assert "gen_ai.tool.call.arguments" not in spans["execute_tool delete"]["attributes"]
    told = by_name(otel_spans(*LOG, content=True))["execute_tool delete"]["attributes"]
    assert told["gen_ai.tool.call.arguments"] == '{"path": "a"}'


def test_errors(spans):
    failed = {name: span["status_message"] for name, span in spans.items() if span["status_code"] == "ERROR"}
    assert failed == {"execute_tool delete": "", "invoke_agent helper": "The model is away.", "chat m-small": ""}
    assert spans["invoke_agent helper"]["attributes"]["error.type"] == "model"
    assert spans["chat m-small"]["attributes"]["error.type"] == "_OTHER"
    assert spans["invoke_agent boss"]["status_code"] == "UNSET"


def test_questions_are_events_of_the_reply_in_order_of_time(spans):
    asked, still, decided = spans["invoke_agent boss"]["events"]
    what = {"gen_ai.tool.name": "delete", "gen_ai.tool.call.id": "t1", "nb_agentscope.approval.kind": "confirm"}
    assert asked == {"name": "nb_agentscope.approval.asked", "timestamp": at(2) * 1000, "attributes": what}
    assert (still["name"], still["timestamp"]) == ("nb_agentscope.approval.asked", at(2.5) * 1000)
    assert decided == {
        "name": "nb_agentscope.approval.decided",
        "timestamp": at(4) * 1000,
        "attributes": {
            **what,
            "nb_agentscope.approval.decision": "approved",
            "nb_agentscope.approval.decided_by": "user",
            "nb_agentscope.approval.wait_s": 2.0,
            "nb_agentscope.approval.edited": False,
        },
    }
    assert all(not span["events"] for name, span in spans.items() if name != "invoke_agent boss")


def test_an_input_that_may_or_may_not_include_the_cache_has_an_own_name():
    row = {**MODEL_CALLS[0], "input_tokens_total": None, "cache_accounting": "unknown"}
    found = otel_spans([], [row])[0]["attributes"]
    assert "gen_ai.usage.input_tokens" not in found
    assert found["nb_agentscope.usage.input_tokens_reported"] == 300


def test_a_model_that_is_known_to_have_answered():
    found = otel_spans([], [{**MODEL_CALLS[0], "model_is_requested": False}])[0]["attributes"]
    assert found["gen_ai.response.model"] == "m-large"
    assert "gen_ai.request.model" not in found


def test_tokens_stand_on_chat_spans_alone():
    counted = [span["name"] for span in otel_spans(*LOG) if "gen_ai.usage.output_tokens" in span["attributes"]]
    assert counted == ["chat m-large"]


def test_an_empty_log():
    assert otel_spans([]) == []


class TestBrokenLogs:
    def test_calls_of_a_reply_that_is_not_there(self):
        (span,) = otel_spans([], [MODEL_CALLS[0]])
        assert span["parent_id"] is None
        assert span["context"]["trace_id"] == otel_spans(*LOG)[0]["context"]["trace_id"]
        assert "gen_ai.conversation.id" not in span["attributes"]

    def test_a_sub_agent_whose_tool_call_is_not_there_is_a_child_of_the_reply(self):
        spans = by_name(otel_spans(REPLIES))
        assert parent(spans, "invoke_agent helper") == "invoke_agent boss"

    def test_and_so_is_one_whose_tool_call_has_no_span(self):
        untimed = {**TOOL_CALLS[1], "called_at": None, "exec_started_at": None}
        spans = by_name(otel_spans(REPLIES, [], [untimed]))
        assert parent(spans, "invoke_agent helper") == "invoke_agent boss"

    def test_an_unknown_start_gives_no_span_and_orphans_no_reference(self):
        spans = otel_spans([{**REPLIES[0], "started_at": None}], MODEL_CALLS[:1])
        assert [(span["name"], span["parent_id"]) for span in spans] == [("chat m-large", None)]

    def test_an_end_before_the_start_is_not_known(self):
        assert otel_spans([{**REPLIES[0], "ended_at": at(-1)}])[0]["end_time"] is None

    def test_replies_that_started_each_other(self):
        one, other = {**REPLIES[0], "parent_reply_id": "r2"}, REPLIES[1]
        tail = {**REPLIES[0], "reply_id": "a0", "agent": "tail", "parent_reply_id": "r2"}
        spans = by_name(otel_spans([one, other, tail]))
        assert len({span["context"]["trace_id"] for span in spans.values()}) == 1
        assert [span["parent_id"] for span in spans.values()].count(None) == 1
        assert parent(spans, "invoke_agent tail") == "invoke_agent helper"

    def test_the_same_call_twice_is_two_spans(self):
        again = {**TOOL_CALLS[0], "occurrence": 1}
        ids = {
            span["context"]["span_id"]
            for span in otel_spans(REPLIES, [], [TOOL_CALLS[0], again])
            if "delete" in span["name"]
        }
        assert len(ids) == 2

    def test_text_that_is_no_unicode(self):
        assert len(otel_spans([{**REPLIES[0], "reply_id": "\ud800"}])) == 1


def constants(module):
    return {value for name, value in vars(module).items() if name.startswith("GEN_AI_")}


# Of the conventions' own repository, for which there is no package yet; the rest of them moved there, too.
NEW_METRICS = {
    "gen_ai.invoke_agent.duration",
    "gen_ai.invoke_agent.inference_calls",
    "gen_ai.invoke_agent.tool_calls",
    "gen_ai.execute_tool.duration",
}


def test_each_attribute_is_of_the_conventions_or_has_our_prefix():
    spans = otel_spans(*LOG, content=True)
    sent = {name for span in spans for one in (span, *span["events"]) for name in one["attributes"]}
    declared = {*REPLY, *MODEL_CALL, *TOOL_CALL, *TOOL_ARGUMENTS}
    standard = {name for name in sent | declared if not name.startswith("nb_agentscope.")}
    assert standard >= {OPERATION, "gen_ai.conversation.id", "gen_ai.request.model", "error.type"}
    assert standard <= constants(gen_ai_attributes) | {error_attributes.ERROR_TYPE}
    operations = {member.value for member in gen_ai_attributes.GenAiOperationNameValues}
    assert {span["attributes"][OPERATION] for span in spans} == {"invoke_agent", "chat", "execute_tool"} <= operations
    for span in spans:
        names = [event["name"] for event in span["events"]]
        assert all(name.startswith("nb_agentscope.") for name in names), names


def test_names_that_columns_tell_are_of_the_conventions():
    told = {column.otel for table in TABLES.values() for column in table.columns if column.otel}
    assert len(told) > 15
    known = constants(gen_ai_attributes) | constants(gen_ai_metrics) | NEW_METRICS | {error_attributes.ERROR_TYPE}
    assert told <= known, told - known
