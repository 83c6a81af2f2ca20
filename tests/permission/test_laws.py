"""What holds whatever the rules, the mode and the tool."""

from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.permission import PermissionMode, Verdict, decide, match_glob, match_prefix
from tests.permission.tools import ALLOW, ASK, DENY, PASS, Probe, rule

RANK = {ALLOW: 0, ASK: 1, DENY: 2}
contents = st.sampled_from([None, "", "yes", "maybe", "no"])
tools = st.sampled_from(["probe", "other"])
verdicts = st.none() | st.builds(Verdict, st.sampled_from([ALLOW, ASK, DENY, PASS]), final=st.booleans())
probes = st.builds(Probe, st.booleans(), verdicts)
modes = st.sampled_from(PermissionMode)


def rules(behaviors=(ALLOW, ASK, DENY, PASS)):
    return st.builds(rule, st.sampled_from(behaviors), contents, tools)


@given(st.lists(rules()), rules(), modes, probes, st.data())
def test_deny_beats_ask_beats_allow(several, more, mode, probe, data):
    hits = [r.behavior for r in several if r.tool_name == "probe" and r.rule_content in (None, "", "yes")]
    got = decide(several, mode, probe, {}).behavior
    if DENY in hits:
        assert got is DENY
    elif ASK in hits:
        assert got in (ASK, DENY)
    shuffled = data.draw(st.permutations(several))
    assert decide(shuffled, mode, probe, {}) == decide(several, mode, probe, {})


@given(st.lists(rules()), rules([ALLOW]), modes, probes)
def test_an_allow_rule_overcomes_only_what_the_mode_asks_for_want_of_rules(several, more, mode, probe):
    before, after = decide(several, mode, probe, {}), decide([*several, more], mode, probe, {})
    if before != after:
        assert (after.behavior, after.reason) == (ALLOW, "allow rule")
        assert before.reason == f"mode {mode}"
        assert mode is not PermissionMode.EXPLORE


@given(st.lists(rules()), rules([ASK, DENY]), modes, probes)
def test_a_rule_that_restricts_never_allows_more(several, more, mode, probe):
    before, after = decide(several, mode, probe, {}), decide([*several, more], mode, probe, {})
    assert after.behavior is not ALLOW or before.behavior is ALLOW
    if more.behavior is DENY:
        assert RANK[after.behavior] >= RANK[before.behavior]


@given(st.lists(rules()), probes)
def test_explore_allows_what_reads_and_nothing_else(several, probe):
    if decide(several, "explore", probe, {}).behavior is ALLOW:
        assert probe.read_only
    assert probe.asked == 0


@given(st.lists(rules()), probes)
def test_dont_ask_never_asks_and_allows_no_more_than_default(several, probe):
    got = decide(several, "dont_ask", probe, {}).behavior
    assert got is not ASK
    assert (got is ALLOW) == (decide(several, "default", probe, {}).behavior is ALLOW)


@given(st.lists(rules()), modes, probes)
def test_what_is_allowed_suggests_nothing_and_what_asks_says_something(several, mode, probe):
    got = decide(several, mode, probe, {})
    assert got.message
    assert got.reason
    assert got.behavior is not ALLOW or got.suggested_rules == ()


names = st.sampled_from(["src", "a", "b.py", "..", ".", "~", "", "**", "*", "?", "[a]", "*.py", "SRC", "etc"])
paths = st.lists(names, min_size=1, max_size=5).map("/".join)


@settings(max_examples=300)
@given(paths, paths)
def test_a_path_that_fits_narrowly_fits_loosely(pattern, path):
    if match_glob(pattern, path, root="/somewhere/below"):
        assert match_glob(pattern, path, root="/somewhere/below", loose=True)


pieces = st.sampled_from(
    ["git", "commit", "-m", "-rf", "'a b'", '"x"', "*", "\\*", "a*", ";", "&&", "$x", "\n", "X=1", ":*"]
)
commands = st.lists(pieces, min_size=1, max_size=5).map(" ".join)


@settings(max_examples=300)
@given(commands, commands)
def test_a_command_that_fits_narrowly_fits_loosely(pattern, command):
    if match_prefix(pattern, command):
        assert match_prefix(pattern, command, loose=True)


@given(commands)
def test_what_follows_a_separator_is_never_allowed_by_a_prefix(command):
    for joint in (";", "&&", "||", "|", "\n", "&", ">", "<", "$(", "`"):
        assert not match_prefix("git commit:*", f"git commit -m x {joint} {command} x")
