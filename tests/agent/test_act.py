"""The calls of a round: cut into batches, side by side or one by one, and what waits stops what follows."""

import asyncio

import pytest

from nb_agentscope import tool
from nb_agentscope.message import ToolResultState
from nb_agentscope.stream import fold, verify
from tests.agent.talking import agent_of, call, listen, of_type, overhear, requests, results, rule, said, types


class Workshop:
    """Tools that write down when they begin and end."""

    def __init__(self):
        self.log = []
        self.running = self.most = 0

    def tool(self, name, **options):
        async def work(n: int = 0) -> str:
            self.log.append(f"{name}{n} begins")
            self.running += 1
            self.most = max(self.most, self.running)
            for _ in range(3):
                await asyncio.sleep(0)
            self.running -= 1
            self.log.append(f"{name}{n} ends")
            return f"{name}{n}"

        return tool(work, name=name, **options)


@pytest.fixture
def shop():
    return Workshop()


def many(name, count):
    return [call(name, f'{{"n": {n}}}', f"{name}{n}") for n in range(count)]


@pytest.mark.parametrize(("max_parallel", "most"), [(1, 1), (3, 3), (8, 5)])
async def test_concurrent_tools_run_side_by_side_up_to_the_limit(shop, max_parallel, most):
    """AgentScope has no limit."""
    agent = agent_of(many("read", 5), ["ok"], tools=[shop.tool("read", read_only=True)], max_parallel=max_parallel)
    events = await listen(agent)
    assert shop.most == most
    assert len(results(events)) == 5
    assert verify(events, complete=True) == []


