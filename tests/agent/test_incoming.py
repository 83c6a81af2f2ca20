"""What may be given, and when: every refusal is one sentence, and changes nothing."""

import pytest

from nb_agentscope import tool
from nb_agentscope.event import (
    ExternalExecutionResultEvent,
    TextBlockStartEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.message import (
    AssistantMsg,
    SystemMsg,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    UserMsg,
)
from nb_agentscope.stream import verify
from tests.agent.talking import agent_of, call, listen, of_type, overhear, requests, results, rule, said, types

KINDS = "An agent takes text, a Msg, a list of Msg, one of the three client events or None, got "


@tool(concurrent=True)
def ask() -> str:
    return "asked"


@tool(concurrent=True)
def beg() -> str:
    return "begged"


@tool(external=True, read_only=True)
def outside() -> str: ...


@pytest.mark.parametrize(
    "given",
    [
        5,
        b"",
        b"text",
        {},
        ["text"],
        [UserMsg("u", "x"), None],
        iter(()),
        TextBlockStartEvent(reply_id="r", block_id="b"),
    ],
)
async def test_something_else(given):
    agent = agent_of(["Hi"])
    events, error = await overhear(agent, given)
    assert (events, type(error)) == ([], TypeError)
    assert str(error).startswith(KINDS)
    assert "\n" not in str(error)
    assert agent.state.context == []
    assert agent.model.calls == []


@pytest.mark.parametrize(
    ("msg", "text"),
    [
        (SystemMsg("s", "x"), "A message with the role 'system' cannot be given to an agent: use UserMsg, or the"),
        (AssistantMsg("a", [call("f")]), "A message with tool_call blocks cannot be given to an agent: only its own"),
        (AssistantMsg("a", [ThinkingBlock(thinking="x")]), "A message with thinking blocks cannot be given"),
        (
            AssistantMsg("a", [ToolResultBlock(id="c", name="f", output="x", state="success")]),
            "A message with tool_result",
        ),
    ],
)
async def test_messages_that_may_not_be_given(msg, text):
    agent = agent_of(["Hi"])
    for given in (msg, [UserMsg("u", "x"), msg]):
        events, error = await overhear(agent, given)
        assert (events, type(error)) == ([], ValueError)
        assert str(error).startswith(text)
    with pytest.raises(ValueError, match=text[:30]):
        await agent.observe(msg)
    assert agent.state.context == []


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        (None, []),
        ([], []),
        ("", [""]),
        ("a", ["a"]),
        (UserMsg("u", "a"), ["a"]),
        ((UserMsg("u", "a"), AssistantMsg("x", "b")), ["a", "b"]),
    ],
)
async def test_what_may_be_given(given, texts):
    agent = agent_of(["Hi"])
    await listen(agent, given)
    assert [msg.get_text_content() or "" for msg in agent.state.context[:-1]] == texts


async def test_a_message_that_is_changed_later_stays_as_it_was_given():
    msg = UserMsg("u", [TextBlock(text="before")])
    agent = agent_of(["Hi"], ["Ho"])
    await agent.reply(msg)
    await agent.observe(msg)
    msg.content[0].text = "after"
    msg.content.append(TextBlock(text="more"))
    await agent.reply("x")
    asked = [message.get_text_content() for message in agent.model.calls[1].messages]
    assert asked[1:5] == ["before", "Hi", "before", "x"]


async def test_a_reply_that_is_changed_by_its_reader_stays_as_it_was_said():
    agent = agent_of(["Hi"])
    reply = await agent.reply("x")
    reply.content[0].text = "forged"
    assert agent.state.context[-1].get_text_content() == "Hi"


async def parked(*calls, **options):
    agent = agent_of(list(calls), ["ok"], tools=[ask, beg, outside], **options)
    return agent, await listen(agent)


async def test_a_message_while_parked():
    agent, events = await parked(call("ask"), call("outside", id="c2"))
    before = agent.state.model_dump_json()
    for given in ("and now?", None, [], UserMsg("u", "x")):
        events, error = await overhear(agent, given)
        assert events == []
        assert str(error) == (
            "'assistant' waits for an answer on 'c1' (ask), 'c2' (outside): approve or deny them, give their results, or stop "
            "the reply, and then send a new message."
        )
    assert agent.state.model_dump_json() == before


async def test_observe_while_parked_stands_before_the_reply():
    agent, events = await parked(call("ask"))
    await agent.observe("By the way")
    await listen(agent, said(*requests(events)))
    assert [msg.role for msg in agent.state.context] == ["user", "user", "assistant"]
    assert agent.state.context[-1].finished_reason == "completed"


