"""Fold one event into a message."""

from __future__ import annotations

from typing import TypeVar

from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg

M = TypeVar("M", bound=Msg)


def append_event(msg: M, event: AgentEvent) -> M:
    """Fold `event` into `msg` and return it."""
    raise NotImplementedError
