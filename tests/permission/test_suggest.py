"""Suggested rules cover the call that they come with, say where it leads, and offer no blank cheque."""

import pytest

from nb_agentscope.permission import decide, matches, suggest_commands, suggest_paths, suggest_tool
from tests.permission.tools import ALLOW, ASK, Shell, Writer


@pytest.fixture
def root(tmp_path, monkeypatch):
    for name in ("project/src", "outside", "home"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "project/out").symlink_to(tmp_path / "outside")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return str(tmp_path / "project")


def contents(rules):
    assert all((rule.behavior, rule.source) == (ALLOW, "suggested") for rule in rules)
    return [rule.rule_content for rule in rules]


def test_a_generic_tool():
    assert [rule.model_dump(mode="json") for rule in suggest_tool("f")] == [
        {"tool_name": "f", "rule_content": None, "behavior": "allow", "source": "suggested"}
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", ["src/a.py", "src/**"]),
        ("./src/../src/a.py", ["src/a.py", "src/**"]),
        ("a.py", ["a.py", "./**"]),
        ("{root}/src/a.py", ["{root}/src/a.py", "{root}/src/**"]),
        ("~/notes/a.md", ["~/notes/a.md", "~/notes/**"]),
        ("../x/a.py", ["{root}/../x/a.py", "{root}/../x/**"]),
        ("out/a.py", ["{root}/../outside/a.py", "{root}/../outside/**"]),
        ("/a.py", ["/a.py"]),
        ("src/[1]*/a.py", ["src/[[]1][*]/a.py", "src/[[]1][*]/**"]),
        (["src/a", "src/b"], ["src/**"]),
        ("./~x", ["./~x", "./**"]),
        ("/", []),
        (".git/config", []),
        ("src/a\n.py", []),
        ("", []),
        (None, []),
    ],
)
def test_paths(root, path, expected):
    path = path.format(root=root) if isinstance(path, str) else path
    above = root.rsplit("/", 1)[0]
    expected = [each.format(root=root).replace(f"{root}/..", above) for each in expected]
    rules = suggest_paths("write", path, root=root)
    assert contents(rules) == expected
    for rule in rules:
        assert decide([rule], "default", Writer(root), {"path": path}).behavior is ALLOW


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m 'x y'", ["git commit -m 'x y'", "git commit:*"]),
        ("ls -la", ["ls -la", "ls:*"]),
        ("cat a.txt", ["cat a.txt", "cat:*"]),
        ("pytest", ["pytest", "pytest:*"]),
        ("rm *", [r"rm \*"]),
        ("rm -rf build", ["rm -rf build"]),
        ("python3.11 x.py", ["python3.11 x.py"]),
        ("sudo ls", ["sudo ls"]),
        ("./run.sh x", ["./run.sh x"]),
        ("X=1 make", ["X=1 make"]),
        ("cd a && git push", ["cd a && git push"]),
        ("echo $HOME", ["echo $HOME"]),
        (r"a\b \* *", [r"a\\b \\\* \*"]),
        ("ls :*", [r"ls :\*", "ls:*"]),
        ("", []),
        (" \n", []),
        (None, []),
        ("a; " * 100, []),
    ],
)
def test_commands(command, expected):
    rules = suggest_commands("shell", command)
    assert contents(rules) == expected
    for rule in rules:
        assert decide([rule], "default", Shell(), {"command": command}).behavior is ALLOW
        assert decide([rule], "default", Shell(), {"command": f"{command}; rm x"}).behavior is ASK


def test_at_most_five(root):
    rules = suggest_paths("write", [f"{name}/a" for name in "abcdefgh"], root=root)
    assert rules == []
    assert len(suggest_paths("write", ["a/x"] * 9, root=root)) == 2


def test_one_narrow_rule_does_not_open_another_folder(root):
    rules = suggest_paths("write", "src/a.py", root=root)
    assert not matches(rules, Writer(root), {"path": "out/a.py"})
    assert not matches(rules[0], Writer(root), {"path": "src/b.py"})
