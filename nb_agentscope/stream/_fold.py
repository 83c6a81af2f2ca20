"""Fold whole streams into messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.message import Msg
from nb_agentscope.stream._append import append_event
from nb_agentscope.stream._complain import no_reply
from nb_agentscope.stream._lane import lane_of

_REPLY_START: Final = EventType.REPLY_START  # looking up an enum's member takes longer than comparing it


class Fold:
    """Messages of a stream, event by event.

    A REPLY_START with an unseen `reply_id` begins an assistant message; everything else goes to the newest message. The events
    of sub-agents (see `Lane`) are skipped by `push`: they belong to other messages.

    Args:
        into: Messages so far, oldest first; they are changed in place.
    """

    def __init__(self, into: Iterable[Msg] = ()) -> None:
        self.msgs: list[Msg] = list(into)
        self.ids = {msg.id for msg in self.msgs}
        """Of all messages."""

    @property
    def msg(self) -> Msg | None:
        """The newest reply's message; None before the first REPLY_START."""
        return self.msgs[-1] if self.msgs else None

    def push(self, event: AgentEvent) -> None:
        """Fold one event of the main lane."""
        if not event.metadata or lane_of(event, self.ids) is None:
            self.take(event)

    def take(self, event: AgentEvent) -> None:
        """Fold one event of whatever lane this fold is for."""
        if event.type == _REPLY_START and event.reply_id not in self.ids:
            self.ids.add(event.reply_id)
            self.msgs.append(
                Msg(name=event.name, content=[], role="assistant", id=event.reply_id, created_at=event.created_at)
            )
        elif self.msgs:
            append_event(self.msgs[-1], event)
        elif event.type != EventType.CUSTOM:
            no_reply(event)


def fold_all(events: Iterable[AgentEvent], into: Iterable[Msg] = ()) -> list[Msg]:
    """The messages of all replies of the main lane, in the order of their first REPLY_START.

    Args:
        events: A stream, or the rest of one.
        into: Messages of what came before, oldest first; they are changed in place and stand first in the result.
    """
    state = Fold(into)
    for event in events:
        state.push(event)
    return state.msgs


def fold(events: Iterable[AgentEvent], into: Msg | None = None) -> Msg:
    """The message of the newest reply of the main lane.

    Args:
        events: A stream, or the rest of one.
        into: The newest message of what came before; it is changed in place, and returned if no new reply starts.

    Raises:
        ValueError: There is no reply at all.
    """
    msgs = fold_all(events, () if into is None else (into,))
    if not msgs:
        raise ValueError(
            "These events hold no reply: a stream begins with REPLY_START; pass `into` to continue a message."
        )
    return msgs[-1]
