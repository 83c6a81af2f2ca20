"""Hints: asked before each model call, shown as events, told to the model."""

import re

import pytest

from nb_agentscope.agent import current_time, repeated_failure
from nb_agentscope.message import HintBlock
from nb_agentscope.stream import verify
from tests.agent.talking import agent_of, call, listen, of_type, overhear, types


async def test_before_each_model_call_with_the_state():
    seen = []

    def hint(state):
        seen.append((state.reply.rounds, len(state.context)))
        return f"round {state.reply.rounds}"

    agent = agent_of([call("f")], ["ok"], hints=[hint])
    events = await listen(agent)
    assert seen == [(0, 2), (1, 2)]
    assert types(events)[:3] == ["REPLY_START", "HINT_BLOCK", "MODEL_CALL_START"]
    assert [event.hint for event in of_type(events, "HINT_BLOCK")] == ["round 0", "round 1"]
    assert [block.hint for block in agent.model.calls[1].messages[-1].content if block.type == "hint"] == [
        "round 0",
        "round 1",
    ]


async def test_none_says_nothing():
    assert "HINT_BLOCK" not in types(await listen(agent_of(["ok"], hints=[lambda state: None])))


async def test_the_same_block_each_time_gets_ids_of_its_own():
    block = HintBlock(hint="Be kind.", source="me")
    events = await listen(agent_of([call("f")], ["ok"], hints=[lambda state: block]))
    one, two = of_type(events, "HINT_BLOCK")
    assert one.block_id != two.block_id
    assert (one.hint, one.source) == ("Be kind.", "me")
    assert verify(events, complete=True) == []


@pytest.mark.parametrize("given", [5, ["x"], b"x"])
async def test_something_else_ends_the_reply_with_an_error(given):
    events, error = await overhear(agent_of(["ok"], hints=[lambda state: given]))
    assert str(error) == f"A hint must give text, a HintBlock or None, got {given!r}."
    assert types(events) == ["REPLY_START", "REPLY_END"]


async def test_a_hint_that_raises_ends_the_reply_and_the_agent_goes_on():
    def hint(state):
        if len(state.context) == 2:
            raise ZeroDivisionError("by zero")

    agent = agent_of(["ok"], hints=[hint])
    events, error = await overhear(agent)
    assert isinstance(error, ZeroDivisionError)
    assert events[-1].error.message == "ZeroDivisionError: by zero"
    assert verify(events, complete=True) == []
    assert agent.model.calls == []
    assert (await agent.reply("again")).get_text_content() == "ok"


async def test_the_time_once_a_reply():
    agent = agent_of([call("f")], ["ok"], hints=[current_time])
    [hint] = of_type(await listen(agent), "HINT_BLOCK")
    assert re.fullmatch(r"It is now \w+, \d{4}-\d\d-\d\d \d\d:\d\d \(.*, UTC[+-]\d{4}\)\.", hint.hint)
    assert hint.source == '{"label": "System", "sublabel": "Runtime State"}'


@pytest.mark.parametrize(
    ("inputs", "spoken"),
    [(["{}"] * 2, 0), (["{}"] * 3, 1), (["{}"] * 4, 2), (["{}", "{}", '{"a": 1}'], 0)],
)
async def test_the_same_failure_three_times(inputs, spoken):
    answers = [[call("f", text)] for text in inputs]
    events = await listen(agent_of(*answers, ["ok"], hints=[repeated_failure]))
    hints = of_type(events, "HINT_BLOCK")
    assert len(hints) == spoken
    assert all(hint.hint.startswith("The call of f has failed 3 times") for hint in hints)
