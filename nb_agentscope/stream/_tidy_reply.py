"""One reply of a stream that may be broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from pydantic import BaseModel

from nb_agentscope.event import (
    AgentEvent,
    ConfirmResult,
    ExternalExecutionResultEvent,
    ModelCallEndEvent,
    ModelCallStartEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    UserConfirmResultEvent,
)
from nb_agentscope.message import FinishedReason, ToolCallBlock, ToolResultBlock
from nb_agentscope.stream._occurrence import Occurrences
from nb_agentscope.stream._parts import MODEL_KINDS, PARTS, Kind, Part, Stamp, end_event, start_event

_MEDIA_TYPE = "application/octet-stream"
_TOOL_NAME = "unknown tool"

B = TypeVar("B", bound=BaseModel)


class TidyReply:
    """What is open and what has ended in a reply, so that each event can be completed, renamed or dropped.

    Args:
        id: The reply's id.
        dropped: Counts the events that are kept out, by reason.
    """

    def __init__(self, id: str, dropped: Counter[str]) -> None:
        self.id = id
        self.going_on = True
        """Whether it has had no REPLY_END since its last REPLY_START."""
        self._dropped = dropped
        self._open: dict[tuple[Kind, str], None] = {}
        self._done: set[tuple[Kind, str]] = set()
        self._given: set[str] = set()  # results that came whole, by EXTERNAL_EXECUTION_RESULT
        self.submitted: set[str] = set()
        """External calls without a result: parked, not forgotten."""
        self._asking: set[str] = set()
        self._tool_names: dict[str, str] = {}
        self._model_open = False
        self._names = Occurrences(lambda kind, name: (kind, name) in self._done, self._known)

    def push(self, event: AgentEvent) -> list[AgentEvent]:
        """The event, made to fit what came before; nothing, if it cannot."""
        part = PARTS.get(event.type)
        if part is None:
            return self._whole(event)
        kind, phase, field = part
        id = getattr(event, field)
        name = self._names.current(kind, id) if self._names.names else id
        key = (kind, name)
        if phase == "delta" and name is id and key in self._open:
            return [event]
        if phase == "start":
            return self._start(event, part, id, name)
        stub = [] if self._known(*key) else [self._stub(event, *key)]
        if phase == "end":
            self._end(key)
        return [*stub, _updated(event, field, name)]

    def parked(self, nested: set[str]) -> bool:
        """Whether it waits for someone: asks about a call, has given one out, or runs one of `nested`, which do so."""
        waits = bool(self._asking or self.submitted) or any(("result", call) in self._open for call in nested)
        return self.going_on and waits

    def _whole(self, event: AgentEvent) -> list[AgentEvent]:
        """An event that belongs to no one block."""
        match event:
            case ModelCallStartEvent():
                self._model_open = True
            case ModelCallEndEvent():
                self._model_open = False
            case ReplyStartEvent():
                self.going_on = True
            case ReplyEndEvent():
                self.going_on = False
                return [*self.close(event), event]
            case RequireUserConfirmEvent():
                calls = self._calls(event.tool_calls)
                self._asking.update(call.id for call in calls)
                return [_updated(event, "tool_calls", calls)]
            case RequireExternalExecutionEvent():
                calls = self._calls(event.tool_calls)
                self.submitted.update(call.id for call in calls)
                return [_updated(event, "tool_calls", calls)]
            case UserConfirmResultEvent():
                return [_updated(event, "confirm_results", [self._decided(one) for one in event.confirm_results])]
            case ExternalExecutionResultEvent():
                return [_updated(event, "execution_results", [self._result(one) for one in event.execution_results])]
        return [event]

    def close(self, cause: AgentEvent, *, waiting: AbstractSet[str] = frozenset()) -> list[AgentEvent]:
        """The ENDs of all that is open.

        Args:
            cause: The event that shows that no END will come; gives its id and time to ours.
            waiting: Calls that may still get their results.
        """
        kinds: tuple[Kind, ...] = (*MODEL_KINDS, "result")
        keys = [key for kind in kinds for key in self._open if key[0] == kind]
        keys = [key for key in keys if not (key[0] == "result" and key[1] in waiting)]
        ends = [end_event(kind, id, self._stamp(cause, f"end:{kind}:{id}")) for kind, id in keys]
        for key in keys:
            self._end(key)
        if self._model_open:
            self._model_open = False
            position = sum(kind != "result" for kind, _ in keys)
            ends.insert(position, self._model_end(cause))
        return ends

    def _start(self, event: Any, part: Part, id: str, name: str) -> list[AgentEvent]:
        key = (part.kind, name)
        if key in self._open or (part.kind == "result" and name in self._given):
            self._dropped["repeated_start"] += 1
            return []
        if key in self._done:
            name = self._names.add(part.kind, id)
        self._open[part.kind, name] = None
        if part.field == "tool_call_id":
            self._tool_names[name] = event.tool_call_name
        return [_updated(event, part.field, name)]

    def _stub(self, event: AgentEvent, kind: Kind, name: str) -> AgentEvent:
        self._open[kind, name] = None
        media_type = getattr(event, "media_type", _MEDIA_TYPE)
        tool_name = self._tool_names.get(name, _TOOL_NAME)
        return start_event(kind, name, self._stamp(event, "start"), media_type=media_type, tool_name=tool_name)

    def _end(self, key: tuple[Kind, str]) -> None:
        self._open.pop(key, None)
        self._done.add(key)
        if key[0] == "result":
            self.submitted.discard(key[1])
            self._asking.discard(key[1])

    def _known(self, kind: Kind, name: str) -> bool:
        key = (kind, name)
        return key in self._open or key in self._done or (kind == "result" and name in self._given)

    def _calls(self, calls: list[ToolCallBlock]) -> list[ToolCallBlock]:
        return [_updated(call, "id", self._names.current("result", call.id)) for call in calls]

    def _decided(self, decision: ConfirmResult) -> ConfirmResult:
        [call] = self._calls([decision.tool_call])
        self._asking.discard(call.id)
        return _updated(decision, "tool_call", call)

    def _result(self, result: ToolResultBlock) -> ToolResultBlock:
        name = self._names.current("result", result.id)
        self.submitted.discard(name)
        if not self._known("result", name):
            self._given.add(name)
        return _updated(result, "id", name)

    def _stamp(self, cause: AgentEvent, what: str) -> Stamp:
        return Stamp(f"{cause.id}:{what}", cause.created_at, self.id)

    def _model_end(self, cause: AgentEvent) -> AgentEvent:
        stamp = self._stamp(cause, "end:model").fields
        return ModelCallEndEvent(**stamp, input_tokens=0, output_tokens=0, finished_reason=FinishedReason.INTERRUPTED)


def _updated(model: B, field: str, value: Any) -> B:
    """The model itself where nothing was renamed, so that a valid stream passes untouched."""
    return model if getattr(model, field) == value else model.model_copy(update={field: value})
