"""The content blocks of a message."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from nb_agentscope._common import new_id, now
from nb_agentscope.message._enums import ToolCallState, ToolResultState
from nb_agentscope.message._growing import Growing
from nb_agentscope.message._source import Base64Source, URLSource
from nb_agentscope.permission import PermissionRule


class TextBlock(Growing):
    """Text that the user sees; markdown by convention."""

    growing_field: ClassVar[str] = "text"

    type: Literal["text"] = "text"
    text: str
    """The text so far."""
    id: str = Field(default_factory=new_id)
    created_at: str = Field(default_factory=now)
    finished_at: str | None = None
    """None while it streams."""


class ThinkingBlock(Growing):
    """What the model thought; further fields (e.g. a provider's `signature`) are kept."""

    model_config = ConfigDict(extra="allow")
    growing_field: ClassVar[str] = "thinking"

    type: Literal["thinking"] = "thinking"
    thinking: str
    """The thought so far."""
    id: str = Field(default_factory=new_id)
    created_at: str = Field(default_factory=now)
    finished_at: str | None = None
    """None while it streams."""


class DataBlock(BaseModel):
    """An image, audio, video or any other file."""

    type: Literal["data"] = "data"
    id: str = Field(default_factory=new_id)
    source: Base64Source | URLSource
    """The bytes, or where they are."""
    name: str | None = None
    """File name, if there is one."""
    created_at: str = Field(default_factory=now)
    finished_at: str | None = None
    """None while it streams."""


class HintBlock(BaseModel):
    """Something the agent was told beside the user's messages, e.g. by its runtime or by another agent."""

    type: Literal["hint"] = "hint"
    hint: str | list[TextBlock | DataBlock]
    """The hint itself."""
    id: str = Field(default_factory=new_id)
    source: str | None = None
    """Who gave it; may be JSON text with `label` and `sublabel`."""
    created_at: str = Field(default_factory=now)
    finished_at: str | None = Field(default_factory=now)


class ToolCallBlock(Growing):
    """A tool call of the model; `input` is the raw JSON text of its arguments."""

    growing_field: ClassVar[str] = "input"

    type: Literal["tool_call"] = "tool_call"
    id: str
    """The provider's id of the call."""
    name: str
    """Name of the tool."""
    input: str
    """Arguments as raw JSON text; empty for a call without arguments."""
    state: ToolCallState = ToolCallState.PENDING
    """Where the call stands."""
    suggested_rules: list[PermissionRule] = Field(default_factory=list)
    """Rules a person may accept with an approval."""
    created_at: str = Field(default_factory=now)
    finished_at: str | None = None
    """None while its arguments stream."""


class ToolResultBlock(BaseModel):
    """What a tool call gave; its `id` is the call's."""

    type: Literal["tool_result"] = "tool_result"
    id: str
    """Id of the call."""
    name: str
    """Name of the tool that ran."""
    output: str | list[TextBlock | DataBlock]
    """Text, or text and data in order."""
    state: ToolResultState = ToolResultState.RUNNING
    """Running until it ended."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """The tool's own metadata."""
    created_at: str = Field(default_factory=now)
    finished_at: str | None = None
    """None while it runs."""


ContentBlock = TextBlock | ThinkingBlock | HintBlock | ToolCallBlock | ToolResultBlock | DataBlock
"""Any block; told apart by the literal `type`, and by its fields where an input dict has none."""
