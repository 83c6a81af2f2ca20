"""Running a function of any kind as one stream of chunks."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import Any

from nb_agentscope.tools._chunk import ToolChunk
from nb_agentscope.tools._thread import in_thread
from nb_agentscope.tools._value import to_chunk


async def call(
    function: Callable[..., Any], arguments: Mapping[str, Any], thread_name: str
) -> AsyncGenerator[ToolChunk]:
    """What a function gives: an async one runs here, a plain one, and a plain generator, in a thread.

    Args:
        function: Plain or async, a generator or not.
        arguments: By name.
        thread_name: For the thread, if there is one.
    """
    if _is_async(function):
        async with aclosing(_given(function(**arguments), thread_name)) as chunks:
            async for chunk in chunks:
                yield chunk
        return
    async with aclosing(in_thread(lambda: _called(function, arguments), thread_name)) as given:
        async for item in given:
            if isinstance(item, ToolChunk):
                yield item
                continue
            async with aclosing(_given(item.value, thread_name)) as chunks:
                async for chunk in chunks:
                    yield chunk


@dataclass(frozen=True)
class _Later:
    """Something that only an event loop can finish."""

    value: Any


def _is_async(function: Callable[..., Any]) -> bool:
    """Whether calling it only makes something for the loop; the type's `__call__` is asked for objects that can be called."""
    parts = (function, type(function).__call__)
    return any(inspect.iscoroutinefunction(part) or inspect.isasyncgenfunction(part) for part in parts)


def _called(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Generator[ToolChunk | _Later]:
    value = function(**arguments)
    if inspect.isawaitable(value) or inspect.isasyncgen(value):
        yield _Later(value)
    elif inspect.isgenerator(value):
        yield from _pulled(value)
    else:
        yield to_chunk(value)


def _pulled(generator: Generator[Any, Any, Any]) -> Generator[ToolChunk]:
    """Each item as a chunk, and what the generator returns as the last one."""
    with closing(generator):
        while True:
            try:
                item = next(generator)
            except StopIteration as stop:
                if stop.value is not None:
                    yield to_chunk(stop.value)
                return
            yield to_chunk(item)


async def _given(value: Any, thread_name: str) -> AsyncGenerator[ToolChunk]:
    """The chunks of what an async function gave."""
    while inspect.isawaitable(value):
        value = await value
    if inspect.isasyncgen(value):
        async with aclosing(value):
            async for item in value:
                yield to_chunk(item)
    elif inspect.isgenerator(value):
        async with aclosing(in_thread(lambda: _pulled(value), thread_name)) as chunks:
            async for chunk in chunks:
                yield chunk
    else:
        yield to_chunk(value)
