"""Runs whose agents call sub-agents: decisions reach the right one, and everything ends."""

import pytest

from nb_agentscope import event as ev
from nb_agentscope.run import DecisionRefused, NoFrontendError, Run
from nb_agentscope.stream import NOTE_KEY, SHOWN_KEY, Lane, fold, lane_of, verify
from tests.lanes import nested
from tests.run.fakes import (
    REPLY,
    Agent,
    ask,
    ask_outside,
    asking,
    assert_ended_well,
    calls,
    end,
    ends,
    forever,
    model,
    model_end,
    parked,
    result,
    start,
    text,
    types,
    until,
)

ONE, TWO = Lane("Friday/helper", REPLY, "c1"), Lane("Friday/helper", REPLY, "c2")
DEEP = Lane("Friday/helper/deep", "n1-r1", "c1")
GRACE = 0.01


def begun(*ids):
    """A reply that runs these calls."""
    return [
        *calls(*ids),
        *[ev.ToolResultStartEvent(reply_id=REPLY, tool_call_id=id, tool_call_name="rm") for id in ids],
    ]


def finished(*ids):
    return [*[event for id in ids for event in result(id, started=False)], end()]


def one(events, prefix="n1-"):
    return nested(events, ONE, prefix)


def two(events):
    return nested(events, TWO, "n2-")


def deep(events):
    return nested(events, DEEP, "n3-")


def rest():
    return [*result("c1"), end()]


async def waiting(*legs, **options):
    run = Run(Agent(*legs), "hi", stop_grace_s=GRACE, **options)
    await parked(run)
    return run


def check_end(run, reason):
    """As for any run, and each reply of each sub-agent has one end, too."""
    assert run.status == "finished"
    assert run.pending == []
    assert verify(list(run.log), complete=True) == []
    replies = [event.reply_id for event in ends(run)]
    started = {event.reply_id for event in run.log if event.type == "REPLY_START"}
    assert sorted(replies) == sorted(started)
    assert run.msg.finished_reason == reason
    assert run.msg == fold(run.log)


async def test_a_nested_call_is_pending_with_its_path_and_its_decision_stands_in_its_lane():
    run = await waiting([*begun("c1"), *one(asking("c1"))], [*one(rest()), *finished("c1")])
    [call] = run.pending
    assert (call.reply_id, call.tool_call_id, call.source, call.name) == ("n1-r1", "c1", "Friday/helper", "rm")
    run.approve(note="fine")
    await run
    check_end(run, "completed")
    [decision] = run._driver._agent.answers
    assert decision.reply_id == "n1-r1"
    assert decision.metadata == {NOTE_KEY: "fine", **ONE.metadata}
    assert run.lanes[ONE].progress.decisions["c1"].decision == "approved"
    assert run.progress.decisions == {}
    assert [block.state for block in run.lanes[ONE].msg.content] == ["finished", "success"]
    assert [block.type for block in run.msg.content] == ["tool_call", "tool_result"]


async def test_the_run_s_own_calls_have_no_source():
    run = await waiting(asking("c1"), rest())
    assert run.pending[0].source is None
    run.deny()
    await run
    assert lane_of(run._driver._agent.answers[0]) is None
    assert run.lanes == {}


async def test_equal_ids_in_two_replies_need_the_reply():
    run = await waiting(
        [*begun("c1", "c2"), *one(asking("c1")), *two(asking("c1"))],
        [],
        [*one(rest()), *two(rest()), *finished("c1", "c2")],
    )
    with pytest.raises(DecisionRefused) as caught:
        run.approve("c1")
    assert str(caught.value) == (
        "The call 'c1' waits in 2 replies: 'n1-r1' (Friday/helper/rm), 'n2-r1' (Friday/helper/rm). "
        "Give the reply_id of one of them."
    )
    with pytest.raises(DecisionRefused, match="There is no call 'c1' in reply 'r1' to decide on; waiting"):
        run.approve("c1", reply_id="r1")
    with pytest.raises(DecisionRefused, match="Which call is meant"):
        run.approve()
    run.deny("c1", reply_id="n2-r1", note="no")
    assert [call.reply_id for call in run.pending] == ["n1-r1"]
    with pytest.raises(DecisionRefused, match="was denied"):
        run.approve("c1", reply_id="n2-r1")
    run.approve("c1")
    await run
    check_end(run, "completed")
    assert [(event.reply_id, lane_of(event)) for event in run._driver._agent.answers] == [
        ("n2-r1", TWO),
        ("n1-r1", ONE),
    ]


