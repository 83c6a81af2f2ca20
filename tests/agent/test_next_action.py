"""What comes next is a pure function of the message and of the little that is known beside it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.agent._next_action import Act, Finish, Park, Reason, next_action, unanswered
from nb_agentscope.agent._state import AgentState, OpenReply, SubReply
from nb_agentscope.message import (
    AssistantMsg,
    HintBlock,
    ReplyFinishedReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

COMPLETED = Finish(ReplyFinishedReason.COMPLETED)
EXCEEDED = Finish(ReplyFinishedReason.EXCEED_MAX_ITERS)
TEXT, THOUGHT, HINT = TextBlock(text="x"), ThinkingBlock(thinking="x"), HintBlock(hint="x")


def a_call(id, state="pending"):
    return ToolCallBlock(id=id, name="f", input="{}", state=state)


def a_result(id, *, ended=True):
    done = "2026-01-01T00:00:00Z" if ended else None
    return ToolResultBlock(id=id, name="f", output="x", state="success" if ended else "running", finished_at=done)


def step(*blocks, max_iters=5, **known):
    return next_action(AssistantMsg("a", list(blocks)), OpenReply(reply_id="r", **known), max_iters)


def acts_on(*ids):
    """What `step` gives when these calls are answered next."""
    return lambda action: isinstance(action, Act) and [call.id for call in action.calls] == list(ids)


@pytest.mark.parametrize(
    ("blocks", "known", "expected"),
    [
        pytest.param([], {}, Reason(), id="a new reply begins with the model"),
        pytest.param([HINT], {}, Reason(), id="hints are no answer"),
        pytest.param([], {"rounds": 1}, COMPLETED, id="an empty answer is an end"),
        pytest.param([TEXT], {"rounds": 1}, COMPLETED, id="text is an end"),
        pytest.param([THOUGHT], {"rounds": 1}, Reason(), id="a thought alone is none"),
        pytest.param([THOUGHT, TEXT], {"rounds": 1}, COMPLETED, id="a thought with text is"),
        pytest.param([TEXT, THOUGHT], {"rounds": 2, "round_start": 1}, Reason(), id="only the last round counts"),
        pytest.param([a_call("1"), a_result("1")], {"rounds": 1}, Reason(), id="after results the model again"),
        pytest.param(
            [a_call("1"), a_result("1"), TEXT], {"rounds": 2, "round_start": 2}, COMPLETED, id="and its answer"
        ),
        pytest.param([TEXT], {"rounds": 1, "schema_wanted": {}}, Reason(), id="text instead of the wanted output"),
        pytest.param(
            [], {"rounds": 1, "schema_wanted": {}, "structured_output": {}}, COMPLETED, id="even an empty output"
        ),
        pytest.param([a_call("1"), a_result("1")], {"rounds": 5}, Reason(last=True), id="rounds used up: once more"),
        pytest.param([TEXT], {"rounds": 5}, COMPLETED, id="an answer in the last allowed round needs no other"),
        pytest.param([TEXT], {"rounds": 6, "last_round": True}, EXCEEDED, id="after the last call"),
        pytest.param(
            [], {"rounds": 6, "last_round": True, "structured_output": {}}, COMPLETED, id="output in the last call"
        ),
        pytest.param([a_call("1")], {"rounds": 1}, acts_on("1"), id="new calls"),
        pytest.param(
            [a_call("1"), a_result("1", ended=False)], {"rounds": 1}, acts_on("1"), id="one whose result goes on"
        ),
        pytest.param(
            [a_call("1")], {"rounds": 6, "last_round": True}, acts_on("1"), id="calls of the last call are run, too"
        ),
        pytest.param([a_call("1", "asking")], {"rounds": 1}, Park(), id="a person is asked"),
        pytest.param([a_call("1", "submitted")], {"rounds": 1}, Park(), id="someone outside works"),
        pytest.param(
            [a_call("1", "asking"), a_call("2")], {"rounds": 1}, Park(), id="one that is held back waits with it"
        ),
        pytest.param(
            [a_call("1", "asking"), a_call("2", "allowed"), a_call("3", "finished"), a_call("4")],
            {"rounds": 1},
            acts_on("2", "3"),
            id="what is decided goes on beside what waits",
        ),
        pytest.param(
            [a_call("1", "finished"), a_call("2")],
            {"rounds": 1},
            acts_on("1", "2"),
            id="denied, so the held back one asks",
        ),
        pytest.param(
            [a_call("1", "finished"), a_result("1"), a_call("2", "asking")],
            {"rounds": 1},
            Park(),
            id="answered is answered",
        ),
    ],
)
def test_table(blocks, known, expected):
    action = step(*blocks, **known)
    assert action == expected if not callable(expected) else expected(action), action


def test_a_call_whose_sub_agent_waits_waits():
    sub = SubReply(call_id="1", state=AgentState())
    assert step(a_call("1"), a_result("1", ended=False), rounds=1, sub_replies={"s": sub}) == Park()
    assert acts_on("2")(step(a_call("1"), a_call("2", "allowed"), rounds=1, sub_replies={"s": sub}))


STATES = ["pending", "asking", "allowed", "submitted", "finished"]
ROUND = st.lists(st.tuples(st.sampled_from(STATES), st.sampled_from(["none", "running", "ended"])), max_size=6)


@settings(max_examples=100, deadline=None)
@given(ROUND, st.integers(0, 3), st.booleans(), st.booleans())
def test_it_changes_nothing_and_never_forgets_or_repeats_a_call(calls, rounds, last, wanted):
    blocks = []
    for number, (state, result) in enumerate(calls):
        blocks.append(a_call(str(number), state))
        if result != "none":
            blocks.append(a_result(str(number), ended=result == "ended"))
    msg = AssistantMsg("a", blocks)
    reply = OpenReply(reply_id="r", rounds=rounds, last_round=last, schema_wanted={} if wanted else None)
    before = (msg.model_copy(deep=True), reply.model_copy(deep=True))
    action = next_action(msg, reply, 2)
    assert (msg, reply) == before
    assert next_action(msg, reply, 2) == action

    open_calls = {call.id: call.state for call in unanswered(msg)}
    assert set(open_calls) == {str(n) for n, (_, result) in enumerate(calls) if result != "ended"}
    waiting = {id for id, state in open_calls.items() if state in ("asking", "submitted")}
    if isinstance(action, Act):
        assert action.calls
        assert {call.id for call in action.calls} <= set(open_calls) - waiting
    elif isinstance(action, Park):
        assert waiting
    else:
        assert not open_calls, "an end or a model call while a call has no result"
