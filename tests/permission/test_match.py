"""Which rules are about a call."""

from nb_agentscope.permission import covered, forbids, matches
from tests.permission.tools import ALLOW, ASK, DENY, Probe, rule


def test_a_rule_is_about_one_tool():
    assert matches(rule(DENY), Probe(), {})
    assert not matches(rule(DENY, tool="probes"), Probe(), {})
    assert not matches(rule(DENY, tool="Probe"), Probe(), {})


def test_no_content_is_every_call_and_content_is_for_the_tool_to_read():
    assert matches([rule(ALLOW, "")], Probe(), {})
    assert matches([rule(ALLOW, "no"), rule(ALLOW, "yes")], Probe(), {})
    assert not matches([rule(ALLOW, "no")], Probe(), {})
    assert not matches([], Probe(), {})


def test_deny_and_ask_match_widely_allow_narrowly():
    assert [matches(rule(behavior, "maybe"), Probe(), {}) for behavior in (DENY, ASK, ALLOW)] == [True, True, False]


def test_the_first_rule_that_forbids():
    rules = [rule(ALLOW), rule(DENY, "no"), rule(DENY, "yes"), rule(DENY)]
    assert forbids(rules, Probe(), {}) is rules[2]
    assert forbids(rules[:2], Probe(), {}) is None


def test_only_allow_rules_cover():
    assert covered(iter([rule(DENY), rule(ALLOW)]), Probe(), {})
    assert not covered([rule(DENY), rule(ASK), rule(ALLOW, "maybe")], Probe(), {})
