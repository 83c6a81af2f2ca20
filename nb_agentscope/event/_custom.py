"""Anything else an emitter wants to say."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from nb_agentscope.event._base import EventBase, EventType


class CustomEvent(EventBase):
    """A named value outside any reply; readers ignore the names they do not know."""

    type: Literal[EventType.CUSTOM] = EventType.CUSTOM
    name: str
    """E.g. `mcp_progress`, `state_updated`."""
    value: dict[str, Any] = Field(default_factory=dict)
