"""What questions to people and programs outside, and their answers, do to a message."""

import pytest

from nb_agentscope.message import PermissionRule, ToolResultBlock
from tests.stream.making import after, event

CALL = event("TOOL_CALL_START", tool_call_id="c", tool_call_name="tool")
RULE = {"tool_name": "tool", "rule_content": None, "behavior": "allow", "source": "suggested"}


def call(id="c", **fields):
    return {"type": "tool_call", "id": id, "name": "edited", "input": "edited", "created_at": "t", **fields}


def ask(*calls):
    return event("REQUIRE_USER_CONFIRM", tool_calls=list(calls))


def decide(confirmed, *ids):
    results = [{"confirmed": confirmed, "tool_call": call(id), "rules": [RULE]} for id in ids]
    return event("USER_CONFIRM_RESULT", confirm_results=results)


def answer(*ids, at="t9", **fields):
    results = [{"type": "tool_result", "id": id, "name": "t", "output": "o", "created_at": "t", **fields} for id in ids]
    return event("EXTERNAL_EXECUTION_RESULT", at=at, execution_results=results)


def test_asking_takes_state_and_rules_only():
    asked = ask(call("ghost"), call(suggested_rules=[RULE]))
    block = after(CALL, asked).content[0]
    assert (block.state, block.name, block.input) == ("asking", "tool", "")
    assert block.suggested_rules == [PermissionRule(**RULE)]
    assert block.suggested_rules[0] is not asked.tool_calls[1].suggested_rules[0]


def test_unknown_calls_are_ignored_without_a_word(caplog):
    external = event("REQUIRE_EXTERNAL_EXECUTION", tool_calls=[call("ghost")])
    assert after(CALL, ask(call("ghost")), external, decide(True, "ghost")) == after(CALL)
    assert caplog.records == []


def test_a_finished_call_may_ask_again():
    result = [
        event("TOOL_RESULT_START", tool_call_id="c", tool_call_name="tool"),
        event("TOOL_RESULT_END", tool_call_id="c", state="error"),
    ]
    assert after(CALL, *result).content[0].state == "finished"
    assert after(CALL, *result, ask(call())).content[0].state == "asking"


@pytest.mark.parametrize(("confirmed", "state"), [(True, "allowed"), (False, "finished")])
def test_a_decision_on_an_asking_call(confirmed, state):
    msg = after(CALL, ask(call()), decide(confirmed, "c"))
    assert len(msg.content) == 1
    block = msg.content[0]
    assert (block.state, block.name, block.input, block.suggested_rules) == (state, "tool", "", [])


def test_only_the_first_decision_counts():
    assert after(CALL, decide(True, "c")).content[0].state == "pending"
    assert after(CALL, ask(call()), decide(False, "c"), decide(True, "c")).content[0].state == "finished"


def test_an_external_call_is_submitted():
    external = event("REQUIRE_EXTERNAL_EXECUTION", tool_calls=[call("ghost"), call(suggested_rules=[RULE])])
    block = after(CALL, external).content[0]
    assert (block.state, block.suggested_rules) == ("submitted", [])


def test_an_external_result_is_appended_once():
    given = answer("c", "c", metadata={"k": [1]})
    msg = after(CALL, given)
    assert [block.type for block in msg.content] == ["tool_call", "tool_result", "tool_result"]
    assert msg.content[0].state == "pending"
    block = ToolResultBlock(id="c", name="t", output="o", metadata={"k": [1]}, created_at="t", finished_at="t9")
    assert msg.content[1:] == [block, block]
    assert given.execution_results[0].finished_at is None
    assert given.execution_results[0].metadata is not msg.content[1].metadata
    assert after(answer("c"), msg=msg).content[1:] == [block, block]


def test_an_external_result_after_its_start_changes_nothing():
    start = event("TOOL_RESULT_START", tool_call_id="c", tool_call_name="tool")
    assert after(start, answer("c")) == after(start)


def test_an_external_result_keeps_its_own_end():
    assert after(answer("c", finished_at="t5")).content[0].finished_at == "t5"
