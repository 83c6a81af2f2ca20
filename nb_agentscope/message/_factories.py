"""Short ways to make messages; functions, so there is no isinstance with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nb_agentscope._common import new_id, now
from nb_agentscope.message._block import ContentBlock, TextBlock
from nb_agentscope.message._enums import ReplyFinishedReason
from nb_agentscope.message._msg import Msg, Role
from nb_agentscope.message._usage import Usage

Content = str | Sequence[ContentBlock]


def _blocks(content: Content) -> list[ContentBlock]:
    return [TextBlock(text=content)] if isinstance(content, str) else list(content)


def _input_msg(
    role: Role,
    name: str,
    content: Content,
    metadata: dict[str, Any] | None,
    created_at: str | None,
    finished_at: str | None,
    finished_reason: ReplyFinishedReason | None,
    id: str | None,
) -> Msg:
    created = created_at or now()
    return Msg(
        name=name,
        content=_blocks(content),
        role=role,
        id=id or new_id(),
        metadata=metadata or {},
        created_at=created,
        finished_at=finished_at or created,
        finished_reason=finished_reason,
    )


def UserMsg(  # noqa: N802 - the name AgentScope users know
    name: str,
    content: Content,
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    finished_reason: ReplyFinishedReason | None = None,
    id: str | None = None,
) -> Msg:
    """A message of the user: text (a str becomes one text block) and data blocks; finished when it was created."""
    return _input_msg("user", name, content, metadata, created_at, finished_at, finished_reason, id)


def SystemMsg(  # noqa: N802 - the name AgentScope users know
    name: str,
    content: Content,
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    finished_reason: ReplyFinishedReason | None = None,
    id: str | None = None,
) -> Msg:
    """A message of the system: text only; finished when it was created."""
    return _input_msg("system", name, content, metadata, created_at, finished_at, finished_reason, id)


def AssistantMsg(  # noqa: N802 - the name AgentScope users know
    name: str,
    content: Content,
    metadata: dict[str, Any] | None = None,
    created_at: str | None = None,
    finished_at: str | None = None,
    finished_reason: ReplyFinishedReason | None = None,
    structured_output: dict[str, Any] | None = None,
    id: str | None = None,
    usage: Usage | None = None,
) -> Msg:
    """A message of an agent, with any blocks; not finished unless `finished_at` is given."""
    return Msg(
        name=name,
        content=_blocks(content),
        role="assistant",
        id=id or new_id(),
        metadata=metadata or {},
        created_at=created_at or now(),
        usage=usage,
        finished_at=finished_at,
        finished_reason=finished_reason,
        structured_output=structured_output,
    )
