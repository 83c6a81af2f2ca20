"""A real kernel, and a front end that only listens."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


class Kernel:
    """Runs code in a kernel and keeps the outputs of every cell, as a notebook would."""

    def __init__(self, client: Any, interrupt: Callable[[], None]) -> None:
        self.client = client
        self.interrupt = interrupt
        self.outputs: dict[str, list[dict[str, Any]]] = {}
        self.comm_messages: list[dict[str, Any]] = []
        self._shown: dict[str, list[dict[str, Any]]] = {}
        self._idle: set[str] = set()

    def start(self, code: str, cell_id: str | None = None) -> str:
        """Send one cell; its id."""
        message = self.client.session.msg("execute_request", {"code": code, "silent": False, "store_history": True})
        if cell_id is not None:
            message["metadata"]["cellId"] = cell_id
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def done(self, id: str) -> bool:
        """Whether a cell has ended."""
        return id in self._idle

    def run(self, code: str, cell_id: str | None = None, timeout_s: float = 60.0) -> list[dict[str, Any]]:
        """Run one cell to its end; later messages still change its outputs."""
        id = self.start(code, cell_id)
        outputs = self.outputs.setdefault(id, [])
        self.listen(lambda: self.done(id), timeout_s)
        errors = [output for output in outputs if output["type"] == "error"]
        assert not errors, errors[0]["traceback"]
        return outputs

    def listen(self, until: Any, timeout_s: float = 30.0) -> None:
        """Take in messages until a condition holds."""
        deadline = time.monotonic() + timeout_s
        while not until():
            assert time.monotonic() < deadline, "the kernel did not get there in time"
            try:
                self._take(self.client.get_iopub_msg(timeout=0.2))
            except queue.Empty:
                continue

    def _take(self, message: dict[str, Any]) -> None:
        kind, content = message["msg_type"], message["content"]
        parent = message["parent_header"].get("msg_id", "")
        if kind == "status" and content["execution_state"] == "idle":
            self._idle.add(parent)
        elif kind in ("display_data", "update_display_data", "execute_result"):
            self._display(kind, parent, content)
        elif kind == "error":
            self.outputs.setdefault(parent, []).append({"type": kind, "traceback": "\n".join(content["traceback"])})
        elif kind == "stream":
            self.outputs.setdefault(parent, []).append({"type": kind, "text": content["text"]})
        elif kind.startswith("comm_"):
            self.comm_messages.append({"kind": kind, "parent": parent, **content})

    def _display(self, kind: str, parent: str, content: dict[str, Any]) -> None:
        display_id = content.get("transient", {}).get("display_id")
        if kind == "update_display_data":
            for output in self._shown.get(display_id, []):
                output["data"] = content["data"]
                output["updates"].append(parent)
            return
        output = {"type": kind, "data": content["data"], "updates": []}
        self.outputs.setdefault(parent, []).append(output)
        self._shown.setdefault(display_id, []).append(output)

    def tell(self, comm_id: str, content: dict[str, Any]) -> None:
        """Send a custom message of the page to a widget."""
        data = {"method": "custom", "content": content}
        self.client.shell_channel.send(self.client.session.msg("comm_msg", {"comm_id": comm_id, "data": data}))


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    from jupyter_client.manager import start_new_kernel

    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    manager, client = start_new_kernel(env={**os.environ, "PYTHONPATH": path}, cwd=str(ROOT))
    try:
        yield Kernel(client, manager.interrupt_kernel)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
