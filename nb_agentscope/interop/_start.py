"""Start a run, or find the one that the same cell started before; with or without a view."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from nb_agentscope.run import Inputs, Run, live_run

V = TypeVar("V")
_RUN_OPTIONS = frozenset(inspect.signature(Run).parameters)


def start(agent: Any, inputs: str | Inputs, *, owner: object, **options: Any) -> Run:
    """A new Run of `agent`; with `on_rerun="keep"`, the live one that the same cell started.

    Args:
        agent: What the run drives.
        inputs: What it is given.
        owner: The object that may have only one live run.
        **options: Those of `Run`; `cell` is the executing cell by default.
    """
    cell = options.setdefault("cell", current_cell())
    if cell is not None and options.get("on_rerun") == "keep":
        live = live_run(owner)
        if live is not None and live.cell == cell:
            return live
    return Run(agent, inputs, owner=owner, **options)


def shown(view: Callable[..., V], start: Callable[..., Run], msg: Any, options: dict[str, Any]) -> V:
    """A `view` of a new run; options that `Run` does not know are the view's.

    Raises:
        TypeError: Neither knows an option; nothing has been started then.
    """
    of_view = {name: value for name, value in options.items() if name not in _RUN_OPTIONS}
    made_by: Any = view
    if isinstance(view, type):
        made_by = view.__init__  # type: ignore[misc]  # the class's own: traitlets hides it behind a __new__ that takes anything
    known = inspect.signature(made_by).parameters
    unknown = sorted(set(of_view) - set(known))
    if unknown:
        raise TypeError(f"There is no option {', '.join(unknown)} for a run or its widget.")
    return view(start(msg, **{name: value for name, value in options.items() if name in _RUN_OPTIONS}), **of_view)


def current_cell() -> str | None:
    """The executing notebook cell; None elsewhere."""
    from nb_agentscope.kernel import current_cell

    return current_cell()
