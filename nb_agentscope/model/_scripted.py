"""A chat model that reads its answers from a script: no key, no network."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nb_agentscope._common import check_count, check_wait, short_repr
from nb_agentscope.message import (
    ContentBlock,
    DataBlock,
    Msg,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolCallState,
    Usage,
)
from nb_agentscope.model._chat import CallDelta, ChatChunk, ToolChoice, ToolSpec

Item = (
    str
    | TextBlock
    | ThinkingBlock
    | ToolCallBlock
    | DataBlock
    | Usage
    | ChatChunk
    | BaseException
    | type[BaseException]
)
"""One thing that a scripted answer says; an exception is raised at its place."""
Answer = Item | Sequence[Item]
"""What one model call gives."""
Script = Sequence[Answer] | Callable[[Sequence[Msg], Sequence[ToolSpec]], Answer | Awaitable[Answer]]
"""One answer for each model call, or a function of messages and tools that gives it."""

_ITEMS = (str, TextBlock, ThinkingBlock, ToolCallBlock, DataBlock, Usage, ChatChunk, BaseException)


class ScriptedCall(NamedTuple):
    """One call that a scripted model has seen."""

    messages: list[Msg]
    """Copies: what the agent changes later does not show here."""
    tools: list[ToolSpec]
    tool_choice: ToolChoice


class ScriptedModel:
    """A chat model whose answers are written down beforehand, streamed as a real one would.

    Neighbouring texts (or thoughts) of an answer go on in the same block; put an empty `ChatChunk()` between them for two.
    A call that failed has used its answer up: a retry takes the next one.

    Attributes:
        name: As it appears in events and tables.
        calls: What the model was asked so far.
    """

    def __init__(
        self, script: Script, *, name: str = "scripted", chunk_size: int | None = 8, delay: float = 0.0
    ) -> None:
        """Write the script.

        Args:
            script: A list with one answer for each call, or a function (also async) of messages and tools that gives the
                answer. An answer is one item or a list of them: str, TextBlock, ThinkingBlock, ToolCallBlock, DataBlock,
                Usage (goes on the last chunk), ChatChunk (as it is), an exception or its class (raised at this place).
            name: The model's name.
            chunk_size: Characters of text, thought or arguments in one chunk; None or 0 gives each item whole. Images and
                sound always come whole.
            delay: Seconds before each chunk.

        Raises:
            TypeError: The script holds something that no model says, or another argument is of the wrong kind.
            ValueError: `chunk_size` or `delay` is negative, or `delay` is not finite.
        """
        if not isinstance(name, str):
            raise TypeError(f"The name of a model is text, got {short_repr(name)}.")
        if chunk_size is not None:
            check_count("chunk_size", chunk_size, 0)
        check_wait("delay", delay)
        if isinstance(script, _ITEMS) or not (callable(script) or isinstance(script, Sequence)):
            raise TypeError(
                f"A script is a list with one answer for each call, or a function; got {short_repr(script)}: "
                "put a single answer into a list."
            )
        self.name = name
        self.calls: list[ScriptedCall] = []
        self._script = script if callable(script) else [_items(answer) for answer in script]
        self._chunk_size = chunk_size or 0
        self._delay = delay

    def __repr__(self) -> str:
        answers = "a function" if callable(self._script) else f"{len(self._script)} answers"
        return f"ScriptedModel({answers}, name={self.name!r}, calls={len(self.calls)})"

    async def stream(
        self, messages: Sequence[Msg], tools: Sequence[ToolSpec] = (), *, tool_choice: ToolChoice = "auto"
    ) -> AsyncIterator[ChatChunk]:
        """Give the next answer of the script, in chunks.

        Args:
            messages: Remembered, and given to a script that is a function.
            tools: As `messages`.
            tool_choice: Remembered; the script says what it says.

        Raises:
            RuntimeError: The script has no answer left.
            TypeError: The function gave something that no model says.
        """
        self.calls.append(ScriptedCall([_copied(message) for message in messages], list(tools), tool_choice))
        for chunk in _chunks(await self._answer(messages, tools), self._chunk_size):
            await asyncio.sleep(self._delay)
            if isinstance(chunk, ChatChunk):
                yield chunk
            else:
                raise chunk

    async def _answer(self, messages: Sequence[Msg], tools: Sequence[ToolSpec]) -> list[Item]:
        if callable(self._script):
            answer = self._script(messages, tools)
            return _items(await answer if inspect.isawaitable(answer) else answer)
        number, length = len(self.calls), len(self._script)
        if number > length:
            raise RuntimeError(
                f"The script of {self.name!r} has {length} answer{'' if length == 1 else 's'}, and this is call {number}: "
                "add an answer, or give a function."
            )
        return self._script[number - 1]


def _copied(message: Msg) -> Msg:
    """A copy that stays as it is: what has ended cannot change, so only what has not is copied."""
    blocks = [block if _is_settled(block) else block.model_copy(deep=True) for block in message.content]
    return message.model_copy(update={"content": blocks})


def _is_settled(block: ContentBlock) -> bool:
    """A call may wait, run and be answered after its arguments have ended."""
    return block.finished_at is not None and (block.type != "tool_call" or block.state == ToolCallState.FINISHED)


def _is_item(value: object) -> bool:
    return isinstance(value, _ITEMS) or (isinstance(value, type) and issubclass(value, BaseException))


def _items(answer: object) -> list[Item]:
    """The items of an answer, all of a kind that a model can say."""
    items: list[Any] = [answer] if _is_item(answer) or not isinstance(answer, Sequence) else list(answer)
    for item in items:
        if not _is_item(item):
            raise TypeError(
                f"A scripted answer holds str, text, thinking, tool call and data blocks, Usage, ChatChunk and exceptions; "
                f"got {short_repr(item)}."
            )
    return items


def _chunks(items: list[Item], size: int) -> Iterator[ChatChunk | BaseException | type[BaseException]]:
    """The answer as a stream; it ends with a chunk that says why, unless the script's own chunk did."""
    usage: Usage | None = None
    finished = False
    for item in items:
        if isinstance(item, Usage):
            usage = item
        elif isinstance(item, ChatChunk):
            finished = finished or item.finish is not None
            yield item
        else:
            yield from _said(item, size)
    if usage is not None or not finished:
        called = any(isinstance(item, ToolCallBlock) or (isinstance(item, ChatChunk) and item.calls) for item in items)
        yield ChatChunk(usage=usage, finish="tool_calls" if called else "stop")


def _said(
    item: str | TextBlock | ThinkingBlock | ToolCallBlock | DataBlock | BaseException | type[BaseException], size: int
) -> Iterator[ChatChunk | BaseException | type[BaseException]]:
    match item:
        case str():
            yield from (ChatChunk(text=piece) for piece in _pieces(item, size))
        case TextBlock():
            yield from (ChatChunk(text=piece) for piece in _pieces(item.text, size))
        case ThinkingBlock():
            yield from (ChatChunk(thinking=piece) for piece in _pieces(item.thinking, size))
        case ToolCallBlock():
            for piece in _pieces(item.input, size):
                yield ChatChunk(calls=(CallDelta(item.id, item.name, piece),))
        case DataBlock():
            yield ChatChunk(data=(item,))
        case _:
            yield item


def _pieces(text: str, size: int) -> list[str]:
    """The text in pieces of `size` characters; at least one, so that an empty call is a call."""
    if not size or not text:
        return [text]
    return [text[start : start + size] for start in range(0, len(text), size)]
