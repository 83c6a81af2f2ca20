"""Every message between kernel and browser, version 1; `seq` counts records of the log, `n` counts messages to the browser."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    StrictBool,
    StrictStr,
    TypeAdapter,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from nb_agentscope.event import AgentEvent
from nb_agentscope.message import Msg
from nb_agentscope.permission import PermissionRule
from nb_agentscope.run import Status
from nb_agentscope.stream import By, Direction

VERSION = 1


class _DumpOf:
    """Marks a dict as the JSON dump of a type: nothing is checked again, but the schema names the type."""

    def __init__(self, type_: Any) -> None:
        self.type = type_

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(self.type).core_schema)


MsgJson = Annotated[dict[str, Any], _DumpOf(Msg)]
"""A dumped message; bytes that were left out are counted in its sources' `withheld`."""
EventJson = Annotated[dict[str, Any], _DumpOf(AgentEvent)]
"""A dumped event, with `recorded` unless it is a delta, and `withheld` where bytes were left out."""


class _Message(BaseModel):
    """What all messages share; unknown keys are ignored, so that a newer side may say more."""

    model_config = ConfigDict(extra="ignore", from_attributes=True)

    v: Literal[1] = 1


# ---- browser -> kernel


class Hello(_Message):
    """A view is shown."""

    type: Literal["hello"] = "hello"
    view: StrictStr
    """Random name of the view."""


class Sync(_Message):
    """The browser lost something, or wants to know whether it did."""

    type: Literal["sync"] = "sync"
    have: int = Field(ge=0)
    """The next `seq` that it expects; 0: it has nothing."""


class _Request(_Message):
    """Answered by `ack` or `refused` with the same id."""

    id: StrictStr = Field(min_length=1, max_length=200)
    """Chosen by the browser; the same id is never carried out twice."""


class _AboutCall(_Request):
    reply_id: StrictStr
    tool_call_id: StrictStr
    digest: StrictStr
    """Digest of the call as it was shown; echoed from `Pending.digest`."""


class Decide(_AboutCall):
    """A person approved or denied a call."""

    type: Literal["decide"] = "decide"
    approved: StrictBool
    input: StrictStr | None = None
    """Edited arguments; None: as asked."""
    rules: list[PermissionRule] | None = None
    """Rules accepted with the approval."""
    note: StrictStr | None = None
    """Why it was denied, in the person's words."""


class Result(_AboutCall):
    """A person gave the result of a call that runs outside."""

    type: Literal["result"] = "result"
    output: StrictStr
    state: Literal["success", "error"]


class Shown(_AboutCall):
    """A person can see the card of a call for the first time in this page; the first page counts."""

    type: Literal["shown"] = "shown"


class Stop(_Request):
    """A person pressed Stop."""

    type: Literal["stop"] = "stop"


class Fetch(_Request):
    """The browser wants the bytes of a data block that were withheld; they come as the buffer of the `ack`."""

    type: Literal["fetch"] = "fetch"
    reply_id: StrictStr
    block_id: StrictStr
    tool_call_id: StrictStr | None = None
    """The call whose result holds the block; None: it is a block of the message itself."""


ClientMessage = Annotated[Hello | Sync | Decide | Result | Shown | Stop | Fetch, Discriminator("type")]

# ---- kernel -> browser


class Recorded(BaseModel):
    """When and on whose behalf an event was logged."""

    seq: int
    at: str | None = None
    """UTC, ISO 8601; None in streams that were recorded elsewhere."""
    mono: float | None = None
    """Seconds of a monotonic clock."""
    dir: Direction
    """Out of the agent, or in from outside."""
    by: By | None = None
    """Who decided, for decisions."""


class Pending(BaseModel):
    """A call that waits for a person."""

    model_config = ConfigDict(from_attributes=True)

    reply_id: str
    tool_call_id: str
    name: str
    input: str
    """Exactly what will run."""
    digest: str
    """Binds a decision to this call and this input."""
    kind: Literal["confirm", "external"]
    repaired: bool = False
    """The model's arguments were not valid JSON and were repaired."""
    suggested_rules: list[PermissionRule] = Field(default_factory=list)
    asked_at: str | None = None
    source: str | None = None
    """Path of the sub-agent that calls; None for the run's own agent."""


class Earlier(BaseModel):
    """The decision that came first."""

    model_config = ConfigDict(from_attributes=True)

    decision: str
    by: str | None = None
    at: str | None = None


class LaneState(BaseModel):
    """One sub-agent, folded."""

    source: str
    """Path of names."""
    parent_reply_id: str | None
    parent_tool_call_id: str | None
    msgs: list[MsgJson]
    progress: dict[str, Any]


class Snapshot(_Message):
    """Everything up to `seq`, folded; may be applied at any time and any number of times."""

    type: Literal["snapshot"] = "snapshot"
    n: int = 0
    seq: int
    msgs: list[MsgJson]
    progress: dict[str, Any]
    status: Status
    pending: list[Pending]
    elapsed_s: float
    live: bool
    """False: nothing can be decided or stopped here (a loaded log)."""
    lanes: list[LaneState] = Field(default_factory=list)
    """Sub-agents, in the order of their first events."""


class Batch(_Message):
    """The events of the records `seq0` to `seq1` (exclusive), tidied, neighbouring deltas joined."""

    type: Literal["batch"] = "batch"
    n: int = 0
    seq0: int
    seq1: int
    events: list[EventJson]
    status: Status
    pending: list[Pending] | None = None
    """None: unchanged."""
    elapsed_s: float


class Ack(_Message):
    """Yes to the request `id`; to a sync (id "") that nothing is missing."""

    type: Literal["ack"] = "ack"
    n: int = 0
    id: str
    media_type: str | None = None
    """Of the buffer, for `fetch`."""


class Refused(_Message):
    """No to the request `id`, and why in one sentence."""

    type: Literal["refused"] = "refused"
    n: int = 0
    id: str
    reason: str
    earlier: Earlier | None = None


ServerMessage = Annotated[Snapshot | Batch | Ack | Refused, Discriminator("type")]


class Final(BaseModel):
    """The trait `final`, as JSON text: what a view shows when no kernel answers."""

    msgs: list[MsgJson]
    progress: dict[str, Any]
    status: Status
    seq: int
    elapsed_s: float
    lanes: list[LaneState] = Field(default_factory=list)


class Wire(BaseModel):
    """Root of the schema from which the TypeScript types are generated."""

    from_browser: ClientMessage
    from_kernel: ServerMessage
    final: Final
    msg: Msg
    event: AgentEvent
    recorded: Recorded


def seconds(value: float) -> float:
    """A duration as it travels: milliseconds are enough, and it is never negative, infinite or NaN."""
    return round(value, 3) if math.isfinite(value) and value > 0 else 0.0
