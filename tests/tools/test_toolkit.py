"""Tools by name."""

import pytest

from nb_agentscope.tools import Toolkit, tool


def read(path: str) -> str:
    """Read."""
    return path


write = tool(lambda: None, name="write", description="Write.")


def test_a_toolkit():
    kit = Toolkit([write, read])
    assert [made.name for made in kit] == ["write", "read"]
    assert kit.get("write") is write
    assert kit.get("read")("x") == "x"
    assert kit.get("none") is None
    assert "read" in kit
    assert "none" not in kit
    assert len(kit) == 2
    assert kit.specs() == [write.spec, kit.get("read").spec]
    assert repr(kit) == "Toolkit(write, read)"
    assert len(Toolkit()) == 0
    assert list(Toolkit(kit)) == list(kit)


def test_two_of_one_name():
    with pytest.raises(
        ValueError, match=r"^Two tools are called 'read': give one of them another name, tool\(name=\.\.\.\)\.$"
    ):
        Toolkit([read, write, tool(read, description="Again")])


@pytest.mark.parametrize("tools", [write, read, 5])
def test_what_is_no_list(tools):
    with pytest.raises(
        TypeError, match=r"^tools is a list of tools and functions, got .*: put a single one into a list\.$"
    ):
        Toolkit(tools)


@pytest.mark.parametrize("tools", ["read", [5], [None]])
def test_what_is_no_tool(tools):
    with pytest.raises(TypeError, match=r"^A tool is made of a function, got "):
        Toolkit(tools)
