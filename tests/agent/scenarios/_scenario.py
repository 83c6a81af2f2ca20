"""A scenario: what was given to the agent when a stream was recorded, written for our own agent."""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import Base64Source, DataBlock, Usage
from nb_agentscope.model import CallDelta, ChatChunk

Answer = list[Any]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """The agent's side; the inputs of each run stand in the recording's `meta.json` and its client events."""

    script: list[Answer]
    """One answer for each model call."""
    tools: Sequence[Any] = ()
    options: dict[str, Any] = field(default_factory=dict)
    """More arguments of the agent."""
    structured_schema: Any = None
    cancel_after: str | None = None
    """The task is cancelled as soon as it has received this delta; a model says no more after it."""


BUILDERS: dict[str, Callable[[], Scenario]] = {}


def scenario(build: Callable[[], Scenario]) -> Callable[[], Scenario]:
    """Register a builder under its name; its docstring is the description in the recording's `meta.json`."""
    BUILDERS[build.__name__] = build
    return build


def says(*pieces: str, usage: tuple[int, ...] | None = None) -> Answer:
    """An answer of text, one chunk a piece."""
    return [*(ChatChunk(text=piece) for piece in pieces), *used(usage)]


def calls(id: str, name: str, *pieces: str, usage: tuple[int, ...] | None = None) -> Answer:
    """An answer of one tool call, its arguments in pieces."""
    return [*(ChatChunk(calls=[CallDelta(id, name, piece)]) for piece in pieces), *used(usage)]


def calls_at_once(*whole: tuple[str, str, str], usage: tuple[int, ...] | None = None) -> Answer:
    """An answer of several whole tool calls in one chunk."""
    return [ChatChunk(calls=[CallDelta(*call) for call in whole]), *used(usage)]


def used(usage: tuple[int, ...] | None) -> list[Usage]:
    """The tokens: input, output, read from a cache, written to it."""
    names = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")
    return [Usage(**dict(zip(names, usage, strict=False)))] if usage else []


def data(id: str, content: bytes, media_type: str, name: str | None = None) -> DataBlock:
    """A piece of a data block."""
    source = Base64Source(data=base64.b64encode(content).decode(), media_type=media_type)
    return DataBlock(id=id, source=source, name=name)
