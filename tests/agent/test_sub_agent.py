"""Agents as tools: a lane of their own, bound by whom they work for, and steered through the outermost stream."""

import asyncio

import pytest

from nb_agentscope import tool
from nb_agentscope.agent import AgentState
from nb_agentscope.event import UserInterruptEvent
from nb_agentscope.stream import fold, verify
from nb_agentscope.tools import ToolChunk
from tests.agent.talking import (
    agent_of,
    call,
    lane,
    listen,
    of_type,
    overhear,
    requests,
    results,
    rule,
    said,
    types,
)

TASK = '{"task": "find it"}'
BOSS, CHILD = "assistant", "assistant/researcher"


@pytest.fixture
def ran():
    return []


@pytest.fixture
def delete(ran):
    @tool(concurrent=True)
    def delete(path: str = "x") -> str:
        ran.append(path)
        return "gone"

    return delete


def child_of(*answers, tools=(), **options):
    return agent_of(*answers, tools=tools, name="researcher", **options)


def boss_of(child, *calls, answers=1, **options):
    first = list(calls) or [call("researcher", TASK, "t1")]
    return agent_of(first, *[["all done"]] * answers, tools=[child.as_tool()], **options)


def check(events, *, complete=True):
    """Every lane is a stream by itself, and ids are never shared."""
    assert len({event.id for event in events}) == len(events)
    assert verify(events, complete=complete) == []
    assert fold(events) == fold(lane(events, None))
    for source in {event.metadata.get("source") for event in events}:
        replies = {event.metadata.get("parent_tool_call_id") for event in lane(events, source)}
        for parent in replies:
            own = [event for event in lane(events, source) if event.metadata.get("parent_tool_call_id") == parent]
            assert verify(own, complete=complete) == [], source


async def test_its_events_come_through_marked_with_path_and_call():
    boss = boss_of(child_of(["found"]))
    events = await listen(boss)
    own, nested = lane(events, None), lane(events, CHILD)
    assert types(nested) == [
        *("REPLY_START", "MODEL_CALL_START", "TEXT_BLOCK_START"),
        *("TEXT_BLOCK_DELTA", "TEXT_BLOCK_END", "MODEL_CALL_END", "REPLY_END"),
    ]
    marks = {"source": CHILD, "parent_reply_id": events[0].reply_id, "parent_tool_call_id": "t1"}
    assert all(event.metadata == marks for event in nested)
    assert {event.reply_id for event in own}.isdisjoint({event.reply_id for event in nested})
    assert nested[0].session_id != own[0].session_id
    start = events.index(of_type(own, "TOOL_RESULT_START")[0])
    assert start < events.index(nested[0]), "its lane opens inside the call"
    assert results(own)["t1"] == ("success", "found")
    assert boss.state.context[-1] == fold(own)
    check(events)


async def test_it_sees_the_task_alone_and_each_call_begins_anew():
    child = child_of(["one"], ["two"])
    boss = agent_of(
        [call("researcher", TASK, "t1")],
        [call("researcher", TASK, "t2")],
        ["ok"],
        tools=[child.as_tool(concurrent=False)],
    )
    events = await listen(boss, "secret")
    for asked in child.model.calls:
        assert [msg.get_text_content() for msg in asked.messages[1:-1]] == ["find it"]
    assert results(lane(events, None)) == {"t1": ("success", "one"), "t2": ("success", "two")}
    assert child.state.context == []
    check(events)


async def test_its_answer_is_the_text_after_its_last_tool():
    child = child_of(["I will look first.", call("f")], ["It is in a.txt."])
    assert results(lane(await listen(boss_of(child)), None))["t1"] == ("success", "It is in a.txt.")


