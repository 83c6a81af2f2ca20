"""The memory of an agent as one value: saved, read, gone on with."""

import pytest

from nb_agentscope import tool
from nb_agentscope.agent import AgentState, OpenReply, SubReply
from nb_agentscope.agent._state import new_state, parsed_rule
from nb_agentscope.stream import verify
from tests.agent.talking import agent_of, call, listen, requests, rule, said, types


@tool
def ask(n: int = 0) -> str:
    return f"asked {n}"


def read_again(agent):
    return AgentState.model_validate_json(agent.state.model_dump_json())


async def test_a_conversation_goes_on():
    first = agent_of(["Hi"], mode="explore", rules=[rule("ask")])
    await first.reply("a")
    second = agent_of(["Ho"], state=read_again(first))
    assert second.state == first.state
    assert second.state.session_id == first.state.session_id
    assert (second.state.mode, second.rules) == ("explore", [rule("ask")])
    await second.reply("b")
    assert [msg.get_text_content() for msg in second.model.calls[0].messages[1:4]] == ["a", "Hi", "b"]


async def test_a_parked_reply_goes_on_where_it_was():
    first = agent_of([call("ask")], tools=[ask])
    events = await listen(first)
    second = agent_of(["ok"], tools=[ask], state=read_again(first))
    assert [block.id for block in second.pending] == ["c1"]
    more = await listen(second, said(*requests(events), input='{"n": 2}'))
    assert verify(events + more, complete=True) == []
    third = agent_of(["ok"], tools=[ask], state=read_again(second))
    await listen(third)
    shown = third.model.calls[0].messages[2].content[0]
    assert shown.input == '{"n": 2}', "what a person changed stays what the model sees"


async def test_a_call_whose_tool_is_missing_now_is_an_error_after_the_approval():
    first = agent_of([call("ask")], tools=[ask])
    events = await listen(first)
    second = agent_of(["ok"], state=read_again(first))
    more = await listen(second, said(*requests(events)))
    assert more[1].delta == "There is no tool 'ask'; the tools are: none."
    assert more[-1].type == "REPLY_END"


async def test_a_reply_whose_process_died_is_closed_by_the_next_message():
    agent = agent_of(["Hello"], ["ok"])
    stream = agent.reply_stream("a")
    while (await anext(stream)).type != "TEXT_BLOCK_DELTA":
        pass
    saved = read_again(agent)
    await stream.aclose()
    later = agent_of(["ok"], state=saved)
    assert types(await listen(later, "b"))[-1] == "REPLY_END"
    cut, last = (msg for msg in later.state.context if msg.role == "assistant")
    assert (cut.finished_reason, cut.get_text_content()) == ("interrupted", "Hello")
    assert last.finished_reason == "completed"


def test_which_sub_agent_leads_to_a_reply():
    inner = AgentState(reply=OpenReply(reply_id="b", sub_replies={"c": SubReply(call_id="2", state=AgentState())}))
    reply = OpenReply(reply_id="a", sub_replies={"x": SubReply(call_id="0", state=AgentState())})
    reply.sub_replies["b"] = SubReply(call_id="1", state=inner)
    assert [reply.branch(id) for id in ("a", "b", "c", "x", "y")] == [None, "b", "b", "x", None]


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (
            {"mode": "yolo"},
            ValueError,
            "There is no permission mode 'yolo'; choose one of default, accept_edits, explore, bypass",
        ),
        ({"rules": "x"}, TypeError, "rules is a list of permission rules, got 'x': put a single one into a list."),
        ({"rules": 5}, TypeError, "rules is a list of permission rules, got 5"),
        ({"rules": rule("f")}, TypeError, "rules is a list of permission rules, got PermissionRule("),
        ({"rules": {"tool_name": "f"}}, TypeError, "rules is a list of permission rules, got {'tool_name': 'f'}"),
        ({"working_dirs": 5}, TypeError, "working_dirs is a list of folders, got 5."),
    ],
)
def test_a_new_memory(given, error, text):
    with pytest.raises(error) as caught:
        new_state(**({"mode": "default", "rules": (), "working_dirs": ()} | given))
    assert str(caught.value).startswith(text)


def test_folders_may_be_paths(tmp_path):
    for given in (tmp_path, [tmp_path], str(tmp_path), [str(tmp_path)]):
        assert new_state("default", (), given).working_dirs == [str(tmp_path)]


@pytest.mark.parametrize("given", ["x", 5, {"tool_name": "f"}, {**rule("f").model_dump(), "behavior": "yolo"}])
def test_what_is_no_rule(given):
    with pytest.raises(ValueError, match=r"is no permission rule: .*; it needs tool_name, rule_content") as caught:
        parsed_rule(given)
    assert "\n" not in str(caught.value)
    assert parsed_rule(rule("f").model_dump()) == rule("f")
