"""Showing something in a cell, and replacing it later from a background task."""

from __future__ import annotations

import contextvars
from typing import Any

from nb_agentscope._common import new_id
from nb_agentscope.kernel._host import has_kernel, shell

Bundle = dict[str, Any]


class Shown:
    """One output that is on show, under a display id of its own; made by `display`."""

    def __init__(self, display_id: str) -> None:
        self.display_id = display_id
        # The cell is known by a context variable of the kernel; it must be this cell again when the output is replaced.
        self._context = contextvars.copy_context()

    def replace(self, data: Bundle, metadata: Bundle | None = None) -> None:
        """Put another MIME bundle in its place, wherever it is shown."""
        self._context.copy().run(self.replace_from_here, data, metadata)

    def replace_from_here(self, data: Bundle, metadata: Bundle | None = None) -> None:
        """The same, sent by the executing cell: what executes notebooks without a page (nbclient) hears no other."""
        _publish(data, metadata, self.display_id, update=True)


def display(data: Bundle, metadata: Bundle | None = None) -> Shown | None:
    """Show a MIME bundle as an output of the executing cell.

    Without a kernel its plain text is printed, and None is returned: what is printed cannot be replaced.
    """
    if not has_kernel():
        print(data.get("text/plain", ""))  # noqa: T201 - there is nothing but the terminal
        return None
    shown = Shown(new_id())
    _publish(data, metadata, shown.display_id, update=False)
    return shown


def _publish(data: Bundle, metadata: Bundle | None, display_id: str, *, update: bool) -> None:
    shell().display_pub.publish(data=data, metadata=metadata or {}, transient={"display_id": display_id}, update=update)
