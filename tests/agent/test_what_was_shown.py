"""What a person approves is what runs: whatever a model writes, and whatever they write themselves."""

import asyncio
import json
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nb_agentscope import tool
from nb_agentscope.run import DecisionRefused, Run
from nb_agentscope.widget._view import read_pending
from tests.agent.talking import agent_of, call, rule

SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "s": {"type": "string"},
        "l": {"type": "array", "items": {"type": "integer"}},
        "m": {"type": "object", "properties": {"q": {"type": "number"}}, "required": ["q"]},
    },
}
DEFAULTS = {"s": "x", "l": [], "x": 1.0, "o": None}


def typed(ran):
    @tool(name="run")
    def function(n: int, s: str = "x", l: list[int] = [], x: float = 1.0, o: int | None = None) -> str:  # noqa: B006, E741
        ran.append({"n": n, "s": s, "l": l, "x": x, "o": o})
        return "done"

    return function, DEFAULTS


def described(ran):
    @tool(name="run", parameters=SCHEMA)
    def function(**arguments):
        ran.append(arguments)
        return "done"

    return function, {}


VALUES = json.loads(
    r"""["1", "\"1\"", "1.0", "1e3", "1e400", "true", "\"true\"", "null", "\"a\"", "a", "[1,\"2\"]", "[\"1\"]", "[1,]", "[]",
    "{\"q\":\"3\"}", "{\"q\":}", "{}", "{\"n\":1,\"n\":2}", "\"", "'a'", "\"a\\", "\"\\ud800\"", "\"\\u202e\"",
    "NaN", "-Infinity", "01", "12345678901234567890123"]"""
)
ENTRIES = st.tuples(
    st.sampled_from(['"n"', '"n"', '"s"', '"l"', '"m"', "n", '"o"', '"x"', '"zz"']), st.sampled_from(VALUES)
)
TEXTS = st.builds(
    lambda before, entries, after: before + "{" + ",".join(":".join(entry) for entry in entries) + after,
    st.sampled_from(["", "", "```json\n", " "]),
    st.lists(ENTRIES, max_size=3),
    st.sampled_from(["}", "}", "}", "", "}}", ",}", "} x"]),
)


async def approved(make, text):
    """What a page shows, and what the function then got; None if nobody was asked or the approval is refused."""
    ran = []
    function, defaults = make(ran)
    run = agent_of(call("run", text), "ok", tools=[function]).start("go")
    shown = await asked(run)
    if shown is None:
        await run
        assert ran == []
        return None
    try:
        run.approve()
    except DecisionRefused:
        run.deny()
        await run
        assert ran == []
        return None
    await run
    return defaults | json.loads(shown or "{}"), ran


async def asked(run: Run) -> str | None:
    while run.status == "running":  # noqa: ASYNC110 - any status but this one will do
        await asyncio.sleep(0)
    return read_pending(run)[0].input if run.pending else None


@pytest.mark.parametrize("make", [typed, described])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS | st.text(max_size=20))
def test_the_function_gets_what_the_page_showed(make, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        found = asyncio.run(approved(make, text))
    if found is not None:
        shown, ran = found
        assert ran == [shown]


@pytest.mark.parametrize("text", ['{"n": 1, "s": "\\ud800",}', '{"s": "\\ud800", "n": "1"}'])
async def test_a_repair_holds_nothing_that_a_page_cannot_show(text):
    shown, ran = await approved(described, text)
    assert ran == [shown] == [{"n": 1, "s": "\ufffd"}]


async def test_half_a_surrogate_pair_in_an_edit_is_refused():
    ran = []
    run = agent_of(call("run", '{"n": 1}'), "ok", tools=[typed(ran)[0]]).start("go")
    await asked(run)
    with pytest.raises(DecisionRefused, match="hold half of a surrogate pair"):
        run.approve(input='{"n": 1, "s": "\ud800"}')
    run.deny()
    await run
    assert ran == []


async def test_an_edit_is_not_repaired_where_the_run_does_not_know_the_schema():
    """The person wrote a text; that the agent would read it as a number, nobody was shown."""
    ran = []
    agent = agent_of(call("run", '{"n": 1}'), "ok", tools=[typed(ran)[0]])
    run = Run(agent, "go")
    await asked(run)
    run.approve(input='{"n": "2"}')
    await run
    assert ran == []
    assert run.msg.content[1].state == "error"


async def test_the_tool_of_a_structured_output_is_shown_as_it_runs_and_brings_no_foreign_rules():
    agent = agent_of(
        call("GenerateStructuredOutput", '{"n": "42"}'),
        "ok",
        tools=[typed([])[0]],
        rules=[rule("GenerateStructuredOutput", "ask")],
    )
    wanted = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    run = agent.start("go", structured_schema=wanted)
    assert await asked(run) == '{"n": 42}'
    with pytest.raises(DecisionRefused, match="does not cover this call of 'GenerateStructuredOutput'"):
        run.approve(rules=[rule("run")])
    run.approve(rules=[rule("GenerateStructuredOutput")])
    assert (await run).structured_output == {"n": 42}
    assert [each.tool_name for each in agent.rules] == ["GenerateStructuredOutput"] * 2


@pytest.mark.parametrize("steps", [0, 1])
async def test_a_stop_overtakes_an_approval_that_the_agent_has_not_got(steps):
    ran = []
    agent = agent_of(call("run", '{"n": 1}'), "ok", tools=[typed(ran)[0]])
    run = agent.start("go")
    await asked(run)
    run.approve()
    for _ in range(steps):
        await asyncio.sleep(0)
    run.stop()
    await run
    assert ran == []
    assert (run.msg.content[1].state, run.msg.finished_reason) == ("interrupted", "interrupted")
    assert (await agent.reply("again")).finished_reason == "completed"
