"""Who may know whom: each room imports only rooms before it, and doors are short and few."""

import ast
from pathlib import Path

import pytest

import nb_agentscope

PACKAGE = Path(nb_agentscope.__file__).parent

# permission -> message -> event -> stream -> { model, tools } -> agent
#                                   stream -> run -> { render, kernel } -> widget
#                                   stream -> analysis           stream, run -> interop
_BASE = {"permission", "message", "event"}
BEFORE = {
    "permission": set(),
    "message": {"permission"},
    "event": {"permission", "message"},
    "stream": _BASE,
    "model": _BASE | {"stream"},
    "tools": _BASE | {"stream"},
    "agent": _BASE | {"stream", "model", "tools"},
    "run": _BASE | {"stream"},
    "render": _BASE | {"stream", "run"},
    "kernel": _BASE | {"stream", "run"},
    "widget": _BASE | {"stream", "run", "render", "kernel"},
    "analysis": _BASE | {"stream"},
    "interop": _BASE | {"stream", "run"},
}

# (room, function or method) -> rooms that it may import inside.
DOORS = {
    ("message", "_append_event"): {"stream"},
    ("message", "Msg._repr_mimebundle_"): {"render"},
    ("stream", "EventLog._repr_mimebundle_"): {"render"},
    ("stream", "EventLog.widget"): {"widget"},
    ("run", "Run._repr_mimebundle_"): {"render"},
    ("interop", "WrappedAgent.widget"): {"widget"},
    ("interop", "ReplayAgent.widget"): {"widget"},
    ("run", "current_cell"): {"kernel"},
    ("agent", "Agent.start"): {"run"},
    ("agent", "Agent.widget"): {"widget"},
}

SHARED = ("_arguments", "_common", "_settings")
"""Modules that every room may import, and that import none."""

FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


class Imports(ast.NodeVisitor):
    """The rooms that a module imports, each with the function it stands in, if any."""

    def __init__(self):
        self.scope = []
        self.found = []

    def visit_If(self, node):
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_ClassDef(self, node):
        self._inside(node)

    def visit_FunctionDef(self, node):
        self._inside(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast's naming

    def visit_Import(self, node):
        for alias in node.names:
            self._add(alias.name, node)

    def visit_ImportFrom(self, node):
        assert node.level == 0, "relative imports hide the room"
        module = node.module or ""
        if module == "nb_agentscope":
            for alias in node.names:
                self._add(f"nb_agentscope.{alias.name}", node)
        else:
            self._add(module, node)

    def _inside(self, node):
        self.scope.append(node)
        self.generic_visit(node)
        self.scope.pop()

    def _add(self, module, node):
        parts = module.split(".")
        if parts[0] == "nb_agentscope" and len(parts) > 1:
            self.found.append((parts[1], list(self.scope), node))


def imports(source):
    visitor = Imports()
    visitor.visit(ast.parse(source))
    return visitor.found


def problems(room, source):
    """The wrong arrows of a module in `room`, in words."""
    for target, scope, _node in imports(source):
        if target in (room, *SHARED):
            continue
        name = ".".join(part.name for part in scope)
        if target in DOORS.get((room, name), set()):
            if lines(scope[-1]) > 2:
                yield f"the door {name} has more than two lines"
        elif target not in BEFORE.get(room, set()):
            yield f"{room} imports {target}" + (f" in {name}" if name else "")


def lines(function):
    """Statements of a function without its docstring."""
    has_docstring = ast.get_docstring(function) is not None
    return len(function.body) - has_docstring


def test_every_room_is_known():
    rooms = {room_of(path) for path in FILES} - {None, "static"}
    assert rooms <= set(BEFORE), rooms - set(BEFORE)
    assert {"run", "interop", "stream", "widget"} <= rooms


@pytest.mark.parametrize("path", [p for p in FILES if room_of(p)], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_rooms_before_it(path):
    assert list(problems(room_of(path), path.read_text(encoding="utf-8"))) == []


def test_every_door_leads_somewhere():
    used = {
        (room_of(path), ".".join(part.name for part in scope), target)
        for path in FILES
        for target, scope, _node in imports(path.read_text(encoding="utf-8"))
    }
    assert {(room, name, target) for (room, name), targets in DOORS.items() for target in targets} <= used


def test_the_top_imports_no_room_at_once():
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    assert imports(source) == []
    for name in SHARED:
        assert imports((PACKAGE / f"{name}.py").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("room", "source", "says"),
    [
        ("event", "from nb_agentscope.stream import fold", "event imports stream"),
        ("run", "import nb_agentscope.widget", "run imports widget"),
        ("run", "from nb_agentscope import widget", "run imports widget"),
        ("run", "def f():\n from nb_agentscope.interop import wrap", "run imports interop in f"),
        ("widget", "from nb_agentscope.interop import wrap", "widget imports interop"),
        (
            "message",
            "def _append_event():\n from nb_agentscope.stream import a\n x = 1\n return x",
            "the door _append_event has more than two lines",
        ),
        (
            "message",
            "class Msg:\n def other(self):\n  from nb_agentscope.stream import a",
            "message imports stream in Msg.other",
        ),
    ],
)
def test_a_wrong_arrow_is_found(room, source, says):
    assert list(problems(room, source)) == [says]


def test_rooms_are_ordered():
    for room, before in BEFORE.items():
        for earlier in before:
            assert BEFORE[earlier] < before | {earlier}
            assert room not in BEFORE[earlier]
