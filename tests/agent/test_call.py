"""The life of one call: exists, parsed, permitted, run; each way to fail is a result that the model can read."""

import pytest

from nb_agentscope import tool
from nb_agentscope.event import ExternalExecutionResultEvent
from nb_agentscope.message import ToolResultBlock
from nb_agentscope.stream import fold, verify
from tests.agent.talking import agent_of, call, listen, of_type, requests, results, rule, said, types

RESULT = ["TOOL_RESULT_START", "TOOL_RESULT_TEXT_DELTA", "TOOL_RESULT_END"]


@pytest.fixture
def ran():
    return []


@pytest.fixture
def delete(ran):
    @tool
    def delete(path: str) -> str:
        ran.append(path)
        return "gone"

    return delete


@pytest.fixture
def look(ran):
    @tool(read_only=True)
    def look(path: str = ".") -> str:
        ran.append(path)
        return "seen"

    return look


async def heard(tools, input='{"path": "a"}', name="delete", **options):
    agent = agent_of([call(name, input)], ["ok"], tools=tools, **options)
    events = await listen(agent)
    assert verify(events) == []
    assert agent.state.context[-1] == fold(events)
    return agent, events


@pytest.mark.parametrize("name", ["nothing", "../../etc/passwd", "<script>", "a\nb\x00", "", "x" * 5000])
async def test_an_unknown_tool_is_an_error_without_a_prompt(delete, name):
    _, events = await heard([delete], name=name)
    state, text = results(events)["c1"]
    assert state == "error"
    assert text.startswith("There is no tool ")
    assert text.endswith("the tools are: 'delete'.")
    assert len(text) < 300
    assert requests(events) == []


@pytest.mark.parametrize(
    ("input", "says"),
    [
        ("nonsense", "are not JSON"),
        ("[1]", "must be a JSON object, got list"),
        ("{}", "'path' is a required property"),
        ('{"path": {"a": 1}}', "{'a': 1} is not of type 'string'"),
        ('{"path": "a", "more": 1}', "'more' was unexpected"),
        ('{"path": "a", "path": "b"}', "stands in it twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
async def test_arguments_that_do_not_fit_are_an_error_without_a_prompt(delete, ran, input, says):
    _, events = await heard([delete], input)
    state, text = results(events)["c1"]
    assert state == "error"
    assert says in text
    assert requests(events) == []
    assert ran == []


@pytest.mark.parametrize("input", ['{"path": "a"', "{'path': 'a'}", '{"path": "a",}'])
async def test_arguments_are_repaired_where_it_is_clear_what_was_meant(look, ran, input):
    _, events = await heard([look], input, "look")
    assert results(events)["c1"] == ("success", "seen")
    assert ran == ["a"]


async def test_no_arguments_at_all(look, ran):
    await heard([look], "", "look")
    assert ran == ["."]


async def test_three_megabytes_of_arguments(look, ran):
    await heard([look], '{"path": "' + "x" * 3_000_000 + '"}', "look")
    assert len(ran[0]) == 3_000_000


async def test_a_call_that_needs_the_user(delete, ran):
    agent, events = await heard([delete])
    assert types(events)[-2:] == ["MODEL_CALL_END", "REQUIRE_USER_CONFIRM"], "no result has started"
    [block] = events[-1].tool_calls
    assert (block.state, block.input) == ("asking", '{"path": "a"}')
    [suggested] = block.suggested_rules
    assert (suggested.tool_name, suggested.rule_content, suggested.behavior) == ("delete", None, "allow")
    more = await listen(agent, said(*requests(events)))
    assert types(more)[:3] == RESULT
    assert types(more)[-1] == "REPLY_END"
    assert "REPLY_START" not in types(more)
    assert ran == ["a"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"rules": [rule("delete", "deny")]}, "Permission denied for delete (a deny rule forbids this call)"),
        ({"mode": "explore"}, "Permission denied for delete (explore mode is read-only)"),
        ({"mode": "dont_ask"}, "Permission denied for delete (in dont_ask mode nobody is there to ask)"),
        ({"mode": "bypass", "rules": [rule("delete", "deny")]}, "Permission denied for delete"),
        ({"rules": [rule("delete", "allow"), rule("delete", "deny")]}, "Permission denied for delete"),
    ],
)
async def test_denied_by_rules_or_mode(delete, ran, options, text):
    _, events = await heard([delete], **options)
    state, told = results(events)["c1"]
    assert state == "denied"
    assert told.startswith(text)
    assert ran == []


