"""What a reply asks of people and programs outside, and their answers."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from nb_agentscope.event._base import EventBase, EventType
from nb_agentscope.message import PermissionRule, ToolCallBlock, ToolResultBlock


class RequireUserConfirmEvent(EventBase):
    """A person must decide on these calls before they run."""

    type: Literal[EventType.REQUIRE_USER_CONFIRM] = EventType.REQUIRE_USER_CONFIRM
    reply_id: str
    tool_calls: list[ToolCallBlock]


class RequireExternalExecutionEvent(EventBase):
    """Someone outside the agent must run these calls and give their results."""

    type: Literal[EventType.REQUIRE_EXTERNAL_EXECUTION] = EventType.REQUIRE_EXTERNAL_EXECUTION
    reply_id: str
    tool_calls: list[ToolCallBlock]


class ConfirmResult(BaseModel):
    """The decision on one call."""

    confirmed: bool
    """True to run it, False to deny it."""
    tool_call: ToolCallBlock
    """The call as it is to run; its name and input replace the asked ones."""
    rules: list[PermissionRule] | None = None
    """Rules accepted together with the approval."""


class UserConfirmResultEvent(EventBase):
    """Decisions of a person, handed to the agent."""

    type: Literal[EventType.USER_CONFIRM_RESULT] = EventType.USER_CONFIRM_RESULT
    reply_id: str
    confirm_results: list[ConfirmResult]


class ExternalExecutionResultEvent(EventBase):
    """Results of external calls, handed to the agent."""

    type: Literal[EventType.EXTERNAL_EXECUTION_RESULT] = EventType.EXTERNAL_EXECUTION_RESULT
    reply_id: str
    execution_results: list[ToolResultBlock]


class UserInterruptEvent(EventBase):
    """A person ends a parked reply."""

    type: Literal[EventType.USER_INTERRUPT] = EventType.USER_INTERRUPT
    reply_id: str
