"""The decisions are those of the real AgentScope, over all combinations; each difference is argued here.

1. In dont_ask a denial that the mode alone made carries suggested rules, too: AgentScope keeps them only where an
   ask rule or the tool asked. Whoever reads the denial later may want the rule in both cases.
2. Beneath is beneath: a working directory itself is not an edit inside it (a tool may delete folders).
3. More files are sensitive here (`.zshenv`, `.aws`, `.gnupg`, `.jupyter` ...), and invisible characters do not hide them.
4. AgentScope's current directory is always a working directory; here only what is given.
5. A path with blanks at its ends, control characters, or an ambiguous `~` is not allowed by accept_edits.
"""

import itertools
import warnings

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("agentscope")
    from agentscope import permission as theirs
    from agentscope.tool import FunctionTool, ToolBase, Write

from nb_agentscope.permission import PermissionMode, Verdict, decide, suggest_tool
from tests.permission.tools import ALLOW, ASK, DENY, PASS, Probe, Writer, rule

MODES = list(PermissionMode)
VERDICTS = [None, Verdict(PASS), Verdict(ALLOW), Verdict(DENY, "no"), Verdict(ASK), Verdict(ASK, final=True)]


class TheirProbe(ToolBase):
    """The same tool as Probe, for their engine."""

    def __init__(self, probe):
        self.name, self.probe, self.is_read_only = probe.name, probe, probe.read_only

    async def check_permissions(self, tool_input, context):
        says = self.probe.says or Verdict(PASS)
        return theirs.PermissionDecision(
            theirs.PermissionBehavior(says.behavior), says.message, bypass_immune=says.final
        )

    async def match_rule(self, rule_content, tool_input):
        return rule_content == "yes"


def as_theirs(value):
    return theirs.PermissionRule.model_validate_json(value.model_dump_json())


def engine(mode, rules, working_dirs=()):
    folders = {each: theirs.AdditionalWorkingDirectory(path=each, source="test") for each in working_dirs}
    context = theirs.PermissionContext(mode=theirs.PermissionMode(mode), working_directories=folders)
    made = theirs.PermissionEngine(context)
    for each in rules:
        made.add_rule(as_theirs(each))
    return made


def outcome(decision):
    return decision.behavior.value, [each.rule_content for each in decision.suggested_rules or ()]


def rule_sets(behavior):
    content = [None, "", "yes", "no"]
    return [[], *([rule(behavior, each)] for each in content), [rule(behavior, tool="other")]]


@pytest.mark.parametrize("mode", MODES)
async def test_all_combinations_of_rules_tool_and_mode(mode):
    checked = 0
    for parts in itertools.product(rule_sets(ALLOW), rule_sets(ASK), rule_sets(DENY)):
        rules = [each for part in parts for each in part]
        for read_only, says in itertools.product([False, True], VERDICTS):
            probe = Probe(read_only, says)
            ours = decide(rules, mode, probe, {})
            real = await engine(mode, rules).check_permission(TheirProbe(probe), {})
            expected = outcome(real)
            if ours.reason == "mode dont_ask":
                assert expected == ("deny", [])
                expected = ("deny", [None])  # difference 1
            assert outcome(ours) == expected, (rules, probe)
            checked += 1
    assert checked == 6**3 * 2 * len(VERDICTS)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("read_only", [False, True])
async def test_a_plain_function(mode, read_only):
    def probe():
        """Nothing."""

    real_tool = FunctionTool(probe, is_read_only=read_only)
    for rules in [[], [rule(ALLOW)], [rule(ALLOW, "anything")], [rule(DENY, "anything")], [rule(ASK)]]:
        ours = decide(rules, mode, Probe(read_only), {})
        real = await engine(mode, rules).check_permission(real_tool, {})
        assert ours.behavior.value == real.behavior.value
        if real.suggested_rules is not None:
            assert [as_theirs(each) for each in ours.suggested_rules] == real.suggested_rules
    assert [as_theirs(each) for each in suggest_tool("probe")] == await real_tool.generate_suggestions({})


PATHS = [
    "work/a.py",
    "work/sub/a.py",
    "other/a.py",
    "work/../other/a.py",
    "work/link/a.py",
    "other/back/a.py",
    "work2/a",
]
SENSITIVE = [
    ".bashrc",
    ".git/hooks/pre-commit",
    ".ssh/config",
    ".ENV",
    "sub/.env.local",
    "hooks/x",
    ".vscode/tasks.json",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("work", "other", "work/.git/hooks", "here"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work/link").symlink_to(tmp_path / "other")
    (tmp_path / "other/back").symlink_to(tmp_path / "work")
    (tmp_path / "work/hooks").symlink_to(tmp_path / "work/.git/hooks")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", [*PATHS, *(f"work/{each}" for each in SENSITIVE)])
async def test_a_tool_that_writes_files(folder, mode, path):
    tool, dirs = Writer(str(folder)), [str(folder / "work")]
    full = f"{folder}/{path}"
    for rules in [[], [rule(ALLOW, tool="Write")]]:
        ours = decide(
            [each.model_copy(update={"tool_name": "write"}) for each in rules],
            mode,
            tool,
            {"path": full},
            working_dirs=dirs,
        )
        real = await engine(mode, rules, dirs).check_permission(Write(), {"file_path": full})
        assert ours.behavior.value == real.behavior.value


@pytest.mark.parametrize(
    ("path", "difference"),
    [
        ("work", 2),
        ("work/.zshenv", 3),
        ("work/.jupyter/jupyter_server_config.py", 3),
        ("work/.g\u200bit/config", 3),
        ("here/a.py", 4),
        ("work/a.py ", 5),
        ("work/a\n.py", 5),
    ],
)
async def test_where_they_allow_an_edit_and_we_ask(folder, path, difference):
    full, dirs = f"{folder}/{path}", [str(folder / "work")]
    real = await engine("accept_edits", [], dirs).check_permission(Write(), {"file_path": full})
    ours = decide([], "accept_edits", Writer(str(folder)), {"path": full}, working_dirs=dirs)
    assert (real.behavior.value, ours.behavior.value) == ("allow", "ask"), difference
