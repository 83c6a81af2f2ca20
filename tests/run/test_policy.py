"""A cell that waits where nobody can click."""

import asyncio

import pytest

from nb_agentscope.run import NoFrontendError, Run
from tests.run.fakes import (
    Agent,
    ask_outside,
    asking,
    assert_ended_well,
    calls,
    end,
    one_approval,
    parked,
    result,
    until,
)


async def test_deny_is_the_default_and_says_why():
    agent = Agent(asking("c1"), [*result(state="denied"), end()])
    run = Run(agent, "hi", grace_s=0)
    await run
    assert_ended_well(run, "completed")
    decision = run.progress.decisions["c1"]
    assert (decision.decision, decision.by) == ("denied", "policy")
    assert decision.note.endswith("no notebook view appeared within 0 s.")
    assert agent.answers[0].metadata["nb_agentscope.note"] == decision.note


@pytest.mark.parametrize("policy", ["deny", lambda call: "deny"])
@pytest.mark.parametrize("ask", [[asking("c1")], [calls("c1"), ask_outside("c1")]], ids=["confirm", "external"])
async def test_the_remedy_is_for_the_developer_and_not_for_the_model(policy, ask):
    agent = Agent([event for events in ask for event in events], [*result(started=False, state="denied"), end()])
    run = Run(agent, "hi", grace_s=0, on_no_frontend=policy)
    await run
    decided = next(n for n, record in enumerate(run.log.records) if record.by == "policy")
    remedy = run.log.records[decided + 1].event
    assert 'or pass on_no_frontend="wait" or a callable.' in remedy.value["text"]
    assert run.progress.notes == [remedy.value["text"]]
    assert "To decide" not in agent.answers[0].model_dump_json()


async def test_external_calls_are_denied_too():
    agent = Agent([*calls("c1"), *ask_outside("c1")], [*result(started=False, state="denied"), end()])
    await Run(agent, "hi", grace_s=0)
    assert agent.answers[0].execution_results[0].state == "denied"


async def test_without_a_wait_nothing_is_decided():
    run = Run(one_approval(), "hi", grace_s=0)
    await parked(run)
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(run.pending) == 1
    run.approve()
    await run


async def test_a_view_is_waited_for():
    run = Run(one_approval(), "hi", grace_s=0)
    run.frontend_seen = True
    waiter = asyncio.ensure_future(run._waiting.result())
    await parked(run)
    for _ in range(50):
        await asyncio.sleep(0)
    assert run.pending
    run.approve()
    await waiter


async def test_a_view_may_come_within_the_grace_time():
    run = Run(one_approval(), "hi", grace_s=3600)
    waiter = asyncio.ensure_future(run._waiting.result())
    await parked(run)
    run.frontend_seen = True
    run.grace_s = 0
    for _ in range(50):
        await asyncio.sleep(0)
    assert run.pending
    run.approve()
    await waiter


async def test_raise_leaves_the_run_as_it_is():
    run = Run(one_approval(), "hi", grace_s=0, on_no_frontend="raise")
    with pytest.raises(NoFrontendError, match=r"run\.approve"):
        await run
    assert run.status == "waiting"
    run.approve()
    await run
    assert_ended_well(run, "completed")


async def test_wait_waits():
    run = Run(one_approval(), "hi", grace_s=0, on_no_frontend="wait")
    waiter = asyncio.ensure_future(run._waiting.result())
    await parked(run)
    for _ in range(50):
        await asyncio.sleep(0)
    assert run.pending
    run.approve()
    await waiter


async def test_a_callable_decides_each_call():
    asked = []

    def decide(call):
        asked.append(call.tool_call_id)
        return {"a": "approve", "b": "deny"}.get(call.tool_call_id)

    agent = Agent(asking("a", "b", "c"), [*result("a")], [*result("b")], [*result("c"), end()])
    run = Run(agent, "hi", grace_s=0, on_no_frontend=decide)
    waiter = asyncio.ensure_future(run._waiting.result())
    await until(lambda: len(agent.received) == 3 and run.status == "waiting")
    assert asked == ["a", "b", "c"]
    assert [r.by for r in run.log.records if r.event.type == "USER_CONFIRM_RESULT"] == ["policy", "policy"]
    run.deny()
    await waiter
    assert asked == ["a", "b", "c"]
    assert "a callable" in run.progress.decisions["b"].note
    assert len(run.progress.notes) == 1, "once is enough"


@pytest.mark.parametrize(("answer", "says"), [("yes", "'yes'"), (True, "True")])
async def test_a_callable_that_answers_nonsense(answer, says):
    run = Run(one_approval(), "hi", grace_s=0, on_no_frontend=lambda call: answer)
    with pytest.raises(ValueError, match=f"must return .*got {says}"):
        await run
    assert run.pending
    run.stop()
    await run._waiting.ended()


async def test_a_callable_cannot_approve_an_external_call():
    agent = Agent([*calls("c1"), *ask_outside("c1")], [])
    run = Run(agent, "hi", grace_s=0, on_no_frontend=lambda call: "approve", stop_grace_s=0.01)
    with pytest.raises(ValueError, match=r"run\.submit_result"):
        await run
    run.stop()
    await run._waiting.ended()
    assert_ended_well(run, "interrupted")
