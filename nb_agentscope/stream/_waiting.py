"""A call that runs a sub-agent waits as long as that waits for someone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from nb_agentscope.stream._lane import Lane


class Parks(Protocol):
    """A reply that may be parked."""

    id: str

    def parked(self, nested: set[str]) -> bool:
        """Whether it waits for someone itself, or runs one of the calls `nested`, which do."""


def nested_calls(newest: Mapping[Lane, Parks], reply_id: str) -> set[str]:
    """The calls of a reply whose sub-agents wait, be it only for their own sub-agents.

    Args:
        newest: The newest reply of each lane, in the order in which the lanes began.
        reply_id: The reply.
    """
    waiting: dict[str | None, set[str]] = {}
    for lane, reply in reversed(list(newest.items())):  # a lane begins after the one that it is nested in
        if lane.parent_tool_call_id is not None and reply.parked(waiting.get(reply.id, set())):
            waiting.setdefault(lane.parent_reply_id, set()).add(lane.parent_tool_call_id)
    return waiting.get(reply_id, set())
