"""The widget: a run, shown live and steered by buttons."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nb_agentscope import kernel
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg
from nb_agentscope.render import to_html, to_text
from nb_agentscope.stream import EventLog, Record
from nb_agentscope.widget._final import final_json
from nb_agentscope.widget._outbox import Outbox
from nb_agentscope.widget._protocol import (
    BadMessageError,
    Hello,
    Pending,
    Refused,
    Snapshot,
    Status,
    Sync,
    parse_client,
)
from nb_agentscope.widget._requests import Requests, refusal
from nb_agentscope.widget._view import elapsed_s, read_pending, read_snapshot

_STATIC = Path(__file__).parent.parent / "static"
_WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


class AgentWidget(anywidget.AnyWidget):
    """Shows a run live in a notebook: its text, tool calls and approvals; `await widget` gives the final message.

    The widget has no state of its own: everything is read from the run, and everything a button does is a method of the run.
    Messages travel by `send` and `on_msg`; the traits are settings, and `final`, which is set once when the run is over.

    Args:
        run: A `Run`, or anything with its reading interface (see `LogView`).
        freeze: Replace the display by a static transcript when the run is over, so that the saved notebook reads everywhere;
            False keeps the live view.
        theme: `auto` follows the notebook; `light` or `dark`.
        max_height: Height in pixels at which the transcript scrolls.
    """

    _esm = _STATIC / "widget.js"
    _css = _STATIC / "widget.css"

    final = traitlets.Unicode("").tag(sync=True)
    theme = traitlets.Enum(["auto", "light", "dark"], default_value="auto").tag(sync=True)
    max_height = traitlets.Int(600, min=100).tag(sync=True)

    def __init__(self, run: Any, *, freeze: bool = True, theme: str = "auto", max_height: int = 600) -> None:
        super().__init__(theme=theme, max_height=max_height)
        self.run = run
        self.freeze = freeze
        self._live = hasattr(run, "done")
        self._requests = Requests(run)
        self._outbox = Outbox(self.send, self, loop=_running_loop())
        self._context = contextvars.copy_context()
        self._shown: list[kernel.Shown] = []
        self._transcript: dict[str, str] | None = None
        self._log_failed: str | None = None
        self._unsubscribe: Callable[[], None] = run.subscribe(self._on_run)
        self.on_msg(self._on_msg)
        if run.status == "finished":
            self._finish()
