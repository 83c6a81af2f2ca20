"""Strategies: what a model says, which rules there are, what a person decides."""

from hypothesis import strategies as st

from nb_agentscope.permission import PermissionMode, PermissionRule
from tests.agent.oracle import TOOLS

NAMES = sorted(TOOLS)
GOOD = ["good", "good", "outside", "sensitive"]
BAD = ["empty", "nonsense", "wrong", "extra", "cut", "text"]

calls = st.tuples(
    st.just("call"),
    st.sampled_from([*NAMES, *NAMES, "unknown"]),
    st.sampled_from([*GOOD * 3, *BAD]),
    st.sampled_from([False] * 11 + [True]),
)
said = st.sampled_from([("text", "Well."), ("thinking", "Hm."), ("text", "")])
items = st.one_of(calls, calls, calls, calls, said)
rounds = st.lists(st.lists(items, min_size=1, max_size=5), min_size=1, max_size=3)


@st.composite
def scripts(draw):
    """The rounds of a reply; now and then the model fails in one."""
    given = draw(rounds)
    if given and draw(st.integers(0, 5)) == 5:
        failing = draw(st.sampled_from(given))
        failing.insert(draw(st.integers(0, len(failing))), ("error",))
    return given


rules = st.builds(
    lambda name, behavior, content: PermissionRule(
        tool_name=name, rule_content=content, behavior=behavior, source="test"
    ),
    st.sampled_from([*NAMES, *["edit"] * 4]),
    st.sampled_from(["allow", "allow", "ask", "deny"]),
    st.sampled_from([None, None, "/w/**", "/etc/**"]),
)

modes = st.sampled_from([str(mode) for mode in PermissionMode])
settings = st.fixed_dictionaries(
    {
        "rules": st.lists(rules, max_size=2),
        "max_iters": st.integers(1, 3),
        "max_retries": st.integers(0, 1),
        "max_parallel": st.integers(1, 3),
    }
)

decisions = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["approve", "approve", "edit", "rename", "spoil"])},
        optional={"rule": st.one_of(st.sampled_from(["suggested", "forbid"]), rules)},
    ),
    st.fixed_dictionaries({"kind": st.just("deny")}, optional={"note": st.just("not now")}),
)
results = st.sampled_from(["success", "success", "error", "denied", "interrupted"])
