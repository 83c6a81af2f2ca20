"""Fold one event into a message."""

from __future__ import annotations

from typing import TypeVar

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.message import Msg
from nb_agentscope.stream import _handlers_data, _handlers_human, _handlers_reply, _handlers_text, _handlers_tool
from nb_agentscope.stream._complain import other_reply
from nb_agentscope.stream._handler import Handler

M = TypeVar("M", bound=Msg)
_CUSTOM = EventType.CUSTOM  # looking up an enum's member takes as long as the rest of the check

HANDLERS: dict[EventType, Handler] = {
    **_handlers_reply.HANDLERS,
    **_handlers_text.HANDLERS,
    **_handlers_data.HANDLERS,
    **_handlers_tool.HANDLERS,
    **_handlers_human.HANDLERS,
}
"""What each of the 28 event types does to a message."""


def append_event(msg: M, event: AgentEvent) -> M:
    """Fold `event` into `msg` and return `msg`, with AgentScope's semantics, in time linear in the event.

    Order is not checked, and events after REPLY_END still apply. An event of another reply or about an unknown block is logged
    (logger `nb_agentscope`, level WARNING) and skipped.

    Two things differ from AgentScope. Data that cannot be used (invalid base64 or URL, bytes after a URL) gives a `UserWarning`
    and leaves the block as it was, where AgentScope raises. And times and ids that AgentScope takes from the reader's clock and
    id factory come from the event, so that every reader gets the same message.

    Args:
        msg: The message of the reply; changed in place. It may have been parsed, copied or edited before.
        event: The next event of the stream. What is kept of it is copied.
    """
    kind = event.type
    if kind == _CUSTOM:
        return msg
    if event.reply_id != msg.id:  # type: ignore[union-attr]  # only CUSTOM has none
        other_reply(event, msg)
        return msg
    HANDLERS[kind](msg, event)
    return msg