@pytest.mark.parametrize(
    ("answers", "state", "text"),
    [
        ([[]], "success", "The agent 'researcher' ended without an answer (completed)."),
        ([OSError("no net")], "error", "The agent 'researcher' failed: OSError: no net"),
        ([["Hal", OSError("cut")]], "error", "The agent 'researcher' failed: OSError: cut"),
    ],
)
async def test_one_that_has_nothing_to_say_or_fails(answers, state, text):
    """Its failure is a result like any tool's: the reply of the other agent goes on."""
    boss = boss_of(child_of(*answers))
    events = await listen(boss)
    assert results(lane(events, None))["t1"] == (state, text)
    assert events[-1].finished_reason == "completed"
    assert lane(events, CHILD)[-1].type == "REPLY_END"
    check(events)


async def test_approve(delete, ran):
    boss = boss_of(child_of([call("delete")], ["deleted"], tools=[delete]))
    events = await listen(boss)
    [asked] = requests(events)
    assert asked.metadata["source"] == CHILD
    assert [block.id for block in boss.pending] == ["c1"]
    assert boss.state.reply.sub_replies.keys() == {asked.reply_id}
    more = await listen(boss, said(asked))
    assert ran == ["x"]
    assert results(lane(more, CHILD)) == {"c1": ("success", "gone")}
    assert results(lane(more, None)) == {"t1": ("success", "deleted")}
    assert boss.state.reply is None
    assert boss.pending == []
    assert boss.state.context[-1] == fold(lane(events + more, None))
    check(events + more)


async def test_deny_with_a_note(delete, ran):
    child = child_of([call("delete")], ["left it"], tools=[delete])
    boss = boss_of(child)
    events = await listen(boss)
    more = await listen(boss, said(*requests(events), yes=False, note="mine"))
    assert results(lane(more, CHILD))["c1"] == ("denied", "The user denied this call. They said: mine")
    assert results(lane(more, None))["t1"] == ("success", "left it")
    assert ran == []


async def test_two_at_once_with_equal_call_ids(delete, ran):
    child = child_of(
        [call("delete", '{"path": "a"}')], [call("delete", '{"path": "b"}')], ["first"], ["second"], tools=[delete]
    )
    boss = boss_of(child, call("researcher", TASK, "t1"), call("researcher", TASK, "t2"))
    events = await listen(boss)
    one, two = requests(events)
    assert one.tool_calls[0].id == two.tool_calls[0].id == "c1"
    assert one.reply_id != two.reply_id
    assert len(boss.pending) == 2
    second = await listen(boss, said(two, yes=False))
    assert ran == []
    assert len(boss.pending) == 1
    third = await listen(boss, said(one))
    path = one.tool_calls[0].input
    assert ran == [path[10:11]]
    assert third[-1].type == "REPLY_END"
    done = results(lane(second + third, None))
    assert {id: state for id, (state, _) in done.items()} == {"t1": "success", "t2": "success"}
    check(events + second + third)


def tower(inner_tools, **options):
    """boss -> researcher -> digger, which has the tools."""
    digger = agent_of([call("delete")], ["dug"], tools=inner_tools, name="digger", **options)
    researcher = agent_of([call("digger", TASK, "d1")], ["found"], tools=[digger.as_tool()], name="researcher")
    return boss_of(researcher)


@pytest.mark.parametrize("yes", [True, False])
async def test_decisions_reach_depth_two(delete, ran, yes):
    boss = tower([delete])
    events = await listen(boss)
    [asked] = requests(events)
    assert asked.metadata["source"] == "assistant/researcher/digger"
    assert asked.metadata["parent_tool_call_id"] == "d1"
    assert len(boss.pending) == 1
    more = await listen(boss, said(asked, yes=yes))
    assert ran == (["x"] if yes else [])
    assert more[-1].type == "REPLY_END"
    assert more[-1].metadata == {}
    check(events + more)


async def test_a_stop_closes_depth_two_from_the_inside(delete, ran):
    boss = tower([delete])
    events = await listen(boss)
    more = await listen(boss, UserInterruptEvent(reply_id=events[0].reply_id))
    ends = [event.metadata.get("source") for event in of_type(more, "REPLY_END")]
    assert ends == ["assistant/researcher/digger", CHILD, None]
    assert {event.finished_reason for event in of_type(more, "REPLY_END")} == {"interrupted"}
    assert ran == []
    check(events + more)


