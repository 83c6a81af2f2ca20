"""A stage before the view's fold, for streams that are broken; changes nothing in a valid one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from nb_agentscope.event import AgentEvent, EventType, ReplyStartEvent
from nb_agentscope.stream._lane import Lane, lane_of
from nb_agentscope.stream._parts import CLIENT_TYPES
from nb_agentscope.stream._tidy_reply import TidyReply
from nb_agentscope.stream._waiting import nested_calls

_CUSTOM: Final = EventType.CUSTOM  # looking up an enum's member takes longer than comparing it


class Tidy:
    """`tidy`, event by event; each lane by itself.

    Events that we make have ids derived from the event that made them necessary, so every reader makes the same ones.

    Args:
        unique: No id comes twice, as in a log, so none need be remembered.
    """

    def __init__(self, *, unique: bool = False) -> None:
        self.dropped: Counter[str] = Counter()
        """Number of events kept out, by reason: `known_id`, `repeated_start`, `older_reply`, `unknown_reply`."""
        self._ids: set[str] | None = None if unique else set()
        self._main = _TidyLane(self.dropped, self._nested_calls)
        self._lanes: dict[Lane, _TidyLane] = {}

    def push(self, event: AgentEvent) -> list[AgentEvent]:
        """What to fold for this event: usually the event alone."""
        if self._ids is not None:
            if event.id in self._ids:
                self.dropped["known_id"] += 1
                return []
            self._ids.add(event.id)
        if event.metadata and (lane := lane_of(event, self._main.replies)) is not None:
            return self._push_nested(event, lane)
        return self._main.push(event)

    def finish(self) -> list[AgentEvent]:
        """The stream has ended: the ENDs of all that a stop left open. What waits for an external result stays open."""
        nested = reversed(self._lanes.items())  # a lane begins after the one that it is nested in
        ends = [_tagged(end, lane) for lane, state in nested for end in state.finish()]
        return ends + self._main.finish()

    def _nested_calls(self, reply_id: str) -> set[str]:
        newest = {lane: state.reply for lane, state in self._lanes.items() if state.reply is not None}
        return nested_calls(newest, reply_id)

    def _push_nested(self, event: AgentEvent, lane: Lane) -> list[AgentEvent]:
        state = self._lanes.get(lane)
        if state is None:
            state = self._lanes[lane] = _TidyLane(self.dropped, self._nested_calls, lane.name)
        return [_tagged(fitting, lane) for fitting in state.push(event)]


class _TidyLane:
    """The replies of one lane, one after the other.

    Args:
        dropped: Counts the events that are kept out, by reason.
        nested_calls: The calls of a reply that go on because their sub-agents wait for someone.
        name: Name of the agent, for a REPLY_START that is missing.
    """

    def __init__(self, dropped: Counter[str], nested_calls: Callable[[str], set[str]], name: str = "") -> None:
        self.replies: set[str] = set()
        """Ids of all replies so far."""
        self._name = name or "assistant"
        self._dropped = dropped
        self._nested_calls = nested_calls
        self.reply: TidyReply | None = None
        """The newest one."""
        self._last: AgentEvent | None = None

    def push(self, event: AgentEvent) -> list[AgentEvent]:
        """What to fold for this event, which no other has the id of."""
        self._last = event
        if event.type == _CUSTOM:
            return [event]
        reply = self.reply
        if reply is not None and event.reply_id == reply.id:
            return reply.push(event)
        return self._other_reply(event)

    def finish(self) -> list[AgentEvent]:
        """The ENDs of all that is open; what waits for an external result stays open."""
        if self.reply is None or self._last is None:
            return []
        return self._close_parked(self.reply, self._last)

    def _close_parked(self, reply: TidyReply, cause: AgentEvent) -> list[AgentEvent]:
        return reply.close(cause, waiting=reply.submitted | self._nested_calls(reply.id))

    def _other_reply(self, event: AgentEvent) -> list[AgentEvent]:
        assert event.type != EventType.CUSTOM  # noqa: S101 - for the type checker
        if event.reply_id in self.replies:
            self._dropped["older_reply"] += 1
            return []
        starts = event.type == EventType.REPLY_START
        # A stub for a stray event would end the reply that is open, and all that the agent still says in it would be lost.
        if event.type in CLIENT_TYPES or (not starts and self.reply is not None and self.reply.going_on):
            self._dropped["unknown_reply"] += 1
            return []
        closers = self._close_parked(self.reply, event) if self.reply else []
        self.replies.add(event.reply_id)
        self.reply = TidyReply(event.reply_id, self._dropped)
        start = [] if starts else [_reply_start(event, self._name)]
        return [*closers, *start, *self.reply.push(event)]


def tidy(events: Iterable[AgentEvent]) -> list[AgentEvent]:
    """Make a broken stream whole enough to show, and leave a valid one as it is.

    Drops events with a known id and a repeated START of an open block; a finished id that starts again becomes `id#2`, and its
    later events follow; a block, or a reply, whose START is missing gets one; and what is open gets its END where the reply
    ends, another begins, or the stream is over. While a reply goes on, only a REPLY_START begins another: other events of
    unknown replies are dropped. The lanes of sub-agents are made whole each by itself. Running it again changes nothing.
    """
    state = Tidy()
    out = [fitting for event in events for fitting in state.push(event)]
    return out + state.finish()


def _tagged(event: AgentEvent, lane: Lane) -> AgentEvent:
    """The event as one of `lane`: those that came are so already, those that we made are not."""
    return event if event.metadata else event.model_copy(update={"metadata": lane.metadata})


def _reply_start(event: AgentEvent, name: str) -> ReplyStartEvent:
    """The REPLY_START that is missing before `event`."""
    return ReplyStartEvent(
        id=f"{event.id}:reply",
        created_at=event.created_at,
        session_id=getattr(event, "session_id", ""),
        reply_id=getattr(event, "reply_id", ""),
        name=name,
    )
