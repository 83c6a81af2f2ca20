"""From a function that starts runs to widgets: what every `.widget(...)` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nb_agentscope.kernel import current_cell, host
from nb_agentscope.widget._widget import AgentWidget

_VIEW_OPTIONS = ("freeze", "theme", "max_height")


def show(start: Callable[..., Any], *args: Any, **options: Any) -> AgentWidget:
    """Start a run and give the widget that shows it.

    Args:
        start: Called with `args` and the options that are not the widget's; returns the run.
        args: For `start`.
        options: `freeze`, `theme` and `max_height` are the widget's; `cell` is the executing cell unless given, and
            `grace_s` is 0 where there is no notebook.
    """
    view = {name: options.pop(name) for name in _VIEW_OPTIONS if name in options}
    options.setdefault("cell", current_cell())
    if host() in ("script", "terminal"):
        options.setdefault("grace_s", 0.0)  # no view can ever appear, so a cell that waits need not wait for one
    return AgentWidget(start(*args, **options), **view)
