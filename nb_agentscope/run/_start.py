"""Start a run, or find the one that the same cell started before."""

from __future__ import annotations

from typing import Any

from nb_agentscope.run._inputs import Inputs
from nb_agentscope.run._live import live_run
from nb_agentscope.run._run import Run


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


def current_cell() -> str | None:
    """The executing notebook cell; None elsewhere."""
    from nb_agentscope.kernel import current_cell

    return current_cell()