def result(*ids, state="success", reply_id=""):
    blocks = [ToolResultBlock(id=id, name="outside", output="x", state=state) for id in ids]
    return ExternalExecutionResultEvent(reply_id=reply_id, execution_results=blocks)


async def test_answers_that_nothing_waits_for():
    agent, events = await parked(call("ask"))
    [asked] = requests(events)
    reply_id = asked.reply_id
    stranger = said(asked, id="c9")
    twice = said(asked, asked)
    elsewhere = said(asked).model_copy(update={"reply_id": "r9"})
    for given, text in [
        (stranger, "The call 'c9' waits for no decision; waiting: 'c1'."),
        (twice, "The call 'c1' is answered twice in one event."),
        (elsewhere, f"This answer belongs to the reply 'r9', but {reply_id!r} is the one that waits."),
        (result("c1", reply_id=reply_id), "No call waits for a result: this one came too late, or to the wrong agent."),
    ]:
        events, error = await overhear(agent, given)
        assert (events, str(error)) == ([], text)
    assert len(agent.pending) == 1
    assert (await listen(agent, said(asked)))[-1].type == "REPLY_END"
    late, error = await overhear(agent, said(asked))
    assert (late, type(error)) == ([], ValueError)


async def test_an_outside_result_must_say_how_it_ended():
    agent, events = await parked(call("outside"))
    reply_id = events[0].reply_id
    events, error = await overhear(agent, result("c1", state="running", reply_id=reply_id))
    assert events == []
    assert str(error) == "The result of 'c1' must say how it ended: success, error, denied or interrupted."
    assert (await listen(agent, result("c1", reply_id=reply_id)))[-1].type == "REPLY_END"


async def test_an_empty_answer_changes_nothing():
    agent, events = await parked(call("ask"))
    nothing = UserConfirmResultEvent(reply_id=events[0].reply_id, confirm_results=[])
    assert await listen(agent, nothing) == []
    assert len(agent.pending) == 1


async def test_mixed_in_any_order():
    for order in (0, 1):
        agent, events = await parked(call("ask"), call("outside", id="c2"))
        answers = [said(*requests(events)), result("c2", reply_id=events[0].reply_id)]
        one, two = answers if order == 0 else answers[::-1]
        first, second = await listen(agent, one), await listen(agent, two)
        assert "REPLY_END" not in types(first)
        assert second[-1].type == "REPLY_END"
        assert verify([*events, one, *first, two, *second], complete=True) == []


async def test_accepted_rules_are_in_force_once_and_those_of_a_denial_are_not():
    agent, events = await parked(call("ask"), call("beg", id="c2"))
    one, two = requests(events)
    accepted = one.tool_calls[0].suggested_rules
    await listen(agent, said(two, yes=False, rules=two.tool_calls[0].suggested_rules))
    await listen(agent, said(one, rules=[*accepted, *accepted]))
    assert [(given.tool_name, given.behavior) for given in agent.rules] == [("ask", "allow")]


async def test_a_deny_rule_may_come_with_an_approval():
    agent, events = await parked(call("ask"))
    await listen(agent, said(*requests(events), rules=[rule("beg", "deny")]))
    assert [given.behavior for given in agent.rules] == ["deny"]


async def test_an_interrupt_while_parked():
    agent, events = await parked(call("outside"), call("ask", id="c2"))
    more = await listen(agent, UserInterruptEvent(reply_id=events[0].reply_id))
    starts = of_type(more, "TOOL_RESULT_START")
    assert [start.tool_call_id for start in starts] == ["c2"], "the outside one had started"
    assert {state for state, _ in results(more).values()} == {"interrupted"}
    assert more[-1].finished_reason == "interrupted"
    assert len(agent.model.calls) == 1
    assert verify(events + more, complete=True) == []
    assert (await agent.reply("again")).get_text_content() == "ok"


async def test_an_interrupt_when_nothing_runs_is_no_error():
    agent = agent_of(["Hi"])
    assert await listen(agent, UserInterruptEvent(reply_id="r")) == []
    await listen(agent)
    assert await listen(agent, UserInterruptEvent(reply_id="r")) == []


async def test_an_interrupt_of_another_reply():
    agent = agent_of([call("ask")], ["fine"], tools=[ask])
    events = await listen(agent)
    nothing, error = await overhear(agent, UserInterruptEvent(reply_id="older"))
    assert (nothing, type(error)) == ([], ValueError)
    assert str(error) == (f"This interrupt is of the reply 'older', but {events[0].reply_id!r} is the one that waits.")
    assert [block.id for block in agent.pending] == ["c1"], "it still waits"
