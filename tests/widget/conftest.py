"""Widgets with a comm that only writes down what is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm

from tests.widget.fakes import Wire


class RecordingComm(BaseComm):
    """Keeps what would go to the browser."""

    def __init__(self, wire: Wire, **options: Any) -> None:
        self._wire = wire
        super().__init__(**options)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        if data and data.get("method") == "custom":
            self._wire.messages.append(data["content"])
            self._wire.buffers.append(buffers or [])
        elif data and "state" in data:
            self._wire.traits.update(data["state"])


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """The messages of the widgets that a test makes."""
    wire = Wire()
    monkeypatch.setattr(comm, "create_comm", lambda *_args, **options: RecordingComm(wire, **options))
    return wire


@pytest.fixture
def ask() -> Callable[..., None]:
    """Sends a message of the browser to a widget."""

    def send(widget: Any, type: str, **fields: Any) -> None:
        message = {"v": 1, "type": type, **fields}
        widget.comm.handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})

    return send
