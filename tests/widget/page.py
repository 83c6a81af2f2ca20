"""What the page does with the messages of one widget, in Python: the rules of the TypeScript store, on a simulated clock."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from nb_agentscope.event import parse_event
from nb_agentscope.message import Msg
from nb_agentscope.stream import Fold

RETRY_S = 2.0
IDLE_S = 5.0


class Page:
    """One page: asks at the start, after a gap, and when it has heard nothing for a while."""

    def __init__(self, loop: Any, send: Callable[[dict[str, Any]], None]) -> None:
        self._loop = loop
        self._send = send
        self._timer: Any = None
        self.loaded = self.outstanding = False
        self.seq = self.last_n = self.status_n = 0
        self.status = "running"
        self.pending: list[Any] = []
        self.fold = Fold()
        self.snapshots = 0
        self._attempt(0)

    @property
    def dumps(self) -> list[Any]:
        return [json.loads(msg.model_dump_json()) for msg in self.fold.msgs]

    def receive(self, message: dict[str, Any]) -> None:
        lost = self.last_n and message["n"] > self.last_n + 1
        self.last_n = max(self.last_n, message["n"])
        if lost:
            self._request()
        if not self.outstanding:
            self._idle()
        if message["type"] == "snapshot":
            self._snapshot(message)
        elif message["type"] == "batch":
            if not self._batch(message):
                self._request()
        elif message["id"] == "":
            self._answered()

    def _snapshot(self, message: dict[str, Any]) -> None:
        self._answered()
        if self.loaded and (message["seq"] < self.seq or message["n"] < self.status_n):
            return
        self.snapshots += 1
        self.fold = Fold([Msg.model_validate(msg) for msg in message["msgs"]])
        self.seq, self.status, self.pending = message["seq"], message["status"], message["pending"]
        self.loaded, self.status_n = True, message["n"]

    def _batch(self, message: dict[str, Any]) -> bool:
        if not self.loaded and message["seq0"] > 0:
            return False
        if message["seq0"] > self.seq:
            return False
        if message["seq0"] < self.seq:
            return bool(message["seq1"] <= self.seq)
        for event in message["events"]:
            self.fold.push(parse_event(event))
        self.seq, self.loaded = message["seq1"], True
        if message["n"] >= self.status_n:
            self.status_n, self.status = message["n"], message["status"]
            if message["pending"] is not None:
                self.pending = message["pending"]
        return True

    def _request(self) -> None:
        if not self.outstanding:
            self._attempt(0)

    def _answered(self) -> None:
        self.outstanding = False
        self._idle()

    def _attempt(self, have: int) -> None:
        self.outstanding = True
        self._send({"v": 1, "type": "sync", "have": have})
        self._arm(RETRY_S, lambda: self._attempt(have))

    def _idle(self) -> None:
        self._arm(IDLE_S, lambda: self._attempt(self.seq) if self.status != "finished" else None)

    def _arm(self, delay_s: float, action: Callable[[], Any]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(delay_s, action)
