"""What a Run must know to check a decision before it is taken."""

from types import SimpleNamespace

import pytest

from nb_agentscope import tool
from nb_agentscope.agent._steering import refusal, schemas
from tests.agent.talking import agent_of, rule


@tool(path="path")
def delete(path: str) -> str:
    return "gone"


@tool
def plain(n: int) -> str:
    return "x"


def tower(name="assistant", **rules):
    digger = agent_of(tools=[delete], name="digger", rules=rules.get("digger", ()))
    child = agent_of(tools=[digger.as_tool()], name="researcher", rules=rules.get("child", ()))
    return agent_of(tools=[child.as_tool(), plain], name=name, rules=rules.get("boss", ()))


def waits(name, input, source=None):
    return SimpleNamespace(name=name, input=input, source=source)


def test_the_schemas_of_all_tools_by_path():
    found = schemas(tower())
    assert found.keys() == {
        "researcher",
        "plain",
        "assistant/researcher/digger",
        "assistant/researcher/digger/delete",
    }
    assert found["assistant/researcher/digger/delete"] == delete.parameters


DEEP = "/researcher/digger"


@pytest.mark.parametrize("name", ["assistant", "team/assistant"])
@pytest.mark.parametrize("who", ["boss", "child", "digger"])
def test_a_changed_call_meets_the_deny_rules_of_everyone_above(who, name):
    """A name may hold a slash: the path is read from the left."""
    agent = tower(name, **{who: [rule("delete", "deny", "secret/**")]})
    call = waits("delete", '{"path": "a"}', name + DEEP)
    denied = "The changed call of 'delete' may not run: a rule denies it."
    assert refusal(agent, call, '{"path": "secret/b"}', []) == denied
    assert refusal(agent, call, '{"path": "b"}', []) is None
    asked_anyway = waits("delete", '{"path": "secret/b"}', name + DEEP)
    assert refusal(agent, asked_anyway, asked_anyway.input, []) is None, "unchanged, the agent has asked its rules"


def test_changed_arguments_must_fit():
    call = waits("plain", '{"n": 1}')
    assert refusal(tower(), call, '{"n": "x"}', []).startswith("The arguments of 'plain' do not fit")
    assert refusal(tower(), call, '{"n": 2}', []) is None
    odd = waits("plain", "nonsense")
    assert refusal(tower(), odd, "nonsense", []) is None, "the agent will say so itself"


def test_an_allow_rule_must_cover_the_call():
    call = waits("delete", '{"path": "a/b"}', "assistant" + DEEP)
    fits, other, elsewhere = rule("delete", content="a/**"), rule("delete", content="c/**"), rule("plain")
    assert refusal(tower(), call, call.input, [fits]) is None
    assert refusal(tower(), call, call.input, [fits, other]) == (
        "The rule 'delete(c/**)' does not cover this call of 'delete': change the rule or leave it out."
    )
    assert "'plain'" in refusal(tower(), call, call.input, [elsewhere])
    assert refusal(tower(), call, call.input, [rule("plain", "deny")]) is None, "a deny rule is always welcome"


@pytest.mark.parametrize("behavior", ["deny", "ask"])
@pytest.mark.parametrize("input", ['{"n": 1}', "nonsense"])
def test_a_rule_that_can_match_no_call_is_refused(behavior, input):
    """As `Agent(rules=)` refuses it: it would look like a guard and be none."""
    call = waits("plain", input)
    assert refusal(tower(), call, input, [rule("delete", behavior, "a/**"), rule("plain", behavior)]) is None
    said = refusal(tower(), call, input, [rule("plain", behavior, "a/**")])
    assert said.startswith(f"The rule {behavior} plain(a/**) can match no call: make the tool with ")


@pytest.mark.parametrize("source", ["assistant/nobody", "assistant", "x/y/z", "/", "assistant/researcher/digger/more"])
def test_an_unknown_path_or_tool_is_left_to_the_agent(source):
    assert refusal(tower(), waits("delete", "{}", source), "[]", []) is None
    assert refusal(tower(), waits("nothing", "{}"), "[]", []) is None
