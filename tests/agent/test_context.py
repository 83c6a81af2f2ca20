"""What a model gets to see: the conversation as it ran, without what nobody has said."""

from nb_agentscope.agent import AgentState, ToRun
from nb_agentscope.agent._context import model_messages
from nb_agentscope.message import AssistantMsg, UserMsg
from tests.agent.talking import agent_of, call, listen


def roles(messages):
    return [msg.role for msg in messages]


def test_the_reply_that_begins_is_no_message_yet():
    state = AgentState(context=[UserMsg("user", "go"), AssistantMsg("assistant", [])])
    assert roles(model_messages(state, "Be brief.", last=False)) == ["system", "user"]


async def test_a_reply_is_seen_from_its_first_block_on():
    agent = agent_of([call("nothing")], "Done.")
    await listen(agent)
    assert [roles(seen.messages) for seen in agent.model.calls] == [["system", "user"], ["system", "user", "assistant"]]


def test_an_empty_system_prompt_is_left_out():
    assert roles(model_messages(AgentState(context=[UserMsg("user", "go")]), "", last=False)) == ["user"]


def test_a_call_that_a_person_changed_is_seen_as_it_ran_and_stays_in_the_message_as_it_was_written():
    written = call("rm", '{"path": "a"}')
    reply = AssistantMsg("assistant", [written])
    ran = {reply.id: {"c1": ToRun(name="rm", input='{"path": "b"}')}}
    state = AgentState(context=[reply], ran=ran)
    [seen] = model_messages(state, "", last=False)
    assert seen.content[0].input == '{"path": "b"}'
    assert state.context[0].content[0].input == '{"path": "a"}'


def test_the_last_round_says_so_at_the_end():
    state = AgentState(context=[UserMsg("user", "go")])
    last, owed = (model_messages(state, "", last=True, owed=owed)[-1].get_text_content() for owed in (False, True))
    assert "no tool can be called" in last
    assert "Give the output now" in owed
