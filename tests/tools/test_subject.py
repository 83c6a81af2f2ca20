"""What permission rules see of a tool."""

import pytest

from nb_agentscope.permission import Checked, PermissionBehavior, PermissionMode, PermissionRule, decide, forbids
from nb_agentscope.tools import tool


@tool
def send(to: str) -> None:
    """Send."""


@tool(path="file")
def write(file: str = "notes.txt", text: str = "") -> None:
    """Write."""


@tool(command="line")
def shell(line: str) -> None:
    """Run."""


@tool(read_only=True)
def look(at: str) -> None:
    """Look."""


def rule(made, content, behavior="allow"):
    return PermissionRule(tool_name=made.name, rule_content=content, behavior=behavior, source="test")


def decided(made, input, *rules, mode="default", **options):
    checked: Checked = made
    return decide(rules, mode, checked, input, **options).behavior


def test_a_generic_tool():
    assert not send.match("x", {"to": "x"})
    assert not send.match("x", {"to": "x"}, loose=True)
    assert send.verdict({"to": "x"}, PermissionMode.DEFAULT, []) is None
    (suggested,) = send.suggest({"to": "x"})
    assert (suggested.tool_name, suggested.rule_content, suggested.behavior, suggested.source) == (
        "send",
        None,
        PermissionBehavior.ALLOW,
        "suggested",
    )
    assert decided(send, {"to": "x"}) == "ask"
    assert decided(send, {"to": "x"}, suggested) == "allow"
    assert decided(send, {"to": "x"}, rule(send, "x")) == "ask"
    assert decided(look, {"at": "x"}) == "allow"


def test_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert decided(write, {"file": "src/a.py"}, rule(write, "src/**")) == "allow"
    assert decided(write, {"file": "src/../a.py"}, rule(write, "src/**")) == "ask"
    assert decided(write, {"file": "src/a.py"}, rule(write, "src/**", "deny")) == "deny"
    assert decided(write, {"file": "a"}, mode="accept_edits", working_dirs=[str(tmp_path)]) == "allow"
    assert decided(write, {"file": "/etc/x"}, mode="accept_edits", working_dirs=[str(tmp_path)]) == "ask"
    assert any(decided(write, {"file": "a.py"}, suggested) == "allow" for suggested in write.suggest({"file": "a.py"}))


def test_a_default_path_is_looked_at_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert forbids([rule(write, "notes.txt", "deny")], write, {})
    assert not forbids([rule(write, "notes.txt", "deny")], write, {"file": "other.txt"})


def test_a_command():
    assert decided(shell, {"line": "git commit -m x"}, rule(shell, "git commit:*")) == "allow"
    assert decided(shell, {"line": "git commit; rm -rf /"}, rule(shell, "git commit:*")) == "ask"
    assert decided(shell, {"line": "true; rm -rf /"}, rule(shell, "rm:*", "deny")) == "deny"
    assert all(suggested.tool_name == "shell" for suggested in shell.suggest({"line": "git status"}))


def test_only_one_can_be_looked_at():
    with pytest.raises(
        ValueError, match=r"^The tool 'both' has both path='a' and command='b': rules can look at one only"
    ):

        @tool(path="a", command="b")
        def both(a: str, b: str) -> None: ...


@pytest.mark.parametrize(
    ("options", "has"), [({"path": "fiel"}, "'file', 'text'"), ({"command": "x"}, "'file', 'text'")]
)
def test_an_argument_that_is_not_there(options, has):
    with pytest.raises(
        ValueError, match=rf"has no parameter '\w+' that permission rules could look at; it has {has}\.$"
    ):
        tool(write.__wrapped__, **options)
