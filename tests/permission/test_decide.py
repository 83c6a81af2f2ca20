"""The order in which rules, tool and mode are heard."""

import pytest

from nb_agentscope.permission import Decision, PermissionMode, Verdict, decide, suggest_tool
from tests.permission.tools import ALLOW, ASK, DENY, Probe, rule

MODES = list(PermissionMode)


@pytest.mark.parametrize("mode", MODES)
def test_a_deny_rule_denies_in_every_mode(mode):
    got = decide([rule(ALLOW), rule(ASK), rule(DENY)], mode, Probe(read_only=True), {})
    assert got == Decision(DENY, "Permission denied for probe (a deny rule forbids this call)", "deny rule")


@pytest.mark.parametrize("mode", MODES)
def test_an_ask_rule_asks_in_every_mode_where_someone_is_there(mode):
    got = decide([rule(ALLOW), rule(ASK)], mode, Probe(read_only=True), {})
    assert (got.behavior, got.suggested_rules) == (
        DENY if mode == "dont_ask" else ASK,
        tuple(suggest_tool("probe")),
    )


@pytest.mark.parametrize(
    ("mode", "behavior", "message", "reason"),
    [
        ("default", ASK, "Permission required for probe", "mode default"),
        ("accept_edits", ASK, "Permission required for probe", "mode accept_edits"),
        ("explore", DENY, "Permission denied for probe (explore mode is read-only)", "mode explore"),
        ("bypass", ALLOW, "Permission granted for probe", "mode bypass"),
        ("dont_ask", DENY, "Permission denied for probe (in dont_ask mode nobody is there to ask)", "mode dont_ask"),
    ],
)
def test_without_rules_the_mode_decides(mode, behavior, message, reason):
    got = decide([], mode, Probe(), {})
    assert (got.behavior, got.message, got.reason) == (behavior, message, reason)


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_reads_runs_and_its_tool_has_no_say(mode):
    probe = Probe(read_only=True, says=Verdict(DENY, "no"))
    assert decide([], mode, probe, {}) == Decision(ALLOW, "Permission granted for probe", "read-only call")
    assert probe.asked == 0


def test_the_words_of_a_tool_are_told():
    assert decide([], "default", Probe(says=Verdict(DENY, "Not on Sundays")), {}).message == "Not on Sundays"
    asked = decide([rule(ALLOW)], "default", Probe(says=Verdict(ASK, "Really?", final=True)), {})
    assert (asked.behavior, asked.message, asked.reason) == (ASK, "Really?", "tool")


def test_a_denial_that_would_have_been_an_ask_says_why():
    got = decide([], "dont_ask", Probe(says=Verdict(ASK, "Really?", final=True)), {})
    assert (got.behavior, got.reason) == (DENY, "tool, mode dont_ask")


def test_a_verdict_and_a_mode_may_be_plain_text():
    assert decide([], "default", Probe(says=Verdict("allow")), {}).behavior is ALLOW
    with pytest.raises(ValueError, match="'perhaps' is not a valid PermissionBehavior"):
        decide([], "default", Probe(says=Verdict("perhaps")), {})


@pytest.mark.parametrize("mode", ["careful", "", None, "DEFAULT"])
def test_an_unknown_mode(mode):
    with pytest.raises(ValueError, match=rf"There is no permission mode {mode!r}; choose one of default, accept_edits"):
        decide([], mode, Probe(), {})


def test_what_a_tool_raises_is_not_swallowed():
    class Broken(Probe):
        def match(self, rule_content, input, *, loose=False):
            raise KeyError("path")

    with pytest.raises(KeyError):
        decide([rule(ALLOW, "x")], "bypass", Broken(), {})
