"""The public face: complete, sorted, and every name is there."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

import nb_agentscope

ROOMS = [
    f"nb_agentscope.{module.name}"
    for module in pkgutil.iter_modules(nb_agentscope.__path__)
    if module.ispkg and not module.name.startswith("_")
]


def test_the_names_are_these():
    assert nb_agentscope.__all__ == [
        "Agent",
        "AgentWidget",
        "AssistantMsg",
        "EventLog",
        "Msg",
        "ReplayAgent",
        "Run",
        "ScriptedModel",
        "SystemMsg",
        "UserMsg",
        "configure",
        "set_id_factory",
        "set_timestamp_factory",
        "tool",
        "watch_model",
        "wrap",
    ]


def test_every_home_is_named_and_every_name_has_a_home():
    assert sorted(nb_agentscope._HOMES) == nb_agentscope.__all__


@pytest.mark.parametrize("name", nb_agentscope.__all__)
def test_each_name_is_there(name):
    value = getattr(nb_agentscope, name)
    assert value is getattr(importlib.import_module(nb_agentscope._HOMES[name]), name)


def test_dir_shows_them_before_they_are_loaded():
    code = "import nb_agentscope as n; assert set(n.__all__) <= set(dir(n)); assert 'Run' not in vars(n)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_name_is_a_rooms():
    """Importing a room puts it into the package under its own name, where it would hide another thing of that name."""
    rooms = {module.name for module in pkgutil.iter_modules(nb_agentscope.__path__)}
    assert rooms.isdisjoint(nb_agentscope.__all__)


def test_unknown_names():
    with pytest.raises(AttributeError, match="'nb_agentscope' has no attribute 'Widget'"):
        getattr(nb_agentscope, "Widget")  # noqa: B009 - the attribute is what is tested


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_exports_what_it_says(room):
    module = importlib.import_module(room)
    names = getattr(module, "__all__", [])
    assert list(names) == sorted(set(names), key=lambda name: (not name.isupper(), name[0].islower(), name))
    for name in names:
        assert hasattr(module, name), name
