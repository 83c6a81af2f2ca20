"""The widget: a run, shown live and steered by buttons."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nb_agentscope import kernel
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg
from nb_agentscope.render import live_stub, transcript
from nb_agentscope.run import Status, running_loop
from nb_agentscope.stream import EventLog, Record
from nb_agentscope.widget._final import final_json
from nb_agentscope.widget._outbox import Outbox
from nb_agentscope.widget._parse import BadMessageError, parse_client
from nb_agentscope.widget._protocol import Hello, Pending, Refused, Snapshot, Sync, seconds
from nb_agentscope.widget._requests import Requests, refusal
from nb_agentscope.widget._view import read_pending, read_snapshot

_STATIC = Path(__file__).parent.parent / "static"


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
        self._live: bool = getattr(run, "live", True)
        self._requests = Requests(run)
        self._outbox = Outbox(self.send, self, loop=running_loop())
        self._context = contextvars.copy_context()
        self._shown: list[kernel.Shown] = []
        self._seen = False
        self._transcript: dict[str, str] | None = None
        self._log_failed: str | None = None
        self._unsubscribe: Callable[[], None] = run.subscribe(self._on_run)
        self.on_msg(self._on_msg)
        if run.status == "finished":
            self._finish()

    # ---- the run, forwarded

    @property
    def log(self) -> EventLog:
        """The log of the run: everything that happened."""
        return self.run.log  # type: ignore[no-any-return]

    @property
    def msg(self) -> Msg | None:
        """The newest reply so far."""
        return self.run.msg  # type: ignore[no-any-return]

    @property
    def status(self) -> Status:
        """Running, waiting or finished."""
        return self.run.status  # type: ignore[no-any-return]

    @property
    def pending(self) -> list[Any]:
        """Calls that wait for a person."""
        return self.run.pending  # type: ignore[no-any-return]

    def approve(self, tool_call_id: str | None = None, **options: Any) -> None:
        """Approve a call; see `Run.approve`."""
        self.run.approve(tool_call_id, **options)

    def deny(self, tool_call_id: str | None = None, **options: Any) -> None:
        """Deny a call; see `Run.deny`."""
        self.run.deny(tool_call_id, **options)

    def submit_result(self, tool_call_id: str | None, output: Any, **options: Any) -> None:
        """Give the result of a call that runs outside; see `Run.submit_result`."""
        self.run.submit_result(tool_call_id, output, **options)

    def stop(self, **options: Any) -> None:
        """Stop the run; see `Run.stop`."""
        self.run.stop(**options)

    def wait(self, timeout: float | None = None) -> Msg:
        """Block until the run is over and return its final message; see `Run.wait`."""
        return self.run.wait(timeout)  # type: ignore[no-any-return]

    def __await__(self) -> Generator[Any, None, Msg]:
        return self._awaited().__await__()

    async def _awaited(self) -> Msg:
        try:
            return await self.run  # type: ignore[no-any-return]
        finally:
            if self.freeze and self.run.status == "finished" and not self._seen:
                for shown in self._shown:
                    shown.replace_from_here(self._static())

    def close(self) -> None:
        """Close the view in all pages; the run goes on."""
        self._unsubscribe()
        super().close()

    # ---- kernel -> browser

    def flush_log(self) -> None:
        """Write what was logged, and tell the reader once if that fails."""
        try:
            self.run.log.flush()
        except OSError as error:
            if self._log_failed != str(error):
                self._log_failed = str(error)
                reason = (
                    f"The log cannot be written ({error}); it goes on in memory, log.save(path) writes it elsewhere."
                )
                self._outbox.answer(Refused(id="", reason=reason))

    def snapshot(self) -> Snapshot:
        """Everything so far, as it travels."""
        return read_snapshot(self.run, live=self._live)

    def state(self) -> tuple[Status, list[Pending], float]:
        """Status, what waits for a person, and the seconds since the start."""
        return self.run.status, read_pending(self.run), seconds(self.run.elapsed_s)

    def _on_run(self, kind: str, record: Record | None = None, events: list[AgentEvent] | None = None) -> None:
        if self._outbox.loop is None:
            self._outbox.loop = running_loop()  # the run has only now found a loop to run on
        if record is not None:
            self._outbox.push(record, events or [])
        if kind == "status":
            self._outbox.push_state()
            if self.run.status == "finished":
                self._finish()

    def _finish(self) -> None:
        """Leave the transcript everywhere: in the trait for a view without a kernel, and in place of the live displays."""
        self.final = final_json(self.run)
        if self.freeze:
            for shown in self._shown:
                shown.replace(self._static())

    # ---- browser -> kernel

    def _on_msg(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """May be called on any thread, with or without a running loop: all work happens on the loop of the run."""
        loop = self._outbox.loop
        if loop is None or loop.is_closed():
            self._handle(content)
        else:
            loop.call_soon_threadsafe(self._handle, content, context=self._context.copy())

    def _handle(self, content: Any) -> None:
        try:
            message = parse_client(content)
        except BadMessageError as error:
            self._outbox.answer(refusal(error.id, error))
            return
        if isinstance(message, Hello):
            self._seen = self.run.frontend_seen = True
        elif isinstance(message, Sync):
            self._outbox.sync(message.have)
        else:
            self._outbox.answer(*self._requests.handle(message))

    # ---- display

    def __repr__(self) -> str:
        name = self.run.progress.agent or "agent"
        return f"<AgentWidget of {name[:60]!r}: {self.run.status}, {len(self.run.log)} events>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        base: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = base if isinstance(base, tuple) else (base or {}, {})  # Colab's come with metadata
        bundle = {**data, **self._static()}
        return (bundle, metadata) if metadata else bundle

    def _ipython_display_(self, **_options: Any) -> None:
        if self.freeze and self.run.status == "finished":
            kernel.display(self._static())
            return
        bundle = self._repr_mimebundle_()
        shown = kernel.display(*bundle) if isinstance(bundle, tuple) else kernel.display(bundle)
        if shown is not None:
            self._shown.append(shown)

    def _static(self) -> dict[str, str]:
        """What is shown where no widget can be: a stub while the run is live, then the transcript."""
        if self.run.status != "finished":
            return live_stub(repr(self))
        if self._transcript is None:
            self._transcript = transcript(self.run, theme=self.theme, max_height=self.max_height)
        return self._transcript
