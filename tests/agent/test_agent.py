"""The agent as its user meets it: a reply, its message, its rules, its readers."""

import asyncio
from contextlib import aclosing

import pytest

from nb_agentscope import Agent, ScriptedModel, tool
from nb_agentscope.event import EventType
from nb_agentscope.message import ToolResultState
from nb_agentscope.stream import fold, verify
from tests.agent.talking import agent_of, call, listen, of_type, overhear, requests, results, rule, said, types


@tool
def write(text: str = "") -> str:
    return f"wrote {text}"


async def test_the_smallest_agent():
    agent = Agent("assistant", "", ScriptedModel([["Hi"]]))
    reply = await agent.reply("Hello")
    assert (reply.name, reply.role, reply.get_text_content()) == ("assistant", "assistant", "Hi")
    assert reply.finished_reason == "completed"
    assert repr(agent) == "<Agent 'assistant' with scripted, 0 tools, mode default>"
    assert [msg.role for msg in agent.model.calls[0].messages] == ["user", "assistant"], "no empty system prompt"


async def test_no_system_prompt():
    agent = Agent("assistant", None, ScriptedModel([["Hi"]]))
    await agent.reply("x")
    assert agent.model.calls[0].messages[0].role == "user"


async def test_the_last_message_of_the_context_is_the_fold_of_the_stream_at_every_step():
    agent = agent_of(
        ["Let me see.", call("look")], ["Done."], tools=[tool(lambda: "seen", name="look", read_only=True)]
    )
    seen = []
    async for event in agent.reply_stream("x"):
        seen.append(event)
        assert agent.state.context[-1] == fold(seen)
    assert verify(seen, complete=True) == []


async def test_one_reply_id_over_all_resumes_and_a_new_one_for_the_next():
    agent = agent_of([call("write")], ["ok"], ["ok"], tools=[write])
    events = await listen(agent)
    more = await listen(agent, said(*requests(events)))
    again = await listen(agent)
    assert {event.reply_id for event in events + more} == {agent.state.context[1].id}
    assert {event.reply_id for event in again} == {agent.state.context[3].id}
    assert {event.session_id for event in of_type(events + again, "REPLY_START")} == {agent.state.session_id}


async def test_a_parked_reply_is_a_message_that_is_not_finished():
    """AgentScope returns a short waiting text instead; here it is the message itself."""
    agent = agent_of([call("write")], ["ok"], tools=[write])
    reply = await agent.reply("x")
    assert (reply.finished_at, reply.finished_reason) == (None, None)
    assert [block.state for block in reply.content] == ["asking"]
    assert agent.pending[0] == reply.content[0]


async def test_rules_can_be_listed_added_and_revoked():
    agent = agent_of(
        [call("write")], ["ok"], [call("write")], ["ok"], tools=[write], rules=[rule("write").model_dump()]
    )
    assert agent.rules == [rule("write")]
    assert "REPLY_END" in types(await listen(agent))
    agent.revoke(rule("write"))
    with pytest.raises(ValueError, match=r"^There is no such rule to revoke: .*; see \.rules for those in force\.$"):
        agent.revoke(rule("write"))
    with pytest.raises(ValueError, match="is no permission rule"):
        agent.add_rule("write")
    assert len(requests(await listen(agent))) == 1
    agent.rules.append(rule("write", "deny"))
    assert agent.rules == [], "a copy"


async def test_an_accepted_rule_is_in_force_for_the_next_call():
    agent = agent_of([call("write")], [call("write", id="c2")], ["ok"], tools=[write])
    [asked] = requests(await listen(agent))
    events = await listen(agent, said(asked, rules=asked.tool_calls[0].suggested_rules))
    assert list(results(events)) == ["c1", "c2"]


@pytest.mark.parametrize("goes_away", [True, False])
async def test_a_stop_at_every_event_leaves_a_whole_message(goes_away):
    """Law 7: whatever was said, the reply ends once and well, and the agent goes on."""
    look = tool(lambda: "seen", name="look", read_only=True)

    def fresh():
        model = ScriptedModel(
            [["Let me see.", call("look"), call("nothing", id="c2")], ["Done."], ["ok"]], chunk_size=None
        )
        return Agent("assistant", "", model, [look])

    for stop_at in range(1, len(await listen(fresh()))):
        agent = fresh()
        heard = []

        async def read(agent=agent, heard=heard, stop_at=stop_at):
            async with aclosing(agent.reply_stream("x")) as stream:
                async for event in stream:
                    heard.append(event)
                    if len(heard) == stop_at and goes_away:
                        return
                    if len(heard) == stop_at:
                        asyncio.current_task().cancel()

        done, _ = await asyncio.wait([asyncio.ensure_future(read())], timeout=10)
        assert done
        last = agent.state.context[-1]
        assert agent.state.reply is None
        assert last.finished_reason == "interrupted" or (len(heard) > stop_at and last.finished_reason == "completed")
        kinds = [{block.id for block in last.content if block.type == kind} for kind in ("tool_call", "tool_result")]
        assert kinds[0] == kinds[1]
        assert len(heard) == stop_at if goes_away else verify(heard, complete=True) == []
        agent.model = ScriptedModel([["again"]])
        assert await overhear(agent, "y")


async def test_a_cancelled_reader_hears_the_end():
    begun = asyncio.Event()

    @tool(read_only=True)
    async def wait() -> str:
        begun.set()
        await asyncio.Event().wait()

    agent = agent_of([call("wait")], tools=[wait])
    task = asyncio.ensure_future(agent.reply("x"))
    await begun.wait()
    task.cancel()
    reply = await task
    assert reply.finished_reason == "interrupted"
    assert reply.content[-1].state == ToolResultState.INTERRUPTED


async def test_a_tool_that_swallows_a_stop_does_not_hold_it_up(monkeypatch):
    monkeypatch.setattr("nb_agentscope.agent._agent._GRACE_S", 0.01)
    begun, release = asyncio.Event(), asyncio.Event()

    @tool(read_only=True)
    async def deaf() -> str:
        begun.set()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return "too late"

    agent = agent_of([call("deaf")], tools=[deaf])
    task = asyncio.ensure_future(overhear(agent))
    await begun.wait()
    task.cancel()
    events, error = await asyncio.wait_for(task, 10)
    assert error is None
    assert results(events)["c1"][0] == "interrupted"
    release.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert "too late" not in agent.state.context[-1].model_dump_json()


async def test_start_refuses_before_anything_runs():
    agent = agent_of([call("write")], ["ok"], tools=[write])
    for given in (5, {}, b"x"):
        with pytest.raises(TypeError, match=r"^An agent takes text"):
            agent.start(given)
    assert agent.state.context == []


async def test_observe_then_reply_without_a_message():
    agent = agent_of(["Hi"])
    await agent.observe("Hello")
    await agent.reply()
    assert [msg.get_text_content() for msg in agent.model.calls[0].messages[1:-1]] == ["Hello"]


async def test_events_are_of_the_known_types_and_ids_differ():
    agent = agent_of(["a", call("nothing")], ["b"])
    events = await listen(agent)
    assert all(isinstance(event.type, EventType) for event in events)
    assert len({event.id for event in events}) == len(events)
