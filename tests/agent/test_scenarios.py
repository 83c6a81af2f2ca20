"""The table of scenarios itself: none is missing, none is mixed up."""

from tests import recorded
from tests.agent.differences import DIFFERENCES
from tests.agent.driving import meta
from tests.agent.scenarios import BUILDERS

# Recordings without a meta.json, for which no agent was driven.
NOT_DRIVEN = {
    "synthetic": "random events, folded by AgentScope's append_event alone",
    "java-wire": "what Java classes serialize to, one event of each kind",
}


def test_every_recording_that_an_agent_was_driven_for_has_a_scenario():
    files = {path.name.removesuffix(".jsonl") for path in recorded.VECTORS.glob("*.jsonl")}
    files = {name for name in files if not name.endswith(".prefix")}
    assert files - NOT_DRIVEN.keys() == BUILDERS.keys() == set(recorded.SCENARIOS)
    assert not NOT_DRIVEN.keys() & {path.name.split(".")[0] for path in recorded.VECTORS.glob("*.meta.json")}


def test_each_scenario_is_the_recorded_one():
    assert {name: build.__doc__ for name, build in BUILDERS.items()} == {
        name: meta(name)["description"] for name in BUILDERS
    }


def test_differences_are_of_known_scenarios_and_argued():
    assert BUILDERS.keys() >= DIFFERENCES.keys()
    for listed in DIFFERENCES.values():
        assert listed
        assert all(what[:2] in {"- ", "+ "} and why.endswith(".") for what, why in listed)
