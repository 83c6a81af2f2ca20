"""One call of the model."""

from __future__ import annotations

from typing import Literal

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.message import FinishedReason


class ModelCallStartEvent(EventBase):
    """The agent begins a round; sent once, however often the model is retried."""

    type: Literal[EventType.MODEL_CALL_START] = EventType.MODEL_CALL_START
    reply_id: str
    model_name: str
    """The requested model, even where a fallback answers."""


class ModelCallEndEvent(EventBase):
    """The model's answer is complete; 0 input and 0 output tokens mean that usage is unknown."""

    type: Literal[EventType.MODEL_CALL_END] = EventType.MODEL_CALL_END
    reply_id: str
    input_tokens: int
    output_tokens: int
    cache_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    finished_reason: FinishedReason = FinishedReason.COMPLETED
