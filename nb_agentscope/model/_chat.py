"""What an agent needs of a model: one call, streamed in chunks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from nb_agentscope.message import DataBlock, Msg, Usage

ToolChoice = Literal["auto", "none", "required"]
Finish = Literal["stop", "tool_calls", "length", "content_filter"]


class ToolSpec(NamedTuple):
    """A tool as a model gets to see it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments."""


class CallDelta(NamedTuple):
    """A piece of one tool call."""

    id: str
    """The provider's id; the same in all pieces of a call."""
    name: str
    input: str = ""
    """More of the arguments, as raw JSON text."""


@dataclass(slots=True, kw_only=True)  # not frozen: one is made per token, and that would take three times as long
class ChatChunk:
    """One piece of a streamed answer; every content field holds only what is new.

    A kind of content that is missing in a chunk has ended, unless the chunk carries data (as sound does beside its text).
    """

    thinking: str | None = None
    """More of the thought; None if this chunk has none."""
    text: str | None = None
    """More of the answer; None if this chunk has none."""
    calls: Sequence[CallDelta] = ()
    """More of the tool calls; several may grow in one chunk."""
    data: Sequence[DataBlock] = ()
    """More bytes of images or sound: base64 pieces, those with equal ids belong together."""
    usage: Usage | None = None
    """Tokens of the whole call so far; the last one counts."""
    finish: Finish | None = None
    """Why the model stopped; on the last chunk."""


@runtime_checkable
class ChatModel(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """The model's name, as it appears in events and tables."""

    def stream(
        self, messages: Sequence[Msg], tools: Sequence[ToolSpec] = (), *, tool_choice: ToolChoice = "auto"
    ) -> AsyncIterator[ChatChunk]:
        """Answer the conversation.

        Args:
            messages: The conversation, the system prompt first; not to be changed.
            tools: What the model may call.
            tool_choice: Whether it may, must, or must not call a tool.
        """
