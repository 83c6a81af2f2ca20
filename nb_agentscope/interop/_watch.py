"""Models whose calls are logged: each try and each call without events, as CUSTOM events of the run that they happen in."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, TypeVar, cast

from nb_agentscope._common import short_repr
from nb_agentscope.stream import ObservedCall, begin_call

M = TypeVar("M")


def watch_model(model: M) -> M:
    """The same model, each of whose calls is logged by the run in whose context it is made.

    Give it to the agent in place of the model: `Agent(..., model=watch_model(model))`, or for one of AgentScope's that is there
    already `agent.model = watch_model(agent.model)`; a fallback is a model of its own. It has the attributes of the model and
    shares them; the model itself is not changed. Then `model_calls_df` has `attempts`, and a row of kind "hidden" for each call
    that has no events, as when AgentScope compresses its context. Outside of a run it does nothing; so it does in threads that do
    not take over the context of the run, as those of `asyncio.to_thread` do.

    Of AgentScope's models, what goes through `_call_api` is seen; retries inside a provider's own client are not.

    Args:
        model: A chat model of AgentScope, or an object with a name and a method `stream(messages, tools, *, tool_choice)`.

    Raises:
        TypeError: It is neither; or its `_call_api` is not that of its class.
    """
    if isinstance(model, type):
        raise TypeError(f"A model is an object, got the class {model.__name__}: make one, {model.__name__}(...).")
    if isinstance(model, WatchedModel) or hasattr(model, "_nb_agentscope_watched"):
        return model
    if callable(getattr(model, "_call_api", None)) and hasattr(model, "__dict__"):
        if "_call_api" in model.__dict__:
            raise TypeError(
                "The _call_api of this model is one of the object alone, so that its calls cannot be seen; give it a class."
            )
        made = _unfilled(type(model))
        made.__dict__ = model.__dict__
        return cast("M", made)
    if isinstance(getattr(model, "name", None), str) and callable(getattr(model, "stream", None)):
        return cast("M", WatchedModel(model))
    raise TypeError(
        f"Only a chat model of AgentScope, or one with a name and a method stream(messages, tools, *, tool_choice), "
        f"can be watched; got {short_repr(model)}."
    )


class WatchedModel:
    """A model of ours that is watched; all but `stream` is the model's own."""

    _model: Any

    def __init__(self, model: Any) -> None:
        object.__setattr__(self, "_model", model)

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self._model.name)

    def __getattr__(self, name: str) -> Any:
        if name == "_model":  # a copy that is being made has none yet
            raise AttributeError(name)
        return getattr(self._model, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._model, name, value)

    def __repr__(self) -> str:
        return f"watch_model({self._model!r})"

    def stream(self, *args: Any, **options: Any) -> Any:
        """The model's stream."""
        call = begin_call(self.name)
        try:
            chunks = self._model.stream(*args, **options)
        except Exception as error:
            if call is not None:
                call.end(error=error)
            raise
        return chunks if call is None or not hasattr(chunks, "__aiter__") else _told(chunks, call)


@cache
def _watched_class(base: Any) -> Any:
    """The class of a model of AgentScope that is watched; as it is one of theirs, all their checks hold."""

    class Watched(base):  # type: ignore[misc]
        _nb_agentscope_watched = True

        async def _call_api(self, *args: Any, **options: Any) -> Any:
            name = args[0] if args else options.get("model_name", self.model)
            call = begin_call(str(name))
            if call is None:
                return await super()._call_api(*args, **options)
            try:
                answer = await super()._call_api(*args, **options)
            except BaseException as error:
                _failed(call, error)
                raise
            if hasattr(answer, "__aiter__"):
                return _told(answer, call)
            call.end(getattr(answer, "usage", None))
            return answer

        def __reduce__(self) -> Any:
            return _unfilled, (base,), self.__getstate__()  # by its name, pickle would find the class of the model

    Watched.__name__, Watched.__qualname__ = base.__name__, base.__qualname__
    Watched.__module__, Watched.__doc__ = base.__module__, base.__doc__
    return Watched


def _unfilled(base: Any) -> Any:
    """A watched model of this class, without attributes."""
    return object.__new__(_watched_class(base))


async def _told(chunks: Any, call: ObservedCall) -> AsyncIterator[Any]:
    """The chunks as they are, and the end of the call."""
    usage = None
    try:
        async for chunk in chunks:
            usage = getattr(chunk, "usage", None) or usage
            if getattr(chunk, "is_last", False):  # nobody need ask for more
                call.end(usage)
            yield chunk
        call.end(usage)
    except BaseException as error:
        _failed(call, error, usage)
        raise
    finally:
        if hasattr(chunks, "aclose"):
            await chunks.aclose()


def _failed(call: ObservedCall, error: BaseException, usage: Any = None) -> None:
    stopped = isinstance(error, CancelledError | GeneratorExit)
    call.end(usage, None if stopped else error, interrupted=stopped)