@pytest.mark.parametrize("options", [{"mode": "bypass"}, {"rules": [rule("delete")]}])
async def test_allowed_by_rules_or_mode(delete, ran, options):
    await heard([delete], **options)
    assert ran == ["a"]


async def test_an_ask_rule_beats_an_allow_rule_and_read_only(look, ran):
    _, events = await heard([look], name="look", rules=[rule("look"), rule("look", "ask")])
    assert len(requests(events)) == 1
    assert ran == []


async def test_a_denial_carries_the_note_and_the_reply_goes_on(delete, ran):
    agent, events = await heard([delete])
    more = await listen(agent, said(*requests(events), yes=False, note="Keep it, it is mine."))
    assert results(more)["c1"] == ("denied", "The user denied this call. They said: Keep it, it is mine.")
    assert types(more)[-1] == "REPLY_END"
    assert ran == []
    assert "They said" in agent.model.calls[1].messages[-1].content[-1].output[0].text


async def test_what_a_person_changed_is_what_runs_and_what_the_model_sees(delete, ran):
    """AgentScope writes the change into the message; here the message keeps what the model wrote (so that the log's fold is the
    message), and the model is shown the call that ran."""
    agent, events = await heard([delete])
    await listen(agent, said(*requests(events), input='{"path": "b"}'))
    assert ran == ["b"]
    assert agent.model.calls[1].messages[-1].content[0].input == '{"path": "b"}'


async def test_a_changed_call_meets_the_deny_rules_again(ran):
    """AgentScope asks no rule after a person's answer. A typing error must not do what a rule forbids."""

    @tool(path="path")
    def delete(path: str) -> str:
        ran.append(path)

    agent, events = await heard([delete], rules=[rule("delete", "deny", "secret/**")])
    more = await listen(agent, said(*requests(events), input='{"path": "secret/a"}'))
    assert results(more)["c1"] == ("denied", "The changed call of 'delete' was not run: a rule denies it.")
    assert ran == []


async def test_a_changed_name_runs_the_other_tool(delete, look, ran):
    agent, events = await heard([delete, look])
    more = await listen(agent, said(*requests(events), name="look"))
    assert of_type(more, "TOOL_RESULT_START")[0].tool_call_name == "look"
    assert results(more)["c1"] == ("success", "seen")


async def test_changed_arguments_that_do_not_fit_are_an_error(delete, ran):
    agent, events = await heard([delete])
    more = await listen(agent, said(*requests(events), input='{"path": {"a": 1}}'))
    assert results(more)["c1"][0] == "error"
    assert ran == []


def outcome(reply_id, output="done", *, name="outside", state="success", metadata=None):
    block = ToolResultBlock(id="c1", name=name, output=output, state=state, metadata=metadata or {})
    return ExternalExecutionResultEvent(reply_id=reply_id, execution_results=[block])


@pytest.mark.parametrize("asks_first", [False, True])
async def test_an_external_tool(asks_first):
    @tool(external=True, read_only=not asks_first)
    def outside() -> str: ...

    agent, events = await heard([outside], "{}", "outside")
    if asks_first:
        assert agent.pending[0].state == "asking"
        events = await listen(agent, said(*requests(events)))
    assert types(events)[-2:] == ["TOOL_RESULT_START", "REQUIRE_EXTERNAL_EXECUTION"]
    assert agent.pending[0].state == "submitted"
    more = await listen(agent, outcome(agent.state.reply.reply_id, metadata={"n": 1}))
    assert types(more)[:2] == RESULT[1:], "its result had started"
    assert more[1].metadata == {"n": 1}
    result = agent.model.calls[1].messages[-1].content[-1]
    assert [block.text for block in result.output] == ["done"]


async def test_the_metadata_of_an_outside_result_must_fit_whatever_name_it_bears():
    """AgentScope looks the tool up by the name in the answer, so that a wrong name escapes the check."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @tool(external=True, read_only=True, result_schema=schema)
    def outside() -> str: ...

    agent, _ = await heard([outside], "{}", "outside")
    reply_id = agent.state.reply.reply_id
    for name in ("outside", "other"):
        with pytest.raises(TypeError, match=r"^The metadata of a result of 'outside' "):
            await listen(agent, outcome(reply_id, name=name))
    assert agent.pending, "still parked"
    assert (await listen(agent, outcome(reply_id, metadata={"n": 1})))[-1].type == "REPLY_END"
