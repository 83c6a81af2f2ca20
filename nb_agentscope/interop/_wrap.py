"""Any object with an async `reply_stream`, as an agent of ours."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

from nb_agentscope.event import AgentEvent
from nb_agentscope.interop._adopt import adopt_msg, adopt_or_keep
from nb_agentscope.interop._agentscope import as_agentscope, is_agentscope, model_name, tool_schemas
from nb_agentscope.run import ClientEvent, Inputs, Run, start

if TYPE_CHECKING:
    from nb_agentscope.widget import AgentWidget


class WrappedAgent:
    """An object with `reply_stream`, whose items are taken over as our events; see `wrap`."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        """The wrapped object."""
        self._hand_over: Callable[[Any], Any] = as_agentscope if is_agentscope(agent) else _as_it_is

    @property
    def name(self) -> str:
        """The object's own name, else that of its class."""
        name = getattr(self.agent, "name", None)
        return name if isinstance(name, str) else type(self.agent).__name__

    def __repr__(self) -> str:
        return f"<WrappedAgent {self.name!r} of {type(self.agent).__name__}>"

    async def reply_stream(self, inputs: Any = None) -> AsyncIterator[AgentEvent]:
        """Our events for what the wrapped object yields; what is no event becomes a CUSTOM event that keeps it."""
        stream = self.agent.reply_stream(self._hand_over(inputs))
        if hasattr(stream, "__await__"):
            stream = await stream
        if not hasattr(stream, "__aiter__"):
            raise TypeError(f"reply_stream must return an async iterator of events, got {type(stream).__name__}.")
        try:
            async for item in stream:
                yield adopt_or_keep(item)
        finally:
            if hasattr(stream, "aclose"):
                await stream.aclose()

    def start(self, msg: str | Any = None, **options: Any) -> Run:
        """Start a reply without a view.

        Args:
            msg: Text, a message or a list of messages (ours, dicts or AgentScope's), a client event for a parked reply, or None.
            **options: Those of `Run`.

        Raises:
            AlreadyRunningError: The object has a live run already.
            TypeError: `msg` or an option is of a wrong kind.
        """
        about = {"model": model_name(self.agent), "tool_schemas": tool_schemas(self.agent), "name": self.name}
        return start(self, _adopt_inputs(msg), owner=self.agent, **about | options)

    def widget(self, msg: str | Any = None, **options: Any) -> AgentWidget:
        """Start a reply and give the widget that shows it; `options` are those of `Run` and of `AgentWidget`."""
        from nb_agentscope.widget import show

        return show(self.start, msg, **options)


def wrap(agent: Any) -> WrappedAgent:
    """Make any object with an async `reply_stream(inputs)` an agent that a notebook can show and steer.

    Its items may be our events, dicts with the same keys, or objects with `model_dump`, AgentScope's events among them; they
    are taken over by value. A real AgentScope agent gets messages and decisions as its own classes.

    Raises:
        TypeError: There is no method `reply_stream`.
    """
    if isinstance(agent, WrappedAgent):
        return agent
    if isinstance(agent, type) or not callable(getattr(agent, "reply_stream", None)):
        what = (
            f"the class {agent.__name__}, make an object of it first"
            if isinstance(agent, type)
            else type(agent).__name__
        )
        raise TypeError(f"wrap needs an object with a method reply_stream(inputs), got {what}.")
    return WrappedAgent(agent)


def _as_it_is(inputs: Any) -> Any:
    return inputs


def _adopt_inputs(inputs: Any) -> str | Inputs:
    if inputs is None or isinstance(inputs, str | ClientEvent):
        return inputs
    if isinstance(inputs, Sequence):
        return [adopt_msg(item) for item in inputs]
    return adopt_msg(inputs)
