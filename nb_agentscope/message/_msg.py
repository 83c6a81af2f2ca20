"""A message: who said it, and its content blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from nb_agentscope._common import new_id, now
from nb_agentscope.message._block import ContentBlock
from nb_agentscope.message._enums import ReplyFinishedReason
from nb_agentscope.message._usage import ErrorInfo, Usage

if TYPE_CHECKING:
    from nb_agentscope.event import AgentEvent


@cache  # an import statement that runs for every event costs as much as folding it
def _append_event() -> Callable[[Msg, AgentEvent], Msg]:
    from nb_agentscope.stream import append_event

    return append_event


Role = Literal["user", "assistant", "system"]
BlockTypes = str | Sequence[str] | None

_ALLOWED_BLOCKS: dict[str, frozenset[str]] = {
    "user": frozenset({"text", "data"}),
    "system": frozenset({"text"}),
}


class Msg(BaseModel):
    """One message of a conversation; an agent's reply is one assistant message.

    Assignments are not validated, and the role check is made at construction only, as in AgentScope.

    Raises:
        pydantic.ValidationError: At construction, when the role does not allow one of the blocks (a user may send text and
            data, the system only text) or a field is wrong.
    """

    __slots__ = ("_index",)
    # Where `stream.append_event` keeps its positions of open blocks; a slot, so that `==`, copies and dumps do not see it.

    name: str
    """Who speaks."""
    content: list[ContentBlock]
    """Blocks in order of their start."""
    role: Role
    """user, assistant or system."""
    id: str = Field(default_factory=new_id)
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: str = Field(default_factory=now)
    usage: Usage | None = None
    """Sum over the model calls so far; None before the first."""
    finished_at: str | None = None
    """None while the reply goes on."""
    finished_reason: ReplyFinishedReason | None = None
    structured_output: dict[str, Any] | None = None
    """Only on the message that the agent returns, never in an event."""
    error: ErrorInfo | None = None
    """Why the reply failed, if it did."""

    @model_validator(mode="after")
    def _role_allows_blocks(self) -> Self:
        allowed = _ALLOWED_BLOCKS.get(self.role)
        wrong = sorted({block.type for block in self.content} - allowed) if allowed else []
        if allowed and wrong:
            raise ValueError(
                f"a {self.role} message may hold only {' and '.join(sorted(allowed))} blocks, got {', '.join(wrong)}; "
                "use role 'assistant' for the others"
            )
        return self

    def get_text_content(self, separator: str = "\n") -> str | None:
        """The top-level text blocks joined by `separator`; None if there is none."""
        texts = [block.text for block in self.content if block.type == "text"]
        return separator.join(texts) if texts else None

    def get_content_blocks(self, block_type: BlockTypes = None) -> list[ContentBlock]:
        """Blocks of the given type or types; None gives the live `content` list itself."""
        if block_type is None:
            return self.content
        wanted = {block_type} if isinstance(block_type, str) else set(block_type)
        return [block for block in self.content if block.type in wanted]

    def has_content_blocks(self, block_type: BlockTypes = None) -> bool:
        """Whether there is any block (of the given type or types)."""
        return bool(self.get_content_blocks(block_type))

    def append_event(self, event: AgentEvent) -> Self:
        """Fold one event into this message and return it; see `nb_agentscope.stream.append_event`."""
        _append_event()(self, event)
        return self

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from nb_agentscope.render import msg_bundle

        return msg_bundle(self)

    def append_usage(self, usage: Usage) -> Self:
        """Add token counts: the first call keeps a copy, later ones add all four numbers."""
        if self.usage is None:
            self.usage = usage.model_copy()
            return self
        for field in Usage.model_fields:
            setattr(self.usage, field, getattr(self.usage, field) + getattr(usage, field))
        return self
