"""What a sub-agent must obey beside its own rules."""

import pytest

from nb_agentscope.agent._scope import Overruling
from nb_agentscope.agent._state import AgentState
from tests.agent.talking import rule


@pytest.mark.parametrize(
    ("above", "own", "in_force"),
    [
        ((), "bypass", "bypass"),
        (("default", "bypass", "accept_edits"), "default", "default"),  # these bind nobody below
        (("default",), "bypass", "bypass"),
        (("dont_ask",), "bypass", "dont_ask"),
        (("explore",), "bypass", "explore"),
        (("dont_ask", "explore"), "default", "explore"),  # the strictest, wherever it stands
        (("explore", "dont_ask"), "default", "explore"),
        (("dont_ask", "default"), "default", "dont_ask"),
        (("dont_ask",), "explore", "explore"),  # its own may be stricter still
        (("explore",), "dont_ask", "explore"),
    ],
)
def test_the_mode_in_force(above, own, in_force):
    overruling = Overruling(tuple(AgentState(mode=mode) for mode in above))
    assert overruling.mode_of(AgentState(mode=own)) == in_force


DENY, ASK, ALLOW, PASS = (rule("f", behavior) for behavior in ("deny", "ask", "allow", "passthrough"))
OTHER = rule("g", "deny")


@pytest.mark.parametrize(
    ("above", "own", "in_force"),
    [
        ([], [ALLOW, DENY], [ALLOW, DENY]),
        ([[DENY]], [ALLOW], [DENY, ALLOW]),
        ([[ALLOW, ASK, PASS]], [], [ASK]),  # what is allowed above is not allowed below
        ([[OTHER, ALLOW], [ASK, DENY]], [PASS], [OTHER, ASK, DENY, PASS]),  # the outermost first
    ],
)
def test_the_rules_in_force(above, own, in_force):
    overruling = Overruling(tuple(AgentState(rules=rules) for rules in above))
    assert overruling.rules_of(AgentState(rules=own)) == in_force


def test_those_below_obey_everyone_above_as_they_are_now():
    outer, inner = AgentState(), AgentState()
    overruling = Overruling().below(outer).below(inner)
    outer.mode = "explore"
    inner.rules.append(DENY)
    assert overruling.mode_of(AgentState()) == "explore"
    assert overruling.rules_of(AgentState()) == [DENY]