async def test_a_stop_of_one_sub_agent_alone(delete, ran):
    child = child_of([call("delete")], tools=[delete])
    boss = boss_of(child)
    events = await listen(boss)
    more = await listen(boss, UserInterruptEvent(reply_id=requests(events)[0].reply_id))
    state, text = results(lane(more, None))["t1"]
    assert state == "interrupted"
    assert text == "The agent 'researcher' ended without an answer (interrupted)."
    assert more[-1].finished_reason == "completed", "the other one goes on"
    check(events + more)


async def test_a_stop_of_a_running_one():
    begun = asyncio.Event()

    @tool(read_only=True)
    async def wait() -> str:
        begun.set()
        await asyncio.Event().wait()

    boss = boss_of(child_of([call("wait")], tools=[wait]))
    task = asyncio.ensure_future(overhear(boss))
    await begun.wait()
    task.cancel()
    events, error = await task
    assert error is None
    ends = [event.metadata.get("source") for event in of_type(events, "REPLY_END")]
    assert ends == [CHILD, None]
    assert results(lane(events, CHILD))["c1"][0] == "interrupted"
    assert results(lane(events, None))["t1"][0] == "interrupted"
    assert boss.state.reply is None
    assert boss.state.context[-1] == fold(lane(events, None))
    check(events)


async def test_explore_binds_the_child(delete, ran):
    boss = boss_of(child_of([call("delete")], ["no"], tools=[delete], mode="bypass"), mode="explore")
    events = await listen(boss)
    assert results(lane(events, CHILD))["c1"] == (
        "denied",
        "Permission denied for delete (explore mode is read-only)",
    )
    assert ran == []


@pytest.mark.parametrize("behavior", ["deny", "ask"])
async def test_deny_and_ask_rules_above_bind_the_child(delete, ran, behavior):
    child = child_of([call("delete")], ["no"], tools=[delete], mode="bypass")
    events = await listen(boss_of(child, rules=[rule("delete", behavior)]))
    assert ran == []
    assert len(requests(events)) == (behavior == "ask")
    assert [state for state, _ in results(lane(events, CHILD)).values()] == (["denied"] if behavior == "deny" else [])


async def test_allow_rules_above_do_not_reach_the_child(delete, ran):
    events = await listen(boss_of(child_of([call("delete")], tools=[delete]), rules=[rule("delete")]))
    assert len(requests(events)) == 1
    assert ran == []


async def test_they_bind_at_depth_two(delete, ran):
    boss = tower([delete], mode="bypass")
    boss.add_rule(rule("delete", "deny"))
    await listen(boss)
    assert ran == []


async def test_a_rule_or_mode_of_now_binds_a_child_that_waits(delete, ran):
    child = child_of([call("delete")], [call("delete", id="c2")], ["no"], tools=[delete])
    boss = boss_of(child)
    events = await listen(boss)
    boss.add_rule(rule("delete", "deny"))
    more = await listen(boss, said(*requests(events)))
    assert ran == ["x"], "this one was approved"
    assert results(lane(more, CHILD))["c2"][0] == "denied"


async def test_an_accepted_rule_stays_for_the_next_call(delete, ran):
    child = child_of([call("delete")], ["a"], [call("delete")], ["b"], tools=[delete])
    boss = agent_of([call("researcher", TASK, "t1")], [call("researcher", TASK, "t2")], ["ok"], tools=[child.as_tool()])
    events = await listen(boss)
    [asked] = requests(events)
    more = await listen(boss, said(asked, rules=asked.tool_calls[0].suggested_rules))
    assert ran == ["x", "x"]
    assert requests(more) == []
    assert [one.tool_name for one in child.rules] == ["delete"]
    assert boss.rules == []
    child.revoke(child.rules[0])
    assert child.rules == []


