"""What an agent may be made of: one sentence for each mistake, before anything runs."""

import pytest

from nb_agentscope import Agent, ScriptedModel, tool
from nb_agentscope.agent import current_time

OK = ScriptedModel([["ok"]])


@tool
def f() -> str:
    return "x"


class Nameless:
    def stream(self, messages, tools=(), *, tool_choice="auto"): ...


class Mute:
    name = "mute"


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"name": 5}, TypeError, "The name of an agent is text, got 5."),
        ({"name": ""}, ValueError, "An agent needs a name, got an empty one."),
        ({"system_prompt": 5}, TypeError, "system_prompt is text or None, got 5."),
        (
            {"model": None},
            TypeError,
            "A model needs a name and a method stream(messages, tools, *, tool_choice), got NoneType.",
        ),
        (
            {"model": "gpt"},
            TypeError,
            "A model needs a name and a method stream(messages, tools, *, tool_choice), got str.",
        ),
        (
            {"model": Nameless()},
            TypeError,
            "A model needs a name and a method stream(messages, tools, *, tool_choice), got Nameless.",
        ),
        (
            {"model": Mute()},
            TypeError,
            "A model needs a name and a method stream(messages, tools, *, tool_choice), got Mute.",
        ),
        (
            {"model": ScriptedModel},
            TypeError,
            "A model is an object, got the class ScriptedModel: make one, ScriptedModel(...).",
        ),
        ({"model": Mute}, TypeError, "A model is an object, got the class Mute: make one, Mute(...)."),
        (
            {"fallback_model": "x"},
            TypeError,
            "A model needs a name and a method stream(messages, tools, *, tool_choice), got str.",
        ),
        (
            {"tools": f},
            TypeError,
            "tools is a list of tools and functions, got <Tool f>: put a single one into a list.",
        ),
        ({"tools": None}, TypeError, "tools is a list of tools and functions, got None"),
        ({"tools": ["f"]}, TypeError, "A tool is made of a function, got 'f'."),
        ({"tools": [Agent("b", "", OK)]}, TypeError, "A tool is made of a function, got <Agent 'b'"),
        ({"tools": [f, f]}, ValueError, "Two tools are called 'f': give one of them another name, tool(name=...)."),
        ({"tools": [lambda x: x]}, ValueError, "A tool's name is 1 to 128 letters"),
        ({"mode": "yolo"}, ValueError, "There is no permission mode 'yolo'; choose one of default"),
        ({"rules": ["x"]}, ValueError, "'x' is no permission rule: "),
        ({"max_iters": 0}, ValueError, "max_iters must be at least 1, got 0."),
        ({"max_iters": "5"}, TypeError, "max_iters is a whole number, got '5'."),
        ({"max_iters": True}, TypeError, "max_iters is a whole number, got True."),
        ({"max_parallel": 0}, ValueError, "max_parallel must be at least 1, got 0."),
        ({"max_parallel": 2.5}, TypeError, "max_parallel is a whole number, got 2.5."),
        ({"max_retries": -1}, ValueError, "max_retries must be at least 0, got -1."),
        ({"retry_wait_s": -1}, ValueError, "retry_wait_s must be a finite number of seconds, not negative, got -1."),
        (
            {"retry_wait_s": float("nan")},
            ValueError,
            "retry_wait_s must be a finite number of seconds, not negative, got nan.",
        ),
        ({"retry_wait_s": "1"}, TypeError, "retry_wait_s is a number of seconds, got '1'."),
        ({"hints": current_time}, TypeError, "hints is a list of functions, got <function current_time"),
        ({"hints": "x"}, TypeError, "hints is a list of functions, got 'x'"),
        ({"hints": ["x"]}, TypeError, "A hint is a function of the agent's state, got 'x'."),
        ({"state": {}}, TypeError, "state is an AgentState, got {}: read it with AgentState.model_validate(...)."),
    ],
)
def test_a_mistake(given, error, text):
    with pytest.raises(error) as caught:
        Agent(**({"name": "a", "system_prompt": "p", "model": OK} | given))
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)


def unannotated(x): ...


def many(*args: int): ...


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (
            lambda: tool(unannotated),
            TypeError,
            "The parameter 'x' of the tool 'unannotated' has no annotation: write e.g. x: str",
        ),
        (
            lambda: tool(many),
            TypeError,
            "The tool 'many' has the parameter '*args: int', but a model gives arguments by name",
        ),
        (lambda: tool(f, parameters={"type": "yolo"}), ValueError, "parameters of the tool 'f' is no JSON schema"),
        (lambda: tool(f, parameters="x"), ValueError, "parameters of the tool 'f' must be a JSON schema, got 'x'."),
        (
            lambda: tool(f, parameters={"type": "string"}),
            ValueError,
            "parameters of the tool 'f' must be the JSON schema of an",
        ),
        (lambda: tool(f, name="a b"), ValueError, "A tool's name is 1 to 128 letters"),
    ],
)
def test_a_tool_that_is_none(make, error, text):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)


PATTERN = {"tool_name": "f", "rule_content": "data/**", "behavior": "deny", "source": "test"}
DEAF = (
    r"The rule deny f\(data/\*\*\) can match no call: make the tool with tool\(path=...\) or tool\(command=...\), or a rule "
    r"about all its calls with rule_content=None\."
)


@tool(name="f", path="file")
def with_path(file: str) -> str:
    return file


@pytest.mark.parametrize("behavior", ["allow", "ask", "deny"])
def test_a_rule_that_can_match_no_call_is_refused(behavior):
    with pytest.raises(ValueError, match=DEAF.replace("deny", behavior)):
        Agent("a", "", OK, [f], rules=[PATTERN | {"behavior": behavior}])


def test_so_is_one_that_comes_later_or_binds_a_sub_agent():
    worker = Agent("worker", "", OK, [f])
    with pytest.raises(ValueError, match=DEAF):
        worker.add_rule(PATTERN)
    assert worker.rules == []
    with pytest.raises(ValueError, match=DEAF):
        Agent("boss", "", OK, [worker.as_tool()], rules=[PATTERN])
    Agent("boss", "", OK, [worker.as_tool()], rules=[PATTERN | {"behavior": "allow"}])  # binds no sub-agent


@pytest.mark.parametrize("given", [{}, {"tool_name": "elsewhere"}, {"rule_content": None}, {"rule_content": ""}])
def test_a_rule_that_can_match_or_is_about_other_tools_is_taken(given):
    tools = [f] if given else [with_path]
    assert len(Agent("a", "", OK, tools, rules=[PATTERN | given]).rules) == 1
