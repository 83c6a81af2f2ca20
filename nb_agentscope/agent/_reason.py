"""One model call as events, with its retries."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from nb_agentscope._common import short_repr
from nb_agentscope.agent._chunks import ChunkEvents
from nb_agentscope.agent._pump import Pump
from nb_agentscope.agent._scope import Scope
from nb_agentscope.event import AgentEvent, CustomEvent, ModelCallEndEvent, ModelCallStartEvent
from nb_agentscope.message import DataBlock, Msg, Usage
from nb_agentscope.model import CallDelta, ChatChunk, ChatModel, Finish, ToolChoice, ToolSpec
from nb_agentscope.stream import NOTE_NAME, calls_of, error_info

_NOT_WHOLE: dict[Finish | None, str] = {
    "length": "reached its limit of tokens: the answer is cut off",
    "content_filter": "was stopped by a content filter: the answer, or the rest of it, was withheld",
}
"""What a reader must know of an answer that ended so."""


@dataclass(frozen=True)
class Models:
    """The models that may answer, in the order they are tried."""

    main: ChatModel
    fallback: ChatModel | None = None
    retries: int = 0
    """How many more times the main model is tried, if a call fails before it has said anything."""
    retry_wait_s: float = 1.0
    """Seconds before the first retry; each further one waits twice as long."""

    def attempts(self) -> list[tuple[ChatModel, float]]:
        """Models, each with the seconds to wait before it."""
        again = [(self.main, self.retry_wait_s * 2.0**n) for n in range(self.retries)]
        return [(self.main, 0.0), *again, *([(self.fallback, 0.0)] if self.fallback is not None else [])]


async def reason(
    scope: Scope, models: Models, messages: Sequence[Msg], tools: Sequence[ToolSpec], choice: ToolChoice, grace_s: float
) -> AsyncGenerator[AgentEvent, None]:
    """One round: MODEL_CALL_START, blocks, MODEL_CALL_END.

    Raises:
        Exception: What the last model raised, or one that had begun to answer; blocks may be open then.
    """
    scope.reply.round_start = len(scope.msg.content)
    scope.model_open = True
    yield ModelCallStartEvent(reply_id=scope.reply_id, model_name=models.main.name)
    blocks = ChunkEvents(
        scope.reply_id, {block.id for block in scope.msg.content if block.type in ("tool_call", "data")}
    )
    usage: Usage | None = None
    async with aclosing(_answer(scope.reply_id, models, messages, tools, choice, grace_s)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, CustomEvent):  # between blocks: before the first one, or after the last
                for event in blocks.close():
                    yield event
                yield chunk
                continue
            usage = chunk.usage or usage
            for event in blocks.push(chunk):
                yield event
    for event in blocks.close():
        yield event
    counts = usage.model_dump() if usage is not None else {"input_tokens": 0, "output_tokens": 0}
    scope.model_open = False
    scope.reply.rounds += 1
    yield ModelCallEndEvent(reply_id=scope.reply_id, **counts)


async def _answer(
    reply_id: str,
    models: Models,
    messages: Sequence[Msg],
    tools: Sequence[ToolSpec],
    choice: ToolChoice,
    grace_s: float,
) -> AsyncGenerator[ChatChunk | CustomEvent, None]:
    """The chunks of the first model that answers, a note for each that failed before, and one if the answer is not whole.

    What a watched model tells of a call comes at its end, too.
    """
    attempts = models.attempts()
    for place, (model, wait_s) in enumerate(attempts):
        await asyncio.sleep(wait_s)
        begun, finish = False, None
        failure: BaseException | None = None
        told: list[CustomEvent] = []
        with calls_of(reply_id, "visible", told.append):
            stream = _opened(model, messages, tools, choice)
        pump = Pump([stream], grace_s=grace_s, names=[f"The model {model.name!r}"])
        try:
            async for chunk in pump:
                _check(model, chunk)
                begun, finish = True, chunk.finish or finish
                yield chunk
        except asyncio.CancelledError as error:
            failure = error
            for chunk in await _rest(pump):
                yield chunk
        except Exception as error:  # noqa: BLE001 - raised below, or told in a note
            failure = error
        finally:
            await pump.stop()
        for event in told:
            yield event
        if failure is None:
            if finish in _NOT_WHOLE:
                yield _note(f"The model {model.name!r} {_NOT_WHOLE[finish]}.")
            return
        if begun or place + 1 == len(attempts) or not isinstance(failure, Exception):
            raise failure
        failed, following = error_info(failure).message, attempts[place + 1][0]
        yield _note(f"The model {model.name!r} failed ({failed}); {following.name!r} is tried next.")


async def _rest(pump: Pump[Any]) -> list[ChatChunk]:
    """What a model that is stopped still says; a reply that was stopped is no failure, whatever that is."""
    return [chunk for chunk in await pump.stop() if isinstance(chunk, ChatChunk)]


def _opened(
    model: ChatModel, messages: Sequence[Msg], tools: Sequence[ToolSpec], choice: ToolChoice
) -> AsyncIterator[ChatChunk]:
    """The model's stream; one that fails at once if it gives none."""
    try:
        stream: Any = model.stream(messages, tools, tool_choice=choice)
    except Exception as error:  # noqa: BLE001 - raised by the stream, where it may be tried again
        return _failed(error)
    if isinstance(stream, AsyncIterator):
        return stream
    if isinstance(stream, AsyncIterable):
        return aiter(stream)
    if inspect.iscoroutine(stream):
        stream.close()
    text = f"stream() of the model {model.name!r} must give an async iterator of ChatChunk, got {short_repr(stream)}"
    return _failed(TypeError(f"{text}: write it as an async generator, with yield."))


async def _failed(error: Exception) -> AsyncGenerator[ChatChunk, None]:
    raise error
    yield


def _check(model: ChatModel, chunk: Any) -> None:
    if not isinstance(chunk, ChatChunk):
        raise TypeError(f"The model {model.name!r} gave {short_repr(chunk)}, which is no ChatChunk.")
    if not isinstance(chunk.text or "", str):
        raise _misfit(model, chunk, "text", "str")
    if not isinstance(chunk.thinking or "", str):
        raise _misfit(model, chunk, "thinking", "str")
    for call in chunk.calls:
        if not isinstance(call, CallDelta):
            raise _misfit(model, chunk, "calls", "CallDelta")
    for block in chunk.data:
        if not isinstance(block, DataBlock):
            raise _misfit(model, chunk, "data", "DataBlock")
    if chunk.usage is not None and not isinstance(chunk.usage, Usage):
        raise _misfit(model, chunk, "usage", "Usage")
    if not isinstance(chunk.finish or "", str):
        raise _misfit(model, chunk, "finish", "str")


def _misfit(model: ChatModel, chunk: ChatChunk, field: str, kind: str) -> TypeError:
    return TypeError(f"The model {model.name!r} gave a ChatChunk whose {field} is no {kind}: {short_repr(chunk)}.")


def _note(text: str) -> CustomEvent:
    return CustomEvent(name=NOTE_NAME, value={"text": text})
