"""What starts a reply: messages, or an event for a parked one."""

from __future__ import annotations

from collections.abc import Sequence

from nb_agentscope.event import ExternalExecutionResultEvent, UserConfirmResultEvent, UserInterruptEvent
from nb_agentscope.message import Msg, UserMsg

ClientEvent = UserConfirmResultEvent | ExternalExecutionResultEvent | UserInterruptEvent
Inputs = Msg | Sequence[Msg] | ClientEvent | None


def as_inputs(inputs: str | Inputs) -> Msg | list[Msg] | ClientEvent | None:
    """The inputs as an agent takes them; text becomes a message of the user.

    Raises:
        TypeError: `inputs` is none of text, Msg, a list of Msg, one of the three client events, or None.
    """
    if isinstance(inputs, str):
        return UserMsg("user", inputs)
    if inputs is None or isinstance(inputs, Msg | ClientEvent):
        return inputs
    if isinstance(inputs, Sequence):
        msgs = [item for item in inputs if isinstance(item, Msg)]
        if len(msgs) == len(inputs):
            return msgs
    raise TypeError(
        f"A reply starts from text, a Msg, a list of Msg, a client event or None, got {type(inputs).__name__}."
    )
