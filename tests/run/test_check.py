"""The check that a run asks before it takes an approval."""

import pytest

from nb_agentscope.message import PermissionRule
from nb_agentscope.run import DecisionRefused, Run
from tests.run.fakes import RULE, Agent, asking, assert_ended_well, end, parked, result


async def waiting(check):
    run = Run(Agent(asking("c1"), [*result(), end()]), "hi", stop_grace_s=0.01, check=check)
    await parked(run)
    return run


async def test_it_gets_the_call_what_will_run_and_the_rules():
    seen = []
    run = await waiting(lambda *args: seen.append(args))
    [call] = run.pending
    run.approve(input={"x": "b"}, rules=[RULE.model_dump()])
    assert seen == [(call, '{"x": "b"}', [RULE])]
    assert isinstance(seen[0][2][0], PermissionRule)
    await run
    assert_ended_well(run, "completed")


async def test_a_sentence_refuses_and_the_call_stays_pending():
    answers = ["A rule denies rm on /.", None]
    run = await waiting(lambda *_: answers.pop(0))
    with pytest.raises(DecisionRefused) as caught:
        run.approve("c1")
    assert str(caught.value) == "A rule denies rm on /."
    assert caught.value.earlier is None
    assert [call.tool_call_id for call in run.pending] == ["c1"]
    assert run.status == "waiting"
    run.approve("c1")
    await run
    assert_ended_well(run, "completed")


async def test_a_denial_is_not_checked():
    run = await waiting(lambda *_: pytest.fail("asked"))
    run.deny()
    await run


async def test_a_check_that_fails_is_heard_and_decides_nothing():
    def check(*_):
        raise ZeroDivisionError("in the check")

    run = await waiting(check)
    with pytest.raises(ZeroDivisionError):
        run.approve()
    assert len(run.pending) == 1
    run.deny()
    await run