async def test_the_same_id_outside_and_inside_are_two_calls():
    run = await waiting(
        [*begun("c1"), *one(asking("c1")), ask("c1")],
        [],
        [*one(rest()), *finished("c1")],
    )
    assert [(call.reply_id, call.source) for call in run.pending] == [("n1-r1", "Friday/helper"), ("r1", None)]
    assert len({call.digest for call in run.pending}) == 2
    run.approve(reply_id="r1")
    run.approve(reply_id="n1-r1")
    await run
    assert run.pending == []


async def test_a_result_from_outside_for_a_nested_call():
    run = await waiting(
        [*begun("c1"), *one([*calls("c1"), *ask_outside("c1")])],
        [*one([*result("c1", started=False), end()]), *finished("c1")],
    )
    with pytest.raises(DecisionRefused, match="waits for a result"):
        run.approve("c1", reply_id="n1-r1")
    run.submit_result("c1", "42", reply_id="n1-r1")
    await run
    check_end(run, "completed")
    assert run.lanes[ONE].progress.decisions["c1"].decision == "answered"


SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


async def test_schemas_are_looked_up_by_the_path():
    schemas = {"rm": {"type": "object", "required": ["never"]}, "Friday/helper/rm": SCHEMA}
    run = await waiting(
        [*begun("c1"), *one(asking("c1", input='{"n": "7"}'))], [*one(rest()), *finished("c1")], tool_schemas=schemas
    )
    [call] = run.pending
    assert (call.input, call.repaired) == ('{"n": 7}', True)
    with pytest.raises(DecisionRefused, match="do not fit its schema"):
        run.approve(input={"n": "x"})
    run.approve(input={"n": 8})
    await run
    [decision] = run._driver._agent.answers
    assert decision.metadata == {SHOWN_KEY: '{"n": 7}', **ONE.metadata}
    assert run.lanes[ONE].progress.decisions["c1"].edited_input == '{"n": 8}'


async def test_a_schema_of_the_agent_s_own_tool_is_not_used_for_a_sub_agent():
    run = await waiting(
        [*begun("c1"), *one(asking("c1"))], [*one(rest()), *finished("c1")], tool_schemas={"rm": SCHEMA}
    )
    run.approve(input={"any": "thing"})
    await run
    check_end(run, "completed")


async def test_stop_while_a_nested_call_waits():
    run = await waiting([*begun("c1"), *one(begun("c1")), *deep(asking("c1"))])
    run.stop()
    msg = await run
    check_end(run, "interrupted")
    assert [event.reply_id for event in ends(run)] == ["n3-r1", "n1-r1", "r1"]
    assert [lane_of(event) for event in ends(run)] == [DEEP, ONE, None]
    assert msg.content[-1].state == "interrupted"
    assert run._driver._agent.answers[-1].type == "USER_INTERRUPT"
    assert run._driver._agent.answers[-1].reply_id == REPLY
    for lane in (ONE, DEEP):
        assert all(block.finished_at for block in run.lanes[lane].msg.content)


async def test_stop_while_two_sub_agents_stream():
    run = Run(
        Agent(
            [*begun("c1", "c2"), *one([start(), model()]), *two([start(), model(), *text("so", done=False)]), forever]
        ),
        "hi",
        stop_grace_s=GRACE,
    )
    await until(lambda: "TEXT_BLOCK_DELTA" in types(run))
    run.stop()
    await run
    check_end(run, "interrupted")
    assert run.lanes[TWO].msg.get_text_content() == "so"


