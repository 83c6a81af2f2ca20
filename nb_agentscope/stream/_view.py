"""Everything that a view shows of a log, kept up to date record by record: the main lane and those of sub-agents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg
from nb_agentscope.stream._fold import Fold
from nb_agentscope.stream._lane import Lane, lane_of
from nb_agentscope.stream._progress import Progress
from nb_agentscope.stream._record import Record
from nb_agentscope.stream._tidy import Tidy


class LaneView:
    """The messages of one lane, and what is not in them."""

    def __init__(self) -> None:
        self.progress = Progress()
        self._fold = Fold()

    @property
    def msgs(self) -> list[Msg]:
        """The message of every reply, oldest first; they grow."""
        return self._fold.msgs

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message; None before the first reply."""
        return self._fold.msg

    @property
    def ids(self) -> set[str]:
        """Ids of all replies."""
        return self._fold.ids

    def push(self, record: Record, events: Sequence[AgentEvent]) -> None:
        """Take in the tidied events of the next record of this lane."""
        for event in events:
            self._fold.take(event)
        self.progress.push_tidied(record, events)


class View(LaneView):
    """The main lane, tidied and folded, with the lanes of sub-agents beside it.

    Args:
        unique: No event id comes twice, as in a log, so none need be remembered.
    """

    def __init__(self, *, unique: bool = False) -> None:
        super().__init__()
        self.lanes: dict[Lane, LaneView] = {}
        """In the order of their first events."""
        self._tidy = Tidy(unique=unique)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Self:
        """The view of all `records`, from the first one of a log on."""
        view = cls()
        for record in records:
            view.follow(record)
        return view

    def follow(self, record: Record) -> list[AgentEvent]:
        """Take in the next record; returns its tidied events, as a view in another language folds them."""
        event = record.event
        lane = lane_of(event, self.ids) if event.metadata else None
        tidied = self._tidy.push(event)
        if lane is None:
            self.push(record, tidied)
        elif tidied:
            self.lane(lane).push(record, tidied)
        return tidied

    def lane(self, lane: Lane) -> LaneView:
        """The view of one lane; it is there from now on."""
        view = self.lanes.get(lane)
        if view is None:
            view = self.lanes[lane] = LaneView()
        return view
