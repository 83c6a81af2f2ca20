"""Decisions: bound to the call that was shown, checked, and refused with one clear sentence."""

import hashlib
import json

import pytest

from nb_agentscope.event import UserConfirmResultEvent
from nb_agentscope.message import DataBlock, PermissionRule, TextBlock, URLSource
from nb_agentscope.run import DecisionRefused, Run, call_digest
from tests.run.fakes import Agent, ask, ask_outside, asking, calls, end, forever, one_approval, parked, result, until

SCHEMA = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}


def sentence(caught):
    """The text of the refusal, which is one sentence or two."""
    text = str(caught.value)
    assert text.endswith((".", "?", "!"))
    assert "\n" not in text
    return text


async def waiting(*legs, **options):
    run = Run(Agent(*legs), "hi", stop_grace_s=0.01, **options)
    await parked(run)
    return run


def test_digest_is_the_hash_of_canonical_json():
    text = '["r1","c1","rm","{\\"x\\": \\"\\u00e4\\"}"]'
    assert json.loads(text) == ["r1", "c1", "rm", '{"x": "ä"}']
    assert call_digest("r1", "c1", "rm", '{"x": "ä"}') == hashlib.sha256(text.encode()).hexdigest()


async def test_the_digest_must_match():
    run = await waiting(asking("c1"), [*result(), end()])
    [call] = run.pending
    assert call.digest == call_digest("r1", "c1", "rm", '{"x": "a.txt"}')
    with pytest.raises(DecisionRefused, match="no longer the one that was shown"):
        run.approve("c1", digest=call_digest("r1", "c1", "rm", '{"x": "b.txt"}'))
    with pytest.raises(DecisionRefused, match="no longer the one that was shown"):
        run.deny("c1", digest="")
    run.approve("c1", digest=call.digest)
    await run


async def test_unknown_calls():
    run = await waiting(asking("c1"), [*result(), end()])
    with pytest.raises(DecisionRefused) as caught:
        run.approve("c9")
    assert sentence(caught) == "There is no call 'c9' to decide on; waiting: 'c1' (rm)."
    assert caught.value.earlier is None
    run.approve()
    await run
    with pytest.raises(DecisionRefused, match="the run has ended"):
        run.approve("c9")


async def test_none_means_the_only_one():
    run = await waiting(asking("a", "b"), [*result("b")], [*result("a"), end()])
    with pytest.raises(DecisionRefused) as caught:
        run.approve()
    assert (
        sentence(caught)
        == "Which call is meant? Now waiting: 'a' (rm), 'b' (rm). Give the tool_call_id of one of them."
    )
    run.approve("b")
    run.approve()
    await run


async def test_nothing_waits():
    run = Run(Agent([forever]), "hi", stop_grace_s=0.01)
    with pytest.raises(DecisionRefused) as caught:
        run.deny()
    assert sentence(caught) == "Which call is meant? Now nothing is waiting."
    run.stop()
    await run


async def test_the_second_decision_hears_of_the_first():
    run = await waiting(asking("c1"), [*result(), end()])
    run.deny("c1", by="user")
    with pytest.raises(DecisionRefused) as caught:
        run.approve("c1")
    assert sentence(caught).startswith("The call 'c1' was denied by user at 20")
    assert caught.value.earlier["decision"] == "denied"
    await run
    with pytest.raises(DecisionRefused, match="the first decision counts") as caught:
        run.approve("c1")
    assert caught.value.earlier["by"] == "user"


async def test_a_call_that_is_asked_again_is_a_new_one():
    run = await waiting(asking("c1"), [ask("c1")], [*result(), end()])
    run.approve("c1")
    await until(lambda: run.pending)
    await parked(run)
    run.deny("c1")
    await run
    assert [e.confirm_results[0].confirmed for e in run.log if e.type == "USER_CONFIRM_RESULT"] == [True, False]


async def test_a_call_that_the_agent_answered_itself():
    run = await waiting([*calls("a", "b"), ask("a"), ask("b"), *result("a")], [*result("b"), end()])
    assert [call.tool_call_id for call in run.pending] == ["b"]
    with pytest.raises(DecisionRefused, match="has its result already"):
        run.approve("a")
    run.approve("b")
    await run


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("{", "are not JSON"),
        ('{"x": NaN}', "NaN is not a JSON number"),
        ("[1]", "must be a JSON object, got list"),
        ('"x"', "must be a JSON object, got str"),
        ({"x": {1}}, "cannot be written as JSON"),
        ({"x": float("nan")}, "cannot be written as JSON"),
        ({"x": 5}, r"do not fit its schema at \$.x: 5 is not of type 'string'"),
        ({}, "do not fit its schema: 'x' is a required property"),
    ],
)
async def test_bad_edits_are_refused_and_the_call_stays(edit, says):
    run = await waiting(asking("c1"), [*result(), end()], tool_schemas={"rm": SCHEMA})
    with pytest.raises(DecisionRefused, match=says) as caught:
        run.approve(input=edit)
    sentence(caught)
    assert len(run.pending) == 1
    run.approve()
    await run


