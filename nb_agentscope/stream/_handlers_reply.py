"""Handlers of what happens to a reply as a whole."""

from __future__ import annotations

from nb_agentscope.event import EventBase, EventType, ModelCallEndEvent, ReplyEndEvent
from nb_agentscope.message import Msg, Usage
from nb_agentscope.stream._handler import Handler


def nothing(msg: Msg, event: EventBase) -> None:
    """The event leaves no trace in a message; a second REPLY_START continues the reply and must not clear it."""


def model_call_end(msg: Msg, event: ModelCallEndEvent) -> None:
    """Usage adds up over the calls; zeros count, too."""
    msg.append_usage(
        Usage(
            input_tokens=event.input_tokens,
            output_tokens=event.output_tokens,
            cache_input_tokens=event.cache_input_tokens,
            cache_creation_input_tokens=event.cache_creation_input_tokens,
        )
    )


def reply_end(msg: Msg, event: ReplyEndEvent) -> None:
    """The newest end wins: a later `completed` clears an error."""
    msg.finished_at = event.created_at
    msg.finished_reason = event.finished_reason
    msg.error = event.error.model_copy() if event.error else None


HANDLERS: dict[EventType, Handler] = {
    EventType.REPLY_START: nothing,
    EventType.MODEL_CALL_START: nothing,
    EventType.EXCEED_MAX_ITERS: nothing,
    EventType.USER_INTERRUPT: nothing,
    EventType.CUSTOM: nothing,
    EventType.MODEL_CALL_END: model_call_end,
    EventType.REPLY_END: reply_end,
}
