"""An agent under arbitrary use: see `machine.py` for what is done to it and `oracle.py` for what must come of it."""

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.agent import scripts
from tests.agent.machine import SEEN, use
from tests.agent.playing import play

EXAMPLES = {"default": 60, "accept_edits": 20, "explore": 10, "bypass": 10, "dont_ask": 10}
"""How many agents are used, by mode."""

REACHED = {
    "parked": 30,
    "asked": 30,
    "approved": 15,
    "denied": 10,
    "denied with note": 3,
    "edited": 5,
    "partial": 3,
    "approved with rule": 5,
    "approval refused": 1,
    "refused input": 20,
    "submitted": 20,
    "confirmed, then submitted": 5,
    "answered success": 10,
    "answered denied": 1,
    "by run": 30,
    "by stream": 30,
    "reloaded waiting": 3,
    "reloaded idle": 3,
    "reply completed": 20,
    "reply error": 5,
    "reply exceed_max_iters": 10,
    "reply interrupted": 20,
    "result success": 30,
    "result error": 20,
    "result denied": 20,
    "result interrupted": 20,
    **{f"stopped by run while {doing}": 1 for doing in ("the model streams", "tools run", "parked")},
    **{f"stopped cancel while {doing}": 1 for doing in ("the model streams", "tools run", "parked")},
    "stopped leave while the model streams": 1,
}
"""In how many of the examples of all modes this happens at least."""


@pytest.mark.parametrize("mode", EXAMPLES)
def test_whatever_is_done_to_an_agent_all_laws_hold(mode):
    use(mode, EXAMPLES[mode])


def test_the_examples_reach_all_of_it():
    if SEEN["examples"] < sum(EXAMPLES.values()):
        pytest.skip("not all examples were tried")
    missing = {name: (SEEN[name], least) for name, least in REACHED.items() if SEEN[name] < least}
    assert not missing, f"seen and wanted: {missing}; all: {dict(SEEN)}"


answers = st.lists(
    st.tuples(st.sampled_from([True, True, False]), st.one_of(st.just([]), st.lists(scripts.rules, max_size=1))),
    min_size=1,
    max_size=4,
)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(scripts.modes, scripts.settings, scripts.scripts(), answers)
def test_an_agent_made_from_a_written_state_goes_on_to_the_same_result(mode, given, rounds, decisions):
    # One tool at a time: how those that run side by side in threads mix is not the agent's doing.
    made = {"mode": mode, **given, "max_parallel": 1}
    parks, result = play(made, rounds, decisions, reload=False)
    event(f"{min(parks, 5)} parks")
    assert play(made, rounds, decisions, reload=True) == (parks, result)