@pytest.mark.parametrize(("edit", "runs"), [('{"x":  "b"}', '{"x":  "b"}'), ({"x": "ä"}, '{"x": "ä"}')])
async def test_a_good_edit_is_what_runs(edit, runs):
    run = await waiting(asking("c1"), [*result(), end()], tool_schemas={"rm": SCHEMA})
    run.approve(input=edit)
    [given] = [e for e in run.log if e.type == "USER_CONFIRM_RESULT"]
    assert given.confirm_results[0].tool_call.input == runs
    assert run.progress.decisions["c1"].edited_input == runs
    await run


async def test_without_a_schema_any_object_will_do():
    run = await waiting(asking("c1"), [*result(), end()])
    run.approve(input={"y": 1})
    await run


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"$ref": "https://example.org/schema.json"}, {"$ref": "#/$defs/none"}]
)
async def test_a_schema_that_cannot_check_refuses_the_edit_and_fetches_nothing(schema):
    run = await waiting(asking("c1"), [*result(), end()], tool_schemas={"rm": schema})
    with pytest.raises(DecisionRefused, match="cannot be checked by its schema") as caught:
        run.approve(input={"x": "b"})
    sentence(caught)
    run.approve()
    await run


@pytest.mark.parametrize(
    ("raw", "shown", "repaired"),
    [
        ('{"x": "a.t', '{"x": "a.t"}', True),
        ("{'x': 'ä'}", '{"x": "ä"}', True),
        ("", "", False),
        (" ", " ", False),
        ('{"x":1}', '{"x":1}', False),
        ("[1]", "[1]", False),
        ("no arguments at all", "no arguments at all", False),
    ],
)
async def test_arguments_are_repaired_before_they_are_shown(raw, shown, repaired):
    agent = Agent(asking("c1", input=raw), [*result(), end()])
    agent.legs[0][-1] = ask("c1", input=raw)
    run = Run(agent, "hi")
    await parked(run)
    [call] = run.pending
    assert (call.input, call.repaired) == (shown, repaired)
    assert call.digest == call_digest("r1", "c1", "rm", shown)
    run.approve()
    await run
    assert agent.answers[0].confirm_results[0].tool_call.input == shown


@pytest.mark.parametrize(
    ("decide", "shown", "edited"),
    [
        (lambda run: run.approve(by="user"), '{"x": "a.t"}', None),
        (lambda run: run.deny(by="user"), '{"x": "a.t"}', None),
        (lambda run: run.approve(input='{"x": "b"}', by="user"), '{"x": "a.t"}', '{"x": "b"}'),
    ],
    ids=["approved", "denied", "edited"],
)
async def test_a_repair_is_not_called_an_edit_of_the_person(decide, shown, edited):
    run = await waiting([*calls("c1", input='{"x": "a.t'), ask("c1", input='{"x": "a.t')], [*result(), end()])
    decide(run)
    await run
    [event] = [e for e in run.log if isinstance(e, UserConfirmResultEvent)]
    assert event.metadata == {"nb_agentscope.shown": shown}
    assert run.progress.decisions["c1"].edited_input == edited
    assert ("arguments edited" in run._repr_mimebundle_()["text/html"]) is (edited is not None)


async def test_a_call_that_needed_no_repair_says_nothing_of_what_was_shown():
    run = await waiting(asking("c1"), [*result(), end()])
    run.approve(note="fine")
    await run
    [event] = [e for e in run.log if isinstance(e, UserConfirmResultEvent)]
    assert event.metadata == {"nb_agentscope.note": "fine"}


async def test_rules_go_with_the_approval():
    run = await waiting(asking("c1"), [*result(), end()])
    [call] = run.pending
    rule = {"tool_name": "rm", "rule_content": None, "behavior": "allow", "source": "session"}
    with pytest.raises(DecisionRefused, match="A permission rule cannot be used"):
        run.approve(rules=[{"tool_name": "rm"}])
    run.approve(rules=[*call.suggested_rules, rule])
    await run
    [given] = [e for e in run.log if isinstance(e, UserConfirmResultEvent)]
    assert [r.source for r in given.confirm_results[0].rules] == ["suggested", "session"]
    assert isinstance(given.confirm_results[0].rules[1], PermissionRule)


@pytest.mark.parametrize(
    ("output", "options", "says"),
    [(5, {}, "result of 'rm' cannot be used"), ("x", {"state": "maybe"}, "'maybe'"), ([5], {}, "cannot be used")],
)
async def test_bad_results_are_refused(output, options, says):
    run = await waiting([*calls("c1"), *ask_outside("c1")], [*result(started=False), end()])
    with pytest.raises(DecisionRefused, match=says) as caught:
        run.submit_result("c1", output, **options)
    sentence(caught)
    run.submit_result(
        "c1", [TextBlock(text="t"), DataBlock(source=URLSource(url="https://e.org/a", media_type="image/png"))]
    )
    await run


async def test_a_result_for_a_call_that_waits_for_a_decision():
    run = await waiting(asking("c1"), [*result(), end()])
    with pytest.raises(DecisionRefused, match="use approve or deny"):
        run.submit_result("c1", "x")
    run.approve()
    await run


async def test_a_changed_event_changes_nothing_that_was_decided_on():
    agent = one_approval()
    prompt = agent.legs[0][-1]
    run = Run(agent, "hi")
    await parked(run)
    prompt.tool_calls[0].input = '{"x": "/"}'
    run.approve()
    await run
    assert agent.answers[0].confirm_results[0].tool_call.input == '{"x": "a.txt"}'
