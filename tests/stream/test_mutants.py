"""Wrong handlers and joining rules, each of which a recorded stream or a law must find."""

import base64

import pytest

from nb_agentscope.event import EventType
from nb_agentscope.message import DataBlock, HintBlock, TextBlock, ToolCallState, Usage
from nb_agentscope.stream import _append, _coalesce, _handlers_human, _handlers_text, _handlers_tool
from nb_agentscope.stream._index import append_block, find_block
from tests.stream.checks import broken_laws, quiet, wrong_vectors


def start_clears(msg, event):
    msg.content.clear()


def start_reuses_a_block(msg, event):
    if find_block(msg, "text", event.block_id) is None:
        _handlers_text.text_start(msg, event)


def start_takes_the_clock(msg, event):
    append_block(msg, TextBlock(id=event.block_id, text=""))


def deltas_after_the_end_are_lost(msg, event):
    block = find_block(msg, "text", event.block_id)
    if block is not None and block.finished_at is None:
        block.grow(event.delta)


def empty_final_text_is_ignored(msg, event):
    _handlers_text.text_end(msg, event if event.text else event.model_copy(update={"text": None}))


def base64_is_joined_as_text(msg, event):
    block = find_block(msg, "data", event.block_id)
    if block is not None and event.data:
        block.source.data += event.data


def result_text_is_always_a_new_block(msg, event):
    result = find_block(msg, "tool_result", event.tool_call_id)
    if result is not None:
        output = result.output if isinstance(result.output, list) else []
        result.output = [*output, TextBlock(id=f"{event.id}:text", text=event.delta, created_at=event.created_at)]


def result_data_never_joins(msg, event):
    result = find_block(msg, "tool_result", event.tool_call_id)
    source = _handlers_tool._source(event)
    if result is not None and source is not None:
        output = result.output if isinstance(result.output, list) else []
        result.output = [*output, DataBlock(id=event.block_id, source=source, created_at=event.created_at)]


def result_end_leaves_the_call(msg, event):
    result = find_block(msg, "tool_result", event.tool_call_id)
    if result is not None:
        result.state, result.metadata, result.finished_at = event.state, dict(event.metadata), event.created_at


def late_decisions_count(msg, event):
    for result in event.confirm_results:
        call = find_block(msg, "tool_call", result.tool_call.id)
        if call is not None:
            call.state = ToolCallState.ALLOWED if result.confirmed else ToolCallState.FINISHED


def edited_input_is_taken_over(msg, event):
    _handlers_human.confirm_result(msg, event)
    for result in event.confirm_results:
        call = find_block(msg, "tool_call", result.tool_call.id)
        if call is not None:
            call.input = result.tool_call.input


def external_results_double(msg, event):
    for result in event.execution_results:
        append_block(msg, result.model_copy(update={"finished_at": result.finished_at or event.created_at}))


def external_results_are_shared(msg, event):
    for result in event.execution_results:
        if find_block(msg, "tool_result", result.id) is None:
            result.finished_at = result.finished_at or event.created_at
            append_block(msg, result)


def usage_is_replaced(msg, event):
    msg.usage = Usage(input_tokens=event.input_tokens, output_tokens=event.output_tokens)


def hints_have_no_end(msg, event):
    append_block(
        msg,
        HintBlock(
            id=event.block_id, source=event.source, hint=event.hint, created_at=event.created_at, finished_at=None
        ),
    )


HANDLERS = {
    start_clears: EventType.REPLY_START,
    start_reuses_a_block: EventType.TEXT_BLOCK_START,
    start_takes_the_clock: EventType.TEXT_BLOCK_START,
    deltas_after_the_end_are_lost: EventType.TEXT_BLOCK_DELTA,
    empty_final_text_is_ignored: EventType.TEXT_BLOCK_END,
    base64_is_joined_as_text: EventType.DATA_BLOCK_DELTA,
    result_text_is_always_a_new_block: EventType.TOOL_RESULT_TEXT_DELTA,
    result_data_never_joins: EventType.TOOL_RESULT_DATA_DELTA,
    result_end_leaves_the_call: EventType.TOOL_RESULT_END,
    late_decisions_count: EventType.USER_CONFIRM_RESULT,
    edited_input_is_taken_over: EventType.USER_CONFIRM_RESULT,
    external_results_double: EventType.EXTERNAL_EXECUTION_RESULT,
    external_results_are_shared: EventType.EXTERNAL_EXECUTION_RESULT,
    usage_is_replaced: EventType.MODEL_CALL_END,
    hints_have_no_end: EventType.HINT_BLOCK,
}

TEXT = _coalesce.RULES[EventType.TEXT_BLOCK_DELTA]
RESULT_DATA = _coalesce.RULES[EventType.TOOL_RESULT_DATA_DELTA]
DATA = _coalesce.RULES[EventType.DATA_BLOCK_DELTA]


def join_as_text(chunks):
    for chunk in chunks:
        base64.b64decode(chunk)
    return "".join(chunks)


RULES = {
    "blocks are mixed": (EventType.TEXT_BLOCK_DELTA, TEXT._replace(same=("reply_id",))),
    "text is joined backwards": (EventType.TEXT_BLOCK_DELTA, TEXT._replace(join=lambda chunks: "".join(chunks[::-1]))),
    "base64 is joined as text": (EventType.DATA_BLOCK_DELTA, DATA._replace(join=join_as_text)),
    "media types are mixed": (EventType.TOOL_RESULT_DATA_DELTA, RESULT_DATA._replace(same=RESULT_DATA.same[:-1])),
}


def first_failure():
    with quiet():
        return next(wrong_vectors(), None) or next(broken_laws(), None)


def test_the_right_ones_pass():
    assert first_failure() is None


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda handler: handler.__name__)
def test_a_wrong_handler_is_found(handler, monkeypatch):
    monkeypatch.setitem(_append.HANDLERS, HANDLERS[handler], handler)
    assert first_failure()


@pytest.mark.parametrize("rule", RULES)
def test_a_wrong_rule_is_found(rule, monkeypatch):
    monkeypatch.setitem(_coalesce.RULES, *RULES[rule])
    assert first_failure()