async def test_a_state_is_read_again_while_a_sub_agent_waits(delete, ran):
    """As after a restart of the kernel: other objects, the same answers."""
    boss = tower([delete])
    events = await listen(boss)
    saved = boss.state.model_dump_json()

    later = tower([delete])
    for name in ("researcher", "digger"):  # their models have spoken before
        below = (later if name == "researcher" else later.toolkit.get("researcher").agent).toolkit.get(name).agent
        below.model._script = below.model._script[1:]
    again = agent_of(["all done"], tools=list(later.toolkit), state=AgentState.model_validate_json(saved))
    assert [block.id for block in again.pending] == ["c1"]
    more = await listen(again, said(*requests(events)))
    assert ran == ["x"]
    assert more[-1].type == "REPLY_END"
    assert lane(more, "assistant/researcher/digger")
    check(events + more)


async def test_a_state_that_waits_for_a_tool_that_is_missing_is_refused(delete):
    boss = tower([delete])
    await listen(boss)
    state = AgentState.model_validate_json(boss.state.model_dump_json())
    sentence = (
        r"^The state waits for the sub-agent of the tool '{}', which this agent does not have: give it this tool\.$"
    )
    with pytest.raises(ValueError, match=sentence.format("researcher")):
        agent_of(state=state)
    with pytest.raises(ValueError, match=sentence.format("digger")):
        agent_of(tools=[child_of().as_tool()], state=state)


async def test_a_new_message_while_it_waits_is_refused(delete):
    boss = boss_of(child_of([call("delete")], tools=[delete]))
    await listen(boss)
    with pytest.raises(ValueError, match=r"^'assistant' waits for an answer on 'c1' \(delete\): "):
        await listen(boss, "and now?")
    assert len(boss.pending) == 1


async def test_a_reader_that_goes_away_leaves_closed_messages(delete):
    begun = asyncio.Event()

    @tool(read_only=True)
    async def wait() -> str:
        begun.set()
        await asyncio.Event().wait()

    boss = boss_of(child_of([call("wait")], tools=[wait]))
    stream = boss.reply_stream("go")
    async for event in stream:
        if event.type == "TOOL_RESULT_START" and event.metadata:
            break
    await stream.aclose()
    assert boss.state.reply is None
    assert boss.state.context[-1].finished_reason == "interrupted"
    assert (await overhear(boss, "again"))[1] is None


async def test_a_tools_own_source_does_not_hide_whose_events_they_are():
    @tool(read_only=True)
    def look() -> ToolChunk:
        return ToolChunk(metadata={"source": "an encyclopedia", "parent_reply_id": "forged", "n": 1})

    events = await listen(boss_of(child_of([call("look")], ["ok"], tools=[look])))
    [end] = of_type(lane(events, CHILD), "TOOL_RESULT_END")
    assert end.metadata["parent_reply_id"] == events[0].reply_id
    assert end.metadata["n"] == 1


def test_names():
    with pytest.raises(ValueError, match=r"^An agent that works for another needs a name without '/', got 'a/b'\.$"):
        agent_of(name="a/b").as_tool()
    twins = [child_of().as_tool("one"), child_of().as_tool("two")]
    with pytest.raises(ValueError, match=r"^Two sub-agents are called 'researcher': give one of them another name\.$"):
        agent_of(tools=twins)
    child = child_of()
    assert len(agent_of(tools=[child.as_tool("one"), child.as_tool("two")]).toolkit) == 2


def test_an_agent_cannot_become_its_own_sub_agent():
    """Its tools are fixed before it can be made a tool, so there is no way round to itself."""
    agent = child_of()
    with pytest.raises(AttributeError):
        agent.toolkit = [agent.as_tool()]


async def test_the_tool_alone_says_who_could_run_it():
    alone = child_of().as_tool(description="Finds things.")
    assert alone.description == "Finds things."
    with pytest.raises(TypeError, match=r"^A sub-agent runs only inside the reply of another agent"):
        [chunk async for chunk in alone.run({"task": "x"})]
