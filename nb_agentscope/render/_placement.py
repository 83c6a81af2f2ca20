"""Where each sub-agent stands in a transcript: in the card of the call that began it, else at the end. As in the live view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import Msg
from nb_agentscope.stream import Lane

MAX_DEPTH = 6
"""Sub-agents that are nested deeper stand at the end, too: nobody can read them in a notebook's column."""
NAME_CHARS = 60
_ENDS = 3
ARROW = " \u203a "
"""Between the names of a path."""


@dataclass(frozen=True)
class Placed:
    """A sub-agent that is shown somewhere."""

    lane: Lane
    view: Any
    """Its `msgs` and `progress`."""
    nth: int
    """How many lanes of the same path there are up to this one, from 1."""

    @property
    def path(self) -> str:
        """The names in one line."""
        return ARROW.join(self.names)

    @property
    def names(self) -> list[str]:
        """The names of its path for people, each cut; of a very long path both ends."""
        names = [_cut(name) or "agent" for name in self.lane.source.split("/")]
        if self.nth > 1:
            names[-1] = f"{names[-1]} #{self.nth}"
        left = len(names) - 2 * _ENDS
        return [*names[:_ENDS], f"… {left} more …", *names[-_ENDS:]] if left > 1 else names


Key = tuple[Lane | None, str | None, str | None]
"""Lane, reply and call."""


@dataclass(frozen=True)
class Placement:
    """Each lane at exactly one place, whatever the foreign ids say: none is lost, and none contains itself."""

    loose: Sequence[Placed] = ()
    """Lanes that no call has begun, as far as is known."""
    calls: Mapping[Key, Sequence[Placed]] = field(default_factory=dict)

    def under(self, lane: Lane | None, reply_id: str, call_id: str) -> Sequence[Placed]:
        """The lanes that a call of a lane (None: the main one) has begun."""
        return self.calls.get((lane, reply_id, call_id), ())


def place(msgs: Sequence[Msg], lanes: Mapping[Lane, Any]) -> Placement:
    """The places of all `lanes` beside the messages of the main lane."""
    parents = _parents(msgs, lanes)
    seen: Counter[str] = Counter()
    loose: list[Placed] = []
    calls: dict[Key, list[Placed]] = {}
    for lane, view in lanes.items():
        seen[lane.source] += 1
        placed = Placed(lane, view, seen[lane.source])
        if _reaches_main(lane, parents):
            calls.setdefault((parents[lane], lane.parent_reply_id, lane.parent_tool_call_id), []).append(placed)
        else:
            loose.append(placed)
    return Placement(loose, calls)


def _parents(msgs: Sequence[Msg], lanes: Mapping[Lane, Any]) -> dict[Lane, Lane | None]:
    """The lane that holds the call which began each lane, where it is known; of two replies with one id the first counts."""
    owners: dict[str, tuple[Lane | None, Msg]] = {}
    for lane, said in [(None, msgs), *((lane, view.msgs) for lane, view in lanes.items())]:
        for msg in said:
            owners.setdefault(msg.id, (lane, msg))
    calls = {id: {block.id for block in msg.content if _is_call(block)} for id, (_, msg) in owners.items()}
    return {
        lane: owners[lane.parent_reply_id][0]
        for lane in lanes
        if lane.parent_reply_id in owners and lane.parent_tool_call_id in calls[lane.parent_reply_id]
    }


def _is_call(block: Any) -> bool:
    return block.type in ("tool_call", "tool_result")


def _reaches_main(lane: Lane, parents: Mapping[Lane, Lane | None]) -> bool:
    """Whether the way up ends at the main lane: it may lead in a circle, or to a lane at the end."""
    for _ in range(MAX_DEPTH):
        if lane not in parents:
            return False
        parent = parents[lane]
        if parent is None:
            return True
        lane = parent
    return False


def _cut(name: str) -> str:
    return name if len(name) <= NAME_CHARS else f"{name[:NAME_CHARS]}…"
