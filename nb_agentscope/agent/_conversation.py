"""One call of `reply_stream`: from what was given to the next park or the end, whatever happens."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from nb_agentscope.agent._act import act, cut_off, pumped
from nb_agentscope.agent._context import model_messages
from nb_agentscope.agent._hints import Hint, hint_events
from nb_agentscope.agent._incoming import ClientEvent, apply_decisions
from nb_agentscope.agent._next_action import Act, Finish, Park, Reason, next_action
from nb_agentscope.agent._output import blocks_events, end_event
from nb_agentscope.agent._pump import Pump
from nb_agentscope.agent._reason import Models, reason
from nb_agentscope.agent._scope import Scope
from nb_agentscope.agent._structured import STRUCTURED_TOOL
from nb_agentscope.agent._sub_agent import resume, worker_of
from nb_agentscope.event import (
    AgentEvent,
    ExceedMaxItersEvent,
    ExternalExecutionResultEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.message import ErrorInfo, ReplyFinishedReason
from nb_agentscope.model import ToolChoice, ToolSpec
from nb_agentscope.stream import PARENT_REPLY_KEY, STRUCTURED_KEY, append_event, closing_events, error_info

Events = AsyncGenerator[AgentEvent, None]


@dataclass(frozen=True)
class Settings:
    """What an agent was made with, as far as its loop needs it."""

    models: Models
    system_prompt: str
    hints: Sequence[Hint]
    max_iters: int
    max_parallel: int
    grace_s: float
    """Seconds that a model or a tool has to end after a stop."""


class Conversation:
    """Yields the events of an open reply; each is folded into its message before anyone sees it.

    It ends well in every case: a cancellation closes what is open and ends the reply `interrupted`; an exception ends it with
    `error` and leaves the stream after that; a reader that goes away leaves a closed message in the context.
    """

    def __init__(self, scope: Scope, settings: Settings) -> None:
        self._scope = scope
        self._settings = settings

    async def events(self, given: ClientEvent | None) -> Events:
        """Go on with the reply.

        Args:
            given: The answer that it waited for; None at its beginning.
        """
        parked = False
        try:
            async with aclosing(self._steps(given)) as steps:
                async for event in steps:
                    yield self._taken(event)
            parked = self._scope.msg.finished_at is None
        except CancelledError:
            for event in self.closing(ReplyFinishedReason.INTERRUPTED):
                yield event
        except GeneratorExit:
            raise
        except KeyboardInterrupt:
            for event in self.closing(ReplyFinishedReason.INTERRUPTED):
                yield event
            raise
        except BaseException as error:
            for event in self.closing(ReplyFinishedReason.ERROR, error_info(error)):
                yield event
            raise
        finally:
            if not parked:
                # Only where the reader went away is anything left to fold, and then there is nobody to tell.
                list(self.closing(ReplyFinishedReason.INTERRUPTED))
                self._scope.state.reply = None

    def closing(self, reason: ReplyFinishedReason, error: ErrorInfo | None = None) -> Iterator[AgentEvent]:
        """The events that end the reply and what is open in it, folded; none if it has ended."""
        return map(self._taken, self._missing(reason, error))

    def _missing(self, reason: ReplyFinishedReason, error: ErrorInfo | None = None) -> Iterator[AgentEvent]:
        scope = self._scope
        for reply_id in list(scope.reply.sub_replies):
            yield from worker_of(scope, reply_id).close(reason)
            del scope.reply.sub_replies[reply_id]
        yield from closing_events(
            scope.msg, reason=reason, session_id=scope.state.session_id, error=error, model_open=scope.model_open
        )

    # -- steps -------------------------------------------------------------------------------------------------------------

    async def _steps(self, given: ClientEvent | None) -> Events:
        scope, settings = self._scope, self._settings
        async with aclosing(self._beginning() if given is None else self._answered(given)) as events:
            async for event in events:
                yield event
        while scope.msg.finished_at is None:
            action = next_action(scope.msg, scope.reply, settings.max_iters)
            match action:
                case Park():
                    return
                case Finish(reason):
                    events = self._end(reason)
                case Act(calls):
                    events = act(scope, calls, max_parallel=settings.max_parallel, grace_s=settings.grace_s)
                case Reason(last):
                    scope.reply.last_round = last
                    for event in hint_events(settings.hints, scope.state, scope.reply_id):
                        yield event
                    events = self._reason(last=last)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def _beginning(self) -> Events:
        scope = self._scope
        event = ReplyStartEvent(session_id=scope.state.session_id, reply_id=scope.reply_id, name=scope.name)
        scope.msg.created_at = event.created_at
        yield event

    def _reason(self, *, last: bool) -> Events:
        scope, settings = self._scope, self._settings
        owed = last and scope.reply.schema_wanted is not None
        tools = [tool for tool in scope.toolkit if not owed or tool.name == STRUCTURED_TOOL]
        specs = [ToolSpec(tool.name, tool.description, tool.parameters) for tool in tools]
        choice: ToolChoice = "required" if owed else "none" if last else "auto"
        messages = model_messages(scope.state, settings.system_prompt, last=last, owed=owed)
        return reason(scope, settings.models, messages, specs, choice, settings.grace_s)

    async def _end(self, reason: ReplyFinishedReason) -> Events:
        scope = self._scope
        if reason == ReplyFinishedReason.EXCEED_MAX_ITERS:
            yield ExceedMaxItersEvent(reply_id=scope.reply_id, name=scope.name)
        output = scope.reply.structured_output
        yield ReplyEndEvent(
            session_id=scope.state.session_id,
            reply_id=scope.reply_id,
            finished_reason=reason,
            metadata={STRUCTURED_KEY: output} if output is not None else {},
        )

    # -- answers -----------------------------------------------------------------------------------------------------------

    async def _answered(self, given: ClientEvent) -> Events:
        for event in cut_off(self._scope):
            yield event
        below = self._scope.reply.branch(given.reply_id)
        if below is not None:
            async with aclosing(self._sub_answered(below, given)) as events:
                async for event in events:
                    yield event
            return
        match given:
            case UserConfirmResultEvent():
                apply_decisions(self._scope, given)
            case ExternalExecutionResultEvent():
                append_event(self._scope.msg, given)
                for result in given.execution_results:
                    for event in blocks_events(self._scope, result.id, result.output):
                        yield event
                    yield end_event(self._scope, result.id, result.state, result.metadata)
            case UserInterruptEvent():
                for event in self._missing(ReplyFinishedReason.INTERRUPTED):
                    yield event

    async def _sub_answered(self, reply_id: str, given: ClientEvent) -> Events:
        stream = resume(self._scope, reply_id, given)
        pump = Pump([stream], grace_s=self._settings.grace_s, names=["The sub-agent"])
        async with aclosing(pumped(pump)) as events:
            async for event in events:
                yield event

    def _taken(self, event: AgentEvent) -> AgentEvent:
        """Fold an event of ours and mark it; a sub-agent's has been through this."""
        metadata = event.metadata
        if metadata and PARENT_REPLY_KEY in metadata and getattr(event, "reply_id", None) != self._scope.reply_id:
            return event
        append_event(self._scope.msg, event)
        if self._scope.tag:
            event.metadata = {**metadata, **self._scope.tag}  # a tool's own `source` must not hide whose it is
        return event
