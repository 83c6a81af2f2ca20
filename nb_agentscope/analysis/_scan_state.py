"""What is known of a reply and its parts while a log is read."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, Literal

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._tokens import Tokens

_UNKNOWN = Tokens()
BlockKind = Literal["text", "thinking", "tool_call", "tool_result", "data", "hint"]


@dataclass(slots=True, eq=False)
class Block:
    """One block of a message: measured, not kept."""

    kind: BlockKind
    id: str
    order: int
    seq: int
    start: Stamp | None
    end: Stamp | None = None
    n_deltas: int = 0
    chars: int = 0
    bytes: int = 0
    media_type: str | None = None
    source: str | None = None
    texts: list[str] | None = None
    call: ModelCall | None = None
    """The model call that makes it."""
    first: Stamp | None = None
    tool: ToolCall | None = None
    """The tool call whose arguments or result it is."""
    images: set[str] | None = None

    def add(self, texts: list[str], n: int) -> None:
        """Take in the texts of n deltas."""
        self.n_deltas += n
        self.chars += sum(map(len, texts))
        if self.texts is not None:
            self.texts += texts

    @property
    def text(self) -> str | None:
        """Its text; None if that was not kept."""
        return None if self.texts is None else "".join(self.texts)


@dataclass(slots=True, eq=False)
class ModelCall:
    """One call of the model."""

    reply: Reply
    index: int
    seq: int
    model: str | None
    start: Stamp | None
    end: Stamp | None = None
    status: str = "open"
    tokens: Tokens = _UNKNOWN
    first: Stamp | None = None
    first_kind: str | None = None
    times: array[float] = field(default_factory=lambda: array("d"))
    joined: int = 0
    """Deltas that are joined to others, whose times are thus not in `times`."""
    last: tuple[int, float] | None = None
    """In a log with joined deltas: seq and time of the newest."""
    blocks: list[Block] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Reply and number."""
        return f"{self.reply.id}:{self.index}"


@dataclass(slots=True, eq=False)
class Ask:
    """One question about a call to somebody outside."""

    kind: str
    tool: ToolCall
    seq: int
    asked: Stamp
    batch_id: str | None
    input: str | None
    offered: int
    decision: str = "pending"
    decided: Stamp | None = None
    by: str | None = None
    shown: str | None = None
    """The repaired input that was shown, if it was one."""
    after: str | None = None
    rules: list[Any] | None = None
    note: str | None = None
    ignored: int = 0

    @property
    def is_open(self) -> bool:
        """Whether nothing was decided."""
        return self.decision == "pending"


@dataclass(slots=True, eq=False)
class ToolCall:
    """One tool call; what its blocks know is there."""

    reply: Reply
    id: str
    occurrence: int
    seq: int
    name: str | None = None
    args: Block | None = None
    result: Block | None = None
    state: str | None = None
    subagent: bool = False
    asks: list[Ask] = field(default_factory=list)
    rule: str | None = None
    """Rules that were accepted with its approval."""
    accepted: str | None = None
    """Rule that was accepted for all calls of the tool before it ran, if nobody was asked about it."""

    @property
    def ended(self) -> bool:
        """Whether it has its result."""
        return self.state is not None

    @property
    def kind(self) -> str | None:
        """Who runs it; None if it has not begun."""
        if any(ask.kind != "confirm" for ask in self.asks):
            return "external"
        if self.subagent:
            return "subagent"
        return "local" if self.result is not None else None


@dataclass(slots=True, eq=False)
class Reply:
    """One reply of an agent or a sub-agent."""

    id: str
    seq: int
    source: str | None = None
    parent: Reply | None = None
    parent_reply_id: str | None = None
    parent_tool_call_id: str | None = None
    depth: int = 0
    session_id: str | None = None
    agent: str | None = None
    role: str | None = None
    start: Stamp | None = None
    end: Stamp | None = None
    last_t: float | None = None
    """Place of its newest event, or its sub-agents'."""
    joined_until: int = -1
    """Seq of the newest delta that was joined to an earlier one."""
    finished_reason: str | None = None
    error_type: str | None = None
    error_message: str | None = None
    segments: int = 1
    answered: bool = False
    """Whether somebody outside has answered and the agent has not said anything since."""
    waits: bool = False
    """Whether it has no end because somebody outside, or its sub-agent, was asked."""
    input_t: float | None = None
    first_text: Stamp | None = None
    calls: list[ModelCall] = field(default_factory=list)
    call: ModelCall | None = None
    """The one that goes on."""
    tools: list[ToolCall] = field(default_factory=list)
    by_id: dict[str, list[ToolCall]] = field(default_factory=dict)
    newest: dict[tuple[str, str], Block] = field(default_factory=dict)
    """The newest block of each kind and id."""
    blocks: list[Block] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    batch_id: str | None = None
