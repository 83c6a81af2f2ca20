"""What runs is what was shown: reuse of ids, stale clicks, other replies, and arguments that have to be repaired."""

import json

import pytest

from nb_agentscope import event as ev
from nb_agentscope._arguments import MAX_REPAIR, runnable_input
from nb_agentscope.run import DecisionRefused, Run
from tests.run.fakes import (
    Agent,
    ask,
    asking,
    call,
    end,
    model,
    model_end,
    parked,
    result,
    start,
    until,
)

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "force": {"type": "boolean"}},
    "required": ["n"],
}


def again(**fields):
    """The reply goes on and asks under the same id once more."""
    return [*result("c1"), model(), *call("c1", **fields), model_end(), ask("c1", **fields)]


async def second_question(run, agent):
    await until(lambda: len(agent.answers) == 1 and run.status == "waiting")
    return run.pending[0]


@pytest.mark.parametrize("fields", [{}, {"input": '{"x": "b.txt"}'}, {"name": "cp"}])
async def test_a_click_on_the_first_question_does_not_answer_the_second(fields):
    agent = Agent(asking("c1"), again(**fields), [*result("c1"), end()])
    run = Run(agent, "hi")
    await parked(run)
    [first] = run.pending
    run.approve("c1", digest=first.digest, by="user")
    second = await second_question(run, agent)
    assert second.digest != first.digest
    for act in (run.approve, run.deny):
        with pytest.raises(DecisionRefused, match="no longer the one that was shown"):
            act("c1", digest=first.digest, by="user")
    run.approve("c1", digest=second.digest, by="user")
    await run
    assert [event.confirm_results[0].tool_call.id for event in agent.answers] == ["c1", "c1"]
    assert run.msg.finished_reason == "completed"


async def test_a_question_repeated_while_it_is_open_is_the_same_one():
    agent = Agent([*asking("c1"), ask("c1"), ask("c1")], [*result("c1"), end()])
    run = Run(agent, "hi")
    await parked(run)
    [one] = run.pending
    run.approve(digest=one.digest)
    await run


async def test_events_of_another_reply_answer_nothing():
    other = [event.model_copy(update={"reply_id": "r0"}) for event in result("c1")]
    decided = ev.UserConfirmResultEvent(
        reply_id="r0", confirm_results=[ev.ConfirmResult(confirmed=True, tool_call=ask().tool_calls[0])]
    )
    agent = Agent([start("r0"), end("r0"), *asking("c1"), *other, decided], [*result("c1"), end()])
    run = Run(agent, "hi")
    await parked(run)
    assert [one.tool_call_id for one in run.pending] == ["c1"]
    run.deny()
    await run
    assert len(agent.answers) == 1


HOSTILE = {
    "an array in an array": '{"a":' + "[" * 10_000 + "]" * 10_000 + "}",
    "an array never closed": '{"a":' + "[" * 10_000,
    "objects": '{"a":' * 10_000,
    "braces": "{" * 3_000,
    "digits": '{"a":' + "9" * 5_000 + "}",
    "half an emoji": '{"a":"\ud83d"}',
    "NaN": '{"a":NaN}',
    "long and cut": '{"a": "' + "x" * 2_000_000,
}


@pytest.mark.parametrize("what", HOSTILE)
async def test_arguments_that_break_parsers_are_shown_and_can_be_denied(what):
    agent = Agent([start(), ask("c1", input=HOSTILE[what])], [*result("c1"), end()])
    run = Run(agent, "hi", tool_schemas={"rm": SCHEMA})
    await parked(run)
    [shown] = run.pending
    shown.model_dump_json()
    run.deny()
    await run
    assert run.error is None


async def test_what_is_too_long_to_repair_is_not_approved_as_it_stands():
    agent = Agent([start(), ask("c1", input='{"n": "' + "x" * MAX_REPAIR)], [*result("c1"), end()])
    run = Run(agent, "hi", tool_schemas={"rm": SCHEMA})
    await parked(run)
    with pytest.raises(DecisionRefused, match="need a repair and are too long"):
        run.approve()
    run.approve(input={"n": 1})
    await run


async def test_long_arguments_that_fit_are_approved():
    text = json.dumps({"n": 1, "text": "x" * MAX_REPAIR})
    run = Run(Agent([start(), ask("c1", input=text)], [*result("c1"), end()]), tool_schemas={"rm": SCHEMA})
    await parked(run)
    assert (run.pending[0].input, run.pending[0].repaired) == (text, False)
    run.approve()
    await run


REPAIRS = {
    '{"n": 42}': ('{"n": 42}', False),
    '{"n": "42"}': ('{"n": 42}', True),
    '{"n": 1, "force": "yes"}': ('{"n": 1, "force": true}', True),
    '{"n": 1, "n": 2}': ('{"n": 1, "n": 2}', False),
    '{"n": 1}{"n": 2}': ('{"n": 2}', True),
    '"{\\"n\\": 1}"': ('{"n": 1}', True),
    '{"n": "many"}': ('{"n": "many"}', False),
    '{"force": true}': ('{"force": true}', False),
    '{"n": NaN}': ('{"n": NaN}', False),
    "[1]": ("[1]", False),
    "": ("", False),
}


@pytest.mark.parametrize("text", REPAIRS)
def test_arguments_are_repaired_by_the_schema_as_agentscope_does(text):
    common = pytest.importorskip("agentscope._utils._common")
    shown, repaired = runnable_input(text, SCHEMA)
    assert (shown, repaired) == REPAIRS[text]

    def runs(given):
        try:
            return common._json_loads_with_repair(given, SCHEMA)
        except common.ToolJSONDecodeError:
            return None

    assert json.dumps(runs(shown)) == json.dumps(runs(text))
    if repaired:
        assert runs(shown) == json.loads(shown)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ('{"n": 1, "n": 2}', "the key 'n' stands in it twice"),
        ('{"n": 1, "a": {"b": 1, "b": 1}}', "the key 'b' stands in it twice"),
        ('{"n": ' + "[" * 10_000 + "]" * 10_000 + "}", "nested too deeply"),
        ('{"n": 1e999999, "force": Infinity}', "not JSON"),
        ("[1]", "must be a JSON object"),
        ("", "not JSON"),
    ],
)
async def test_an_edit_that_can_be_read_in_two_ways_is_refused(edit, why):
    run = Run(Agent([start(), ask("c1", input='{"n": 1}')], [*result("c1"), end()]), tool_schemas={"rm": SCHEMA})
    await parked(run)
    with pytest.raises(DecisionRefused, match=why) as caught:
        run.approve(input=edit)
    assert "\n" not in str(caught.value)
    run.deny()
    await run
