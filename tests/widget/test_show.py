"""What every `.widget(...)` does with its options."""

from __future__ import annotations

from typing import Any

from nb_agentscope.widget import show
from tests.widget.fakes import FakeRun, Wire


def test_options_go_to_the_view_or_to_the_run(wire: Wire) -> None:
    given: list[Any] = []

    def start(*args: Any, **options: Any) -> FakeRun:
        given.append((args, options))
        return FakeRun()

    widget = show(start, "go", freeze=False, theme="dark", max_height=200, log_to="x")
    assert (widget.freeze, widget.theme, widget.max_height) == (False, "dark", 200)
    assert given == [(("go",), {"log_to": "x", "cell": None, "grace_s": 0.0})]
    show(start, "go", grace_s=3.0, cell="c")
    assert given[1] == (("go",), {"cell": "c", "grace_s": 3.0})