async def test_an_exception_closes_sub_agents_first_and_the_reply_with_the_error():
    run = Run(Agent([*begun("c1"), *one([start(), model()]), ValueError("broken")]), "hi")
    with pytest.raises(ValueError, match="broken"):
        await run
    check_end(run, "error")
    assert [(event.reply_id, event.finished_reason) for event in ends(run)] == [
        ("n1-r1", "interrupted"),
        ("r1", "error"),
    ]
    assert run.lanes[ONE].msg.error is None


async def test_a_sub_agent_that_is_left_open_by_a_reply_that_ends_is_closed():
    run = Run(Agent([*begun("c1"), *one([start(), model(), *text("a", done=False)]), *finished("c1")]), "hi")
    await run
    check_end(run, "completed")


async def test_a_nested_start_neither_ends_nor_interrupts_the_reply():
    both = [*one([start(), end()], "x-"), *nested([start(), end()], Lane("Friday/other"), "y-")]
    run = Run(Agent([*begun("c1"), *both, *finished("c1")]), "hi")
    await run
    check_end(run, "completed")
    assert [event.reply_id for event in ends(run)] == ["x-r1", "y-r1", "r1"]
    assert list(run.lanes) == [ONE, Lane("Friday/other")]


async def test_an_agent_that_says_nothing_itself_gets_its_reply_at_the_end():
    run = Run(Agent(one([start(), model(), model_end()])), "hi")
    with pytest.raises(RuntimeError, match="without REPLY_END"):
        await run
    check_end(run, "error")


async def test_a_lane_without_a_start_is_closed_as_well():
    run = Run(Agent([*begun("c1"), *one(text("a", done=False)), *finished("c1")]), "hi")
    await run
    assert run.lanes[ONE].msg.finished_reason == "interrupted"
    assert run.lanes[ONE].msg.name == "helper"
    assert [event.reply_id for event in ends(run)] == ["r1", "n1-r1"]


async def test_a_tool_that_names_its_source_is_no_sub_agent():
    found = ev.ToolResultEndEvent(reply_id=REPLY, tool_call_id="c1", state="success", metadata={"source": "wikipedia"})
    run = Run(Agent([*begun("c1"), found, end()]), "hi")
    msg = await run
    assert_ended_well(run, "completed")
    assert run.lanes == {}
    assert msg.content[1].metadata == {"source": "wikipedia"}


async def test_the_policy_decides_nested_calls_by_their_reply():
    run = Run(
        Agent(
            [*begun("c1", "c2"), *one(asking("c1")), *two(asking("c1"))],
            [],
            [*one(rest()), *two(rest()), *finished("c1", "c2")],
        ),
        "hi",
        grace_s=0.0,
    )
    await run
    check_end(run, "completed")
    assert [lane_of(event) for event in run._driver._agent.answers] == [ONE, TWO]
    assert {event.confirm_results[0].confirmed for event in run._driver._agent.answers} == {False}


async def test_a_policy_that_raises_names_the_tool():
    run = await waiting([*begun("c1"), *one(asking("c1"))], on_no_frontend="raise", grace_s=0.0)
    with pytest.raises(NoFrontendError, match="'rm' waits"):
        await run
    run.stop()
    await run


async def test_a_log_that_is_continued_knows_its_sub_agents():
    run = await waiting([*begun("c1"), *one(asking("c1"))])
    log = run.log
    run._driver._legs[-1].abandon()
    again = Run(Agent([start("r2"), end("r2")]), "next", log=log)
    await again
    assert verify(list(log), complete=True) == []
    assert [event.reply_id for event in ends(again)] == ["n1-r1", "r1", "r2"]
    run.stop()