async def test_others_run_one_by_one_in_order(shop):
    agent = agent_of(many("write", 3), ["ok"], tools=[shop.tool("write")], mode="bypass")
    events = await listen(agent)
    assert shop.log == [f"write{n} {what}" for n in range(3) for what in ("begins", "ends")]
    acted = [event for event in events if str(event.type).startswith("TOOL_RESULT")]
    assert types(acted) == ["TOOL_RESULT_START", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"] * 3


async def test_neighbours_of_a_kind_are_a_batch(shop):
    tools = [shop.tool("read", read_only=True), shop.tool("write")]
    calls = [*many("read", 2), *many("write", 1), call("read", '{"n": 2}', "read2")]
    await listen(agent_of(calls, ["ok"], tools=tools, mode="bypass"))
    assert set(shop.log[:2]) == {"read0 begins", "read1 begins"}
    assert shop.log[4:] == ["write0 begins", "write0 ends", "read2 begins", "read2 ends"]


async def test_the_results_stand_in_the_order_of_their_starts_for_the_model(shop):
    agent = agent_of(many("read", 3), ["ok"], tools=[shop.tool("read", read_only=True)])
    events = await listen(agent)
    blocks = agent.model.calls[1].messages[-1].content
    assert [block.output[0].text for block in blocks if block.type == "tool_result"] == ["read0", "read1", "read2"]
    assert agent.state.context[-1] == fold(events)


async def test_in_a_concurrent_batch_the_others_still_run_beside_a_prompt(shop):
    asking = shop.tool("ask", concurrent=True)
    agent = agent_of([*many("ask", 1), *many("read", 1)], ["ok"], tools=[asking, shop.tool("read", read_only=True)])
    events = await listen(agent)
    assert results(events) == {"read0": ("success", "read0")}
    assert [block.id for block in agent.pending] == ["ask0"]
    assert "REPLY_END" not in types(events)


async def test_in_a_batch_of_others_nothing_begins_after_a_prompt(shop):
    agent = agent_of(many("write", 2), ["ok"], tools=[shop.tool("write")])
    events = await listen(agent)
    assert [request.tool_calls[0].id for request in requests(events)] == ["write0"]
    events = await listen(agent, said(*requests(events)))
    assert [request.tool_calls[0].id for request in requests(events)] == ["write1"]
    assert shop.log == ["write0 begins", "write0 ends"]


async def test_later_batches_wait_for_a_prompt(shop):
    tools = [shop.tool("write"), shop.tool("read", read_only=True)]
    agent = agent_of([*many("write", 1), *many("read", 1)], ["ok"], tools=tools)
    first = await listen(agent)
    assert shop.log == []
    events = await listen(agent, said(*requests(first)))
    assert shop.log == ["write0 begins", "write0 ends", "read0 begins", "read0 ends"]
    assert verify(first + events, complete=True) == []


async def test_denials_come_first_then_what_was_allowed(shop):
    asking = shop.tool("ask", concurrent=True)
    agent = agent_of(many("ask", 3), ["ok"], tools=[asking], rules=[rule("ask", "ask")])
    first = await listen(agent)
    asked = requests(first)
    assert len(asked) == 1, "the suggested rule of the first would cover the others"
    events = await listen(agent, said(asked[0], yes=False))
    second = requests(events)
    assert [state for state, _ in results(events).values()] == ["denied"]
    assert [request.tool_calls[0].id for request in second] == ["ask1"]


async def test_partial_answers_run_at_once_and_the_rest_is_not_asked_again(shop):
    tools = [shop.tool(name, concurrent=True) for name in ("a", "b", "c")]
    agent = agent_of([*many("a", 1), *many("b", 1), *many("c", 1)], ["ok"], tools=tools)
    first = await listen(agent)
    a, b, c = requests(first)
    second = await listen(agent, said(b))
    assert list(results(second)) == ["b0"]
    assert requests(second) == []
    answer = said(a, c)
    answer.confirm_results[0].confirmed = False
    third = await listen(agent, answer)
    assert results(third) == {"a0": ("denied", "The user denied this call."), "c0": ("success", "c0")}
    assert third[-1].type == "REPLY_END"
    assert shop.log == ["b0 begins", "b0 ends", "c0 begins", "c0 ends"]


async def test_a_prompt_that_a_rule_would_cover_is_held_back(shop):
    asking = shop.tool("ask", concurrent=True)
    agent = agent_of(many("ask", 2), ["ok"], tools=[asking])
    [asked] = requests(await listen(agent))
    assert agent.pending[0].id == "ask0"
    events = await listen(agent, said(asked, rules=asked.tool_calls[0].suggested_rules))
    assert list(results(events)) == ["ask0", "ask1"]
    assert requests(events) == []


async def test_without_the_rule_it_asks_then(shop):
    asking = shop.tool("ask", concurrent=True)
    agent = agent_of(many("ask", 2), ["ok"], tools=[asking])
    [asked] = requests(await listen(agent))
    events = await listen(agent, said(asked))
    assert list(results(events)) == ["ask0"]
    assert [request.tool_calls[0].id for request in requests(events)] == ["ask1"]


async def test_a_stop_answers_every_call(shop):
    begun = asyncio.Event()

    @tool(read_only=True, concurrent=False)
    async def wait() -> str:
        begun.set()
        await asyncio.Event().wait()

    agent = agent_of(
        [call("wait"), call("wait", id="c2"), *many("read", 1)], tools=[wait, shop.tool("read", read_only=True)]
    )
    task = asyncio.ensure_future(overhear(agent))
    await begun.wait()
    task.cancel()
    events, error = await task
    assert error is None, "the agent swallows the cancellation and ends well"
    assert [(id, state) for id, (state, _) in results(events).items()] == [
        (id, ToolResultState.INTERRUPTED) for id in ("c1", "c2", "read0")
    ]
    assert events[-1].finished_reason == "interrupted"
    assert verify(events, complete=True) == []
    assert shop.log == []


async def test_a_tool_that_cancels_its_own_task_interrupts_the_reply():
    @tool(read_only=True)
    async def stop_me() -> str:
        asyncio.current_task().cancel()
        await asyncio.sleep(0)
        return "never"

    agent = agent_of([call("stop_me")], ["ok"], tools=[stop_me])
    events, error = await overhear(agent)
    assert error is None
    assert events[-1].finished_reason == "interrupted"
    assert verify(events, complete=True) == []
    assert (await agent.reply("again")).get_text_content() == "ok"


async def test_two_readers_at_once():
    agent = agent_of(["Hi"], ["Ho"])
    first = agent.reply_stream("a")
    await anext(first)
    events, error = await overhear(agent, "b")
    assert events == []
    assert str(error) == "'assistant' is answering already: read that stream to its end, or make another Agent."
    rest = [event async for event in first]
    assert rest[-1].type == "REPLY_END"
    assert (await agent.reply("b")).get_text_content() == "Ho"


async def test_an_agent_cannot_answer_inside_its_own_tool():
    @tool(read_only=True)
    async def again() -> str:
        return (await agent.reply("x")).get_text_content()

    agent = agent_of([call("again")], ["ok"], tools=[again])
    state, text = results(await listen(agent))["c1"]
    assert state == "error"
    assert text.startswith("'assistant' is answering already")


async def test_max_iters_then_one_call_without_tools():
    agent = agent_of([call("f")], [call("f")], [call("f"), "Sorry."], max_iters=2)
    events = await listen(agent)
    assert [asked.tool_choice for asked in agent.model.calls] == ["auto", "auto", "none"]
    assert "used all the rounds" in agent.model.calls[-1].messages[-1].get_text_content()
    assert types(events)[-2:] == ["EXCEED_MAX_ITERS", "REPLY_END"]
    assert events[-1].finished_reason == "exceed_max_iters"
    assert len(of_type(events, "TOOL_RESULT_END")) == 3, "if even that call asks for tools, they are run"
    assert verify(events, complete=True) == []


async def test_a_tool_whose_answer_waited_for_something_cancelled_is_named(monkeypatch):
    """What a tool itself runs into is its result; this is about our own code around it."""

    async def lost(*_):
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        yield await future

    monkeypatch.setattr("nb_agentscope.agent._act.answer", lost)
    _, error = await overhear(agent_of([call("slow_one")]))
    assert str(error) == "The tool 'slow_one' waited for something that was cancelled."
