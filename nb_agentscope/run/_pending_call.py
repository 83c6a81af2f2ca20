"""One call that waits, as views and policies see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from nb_agentscope._arguments import runnable_input
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.permission import PermissionRule
from nb_agentscope.run._digest import call_digest
from nb_agentscope.stream import Lane

Kind = Literal["confirm", "external"]


class PendingCall(BaseModel):
    """One call that waits for a decision (`confirm`) or for a result from outside (`external`)."""

    model_config = ConfigDict(frozen=True)

    reply_id: str
    tool_call_id: str
    source: str | None = None
    """Path of the sub-agent that calls, e.g. `assistant/researcher`; None for the run's own agent."""
    name: str
    """Name of the tool."""
    input: str
    """The input string that will run; empty for a call without arguments."""
    digest: str
    """Binds a decision to this call; see `call_digest`."""
    kind: Kind
    repaired: bool
    """Whether `input` is a repair of the model's arguments: they were no JSON, or did not fit the tool's schema."""
    suggested_rules: tuple[PermissionRule, ...] = ()
    asked_at: str | None = None
    """ISO 8601."""


def pending_call(
    reply_id: str,
    block: ToolCallBlock,
    kind: Kind,
    schema: Mapping[str, Any] | None,
    occurrence: int,
    asked_at: str | None,
    lane: Lane | None,
) -> PendingCall:
    """The call that an agent asks about.

    Args:
        reply_id: The reply that asks.
        block: The call as the model made it.
        kind: What it waits for.
        schema: Of the tool's arguments, if known.
        occurrence: How many times its reply has asked under this id, this time included.
        asked_at: ISO 8601.
        lane: The sub-agent that asks, if it is one.
    """
    text, repaired = runnable_input(block.input, schema)
    # The same call asked again is another question: what was clicked for the first must not answer the second.
    shown_id = block.id if occurrence == 1 else f"{block.id}#{occurrence}"
    return PendingCall(
        reply_id=reply_id,
        tool_call_id=block.id,
        source=None if lane is None else lane.source,
        name=block.name,
        input=text,
        digest=call_digest(reply_id, shown_id, block.name, text),
        kind=kind,
        repaired=repaired,
        suggested_rules=tuple(block.suggested_rules),
        asked_at=asked_at,
    )
