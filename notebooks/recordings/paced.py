"""A chat model for our `Agent` that reads from a script, at the pace of a real one: no key, no network.

It counts tokens as a service does: all of the conversation as input, and with a cache what it has seen before as cached input,
which is a part of the input ("inclusive"). The first token comes the later, the more input no cache holds.
"""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope.message import Msg, Usage
from nb_agentscope.model import CallDelta, ChatChunk, ToolSpec

_CHARS_PER_TOKEN = 4
_CACHED_IN = 128
"""Tokens: services cache prompts in pieces of this size."""
_WORDS = re.compile(r"\s*\S+\s*")


@dataclass(frozen=True)
class Think:
    """Thoughts, streamed word by word."""

    text: str


@dataclass(frozen=True)
class Call:
    """A tool call; its arguments are streamed as JSON fragments."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


Item = str | Think | Call | Exception
"""Text, a thought, a call, or what is raised at this place."""


@dataclass(frozen=True)
class Pace:
    """How fast a model is."""

    base_s: float
    """Seconds to the first token without any input."""
    input_tps: float
    """Tokens per second that it reads, if no cache holds them."""
    output_tps: float
    """Tokens per second that it writes."""


class PacedModel:
    """Answers each call with the next turn of the script.

    Args:
        name: As it appears in events and tables.
        pace: How fast it is.
        turns: One list of items for each call.
        cached: Whether a cache holds the system prompt, and then each prompt of before.
        seed: Of the small differences in pace.
    """

    def __init__(self, name: str, pace: Pace, turns: Sequence[Sequence[Item]], *, cached: bool, seed: int) -> None:
        self.name = name
        self._pace = pace
        self._turns = iter(turns)
        self._cached = cached
        self._seen = 0
        self._calls = 0
        self._random = random.Random(seed)  # noqa: S311 - pauses are no secret

    async def stream(
        self, messages: Sequence[Msg], tools: Sequence[ToolSpec] = (), *, tool_choice: str = "auto"
    ) -> AsyncIterator[ChatChunk]:
        """The next turn, word by word."""
        told, read = _tokens(messages, tools), self._from_cache(messages, tools)
        await self._wait(self._pace.base_s + (told - read) / self._pace.input_tps)
        said = 0
        for item in next(self._turns):
            if isinstance(item, Exception):
                raise item
            for text, chunk in self._chunks(item):
                tokens = max(1, round(len(text) / _CHARS_PER_TOKEN))
                yield chunk
                await self._wait(tokens / self._pace.output_tps)
                said += tokens
        usage = Usage(input_tokens=told, output_tokens=said, cache_input_tokens=read)
        yield ChatChunk(usage=usage, finish="stop")

    def _from_cache(self, messages: Sequence[Msg], tools: Sequence[ToolSpec]) -> int:
        known = max(self._seen, _tokens(messages[:1], tools)) // _CACHED_IN * _CACHED_IN
        self._seen = _tokens(messages, tools)
        return known if self._cached else 0

    def _chunks(self, item: str | Think | Call) -> Iterator[tuple[str, ChatChunk]]:
        if isinstance(item, Call):
            self._calls += 1
            made = f"{self.name}-{self._calls}"
            for text in _WORDS.findall(json.dumps(item.arguments)):
                yield text, ChatChunk(calls=[CallDelta(made, item.name, text)])
        elif isinstance(item, Think):
            yield from ((text, ChatChunk(thinking=text)) for text in _WORDS.findall(item.text))
        else:
            yield from ((text, ChatChunk(text=text)) for text in _WORDS.findall(item))

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self._random.uniform(0.8, 1.25))


def _tokens(messages: Sequence[Msg], tools: Sequence[ToolSpec]) -> int:
    """About as many as a service would count."""
    said = sum(len(block.model_dump_json(include=_SAID)) for message in messages for block in message.content)
    return (said + sum(len(json.dumps(tool.parameters)) + len(tool.description) for tool in tools)) // _CHARS_PER_TOKEN


_SAID = {"text", "thinking", "name", "input", "output"}
