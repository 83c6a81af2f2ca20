"""A stage before the view's fold, for streams that are broken; changes nothing in a valid one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from nb_agentscope.event import AgentEvent, EventType, ReplyStartEvent
from nb_agentscope.stream._parts import CLIENT_TYPES
from nb_agentscope.stream._tidy_reply import TidyReply

_CUSTOM: Final = EventType.CUSTOM  # looking up an enum's member takes longer than comparing it


class Tidy:
    """`tidy`, event by event.

    Events that we make have ids derived from the event that made them necessary, so every reader makes the same ones.

    Args:
        unique: No id comes twice, as in a log, so none need be remembered.
    """

    def __init__(self, *, unique: bool = False) -> None:
        self.dropped: Counter[str] = Counter()
        """Number of events kept out, by reason: `known_id`, `repeated_start`, `older_reply`, `unknown_reply`."""
        self._ids: set[str] | None = None if unique else set()
        self._replies: set[str] = set()
        self._reply: TidyReply | None = None
        self._last: AgentEvent | None = None

    def push(self, event: AgentEvent) -> list[AgentEvent]:
        """What to fold for this event: usually the event alone."""
        if self._ids is not None:
            if event.id in self._ids:
                self.dropped["known_id"] += 1
                return []
            self._ids.add(event.id)
        self._last = event
        if event.type == _CUSTOM:
            return [event]
        reply = self._reply
        if reply is not None and event.reply_id == reply.id:
            return reply.push(event)
        return self._other_reply(event)

    def finish(self) -> list[AgentEvent]:
        """The stream has ended: the ENDs of all that a stop left open. What waits for an external result stays open."""
        if self._reply is None or self._last is None:
            return []
        return self._reply.close(self._last, parked=True)

    def _other_reply(self, event: AgentEvent) -> list[AgentEvent]:
        assert event.type != EventType.CUSTOM  # noqa: S101 - for the type checker
        if event.reply_id in self._replies:
            self.dropped["older_reply"] += 1
            return []
        starts = event.type == EventType.REPLY_START
        # A stub for a stray event would end the reply that is open, and all that the agent still says in it would be lost.
        if event.type in CLIENT_TYPES or (not starts and self._reply is not None and self._reply.going_on):
            self.dropped["unknown_reply"] += 1
            return []
        closers = self._reply.close(event, parked=True) if self._reply else []
        self._replies.add(event.reply_id)
        self._reply = TidyReply(event.reply_id, self.dropped)
        start = [] if starts else [_reply_start(event)]
        return [*closers, *start, *self._reply.push(event)]


def tidy(events: Iterable[AgentEvent]) -> list[AgentEvent]:
    """Make a broken stream whole enough to show, and leave a valid one as it is.

    Drops events with a known id and a repeated START of an open block; a finished id that starts again becomes `id#2`, and its
    later events follow; a block, or a reply, whose START is missing gets one; and what is open gets its END where the reply
    ends, another begins, or the stream is over. While a reply goes on, only a REPLY_START begins another: other events of
    unknown replies are dropped. Running it again changes nothing.
    """
    state = Tidy()
    out = [fitting for event in events for fitting in state.push(event)]
    return out + state.finish()


def _reply_start(event: AgentEvent) -> ReplyStartEvent:
    """The REPLY_START that is missing before `event`."""
    return ReplyStartEvent(
        id=f"{event.id}:reply",
        created_at=event.created_at,
        session_id=getattr(event, "session_id", ""),
        reply_id=getattr(event, "reply_id", ""),
        name="assistant",
    )
