"""The order rules inside one reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.stream._parts import CLIENT_TYPES, MODEL_KINDS, PARTS, Kind, Part

Finding = tuple[str, str]
"""A rule and a sentence."""

_NAMES: dict[Kind, str] = {
    "text": "text block",
    "thinking": "thinking block",
    "data": "data block",
    "call": "tool call",
    "result": "tool result",
}


class ReplyRules:
    """What has happened in a reply, and what may therefore not happen now.

    Args:
        id: The reply's id.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self._ended = False
        self._model_open = False
        self._open: dict[tuple[Kind, str], None] = {}
        self._done: set[tuple[Kind, str]] = set()
        self._asking: set[str] = set()
        self._submitted: set[str] = set()

    def push(self, event: AgentEvent) -> Iterator[Finding]:
        """What is wrong with this event."""
        if self._ended and event.type not in CLIENT_TYPES:
            yield "after_end", f"{event.type} after the REPLY_END of reply {self.id!r}"
            return
        part = PARTS.get(event.type)
        if part is not None:
            yield from self._part(event, part)
        elif event.type in _RULES:
            yield from _RULES[event.type](self, event)

    def parked(self, nested: set[str]) -> bool:
        """Whether it waits for someone: asks about a call, has given one out, or runs one of `nested`, which do so."""
        if self._ended:
            return False
        return bool(self._asking or self._submitted) or any(("result", call) in self._open for call in nested)

    def left(self, nested: set[str]) -> Iterator[Finding]:
        """What is missing, if nothing more comes; a parked reply waits for its calls only.

        Args:
            nested: The calls whose sub-agents wait.
        """
        if self._ended:
            return
        parked = self.parked(nested)
        yield from self._not_ended("no more events", (*MODEL_KINDS, "result"), waiting=self._submitted | nested)
        if self._model_open:
            yield "not_ended", f"no more events, but the model call of reply {self.id!r} has no MODEL_CALL_END"
        elif not parked:
            yield "reply_not_ended", f"reply {self.id!r} has no REPLY_END and waits for nothing"

    def _part(self, event: AgentEvent, part: Part) -> Iterator[Finding]:
        key = (part.kind, getattr(event, part.field))
        what = f"{event.type} of {_NAMES[part.kind]} {key[1]!r}"
        if part.kind != "result" and not self._model_open:
            yield "outside_model_call", f"{what} outside a model call"
        if part.phase == "start":
            yield from self._start(key, what)
        elif key not in self._open:
            yield "not_open", f"{what}, which " + ("has ended" if key in self._done else "has not started")
        if part.phase == "end":
            self._open.pop(key, None)
            self._done.add(key)
            if part.kind == "result":
                self._asking.discard(key[1])
                self._submitted.discard(key[1])

    def _start(self, key: tuple[Kind, str], what: str) -> Iterator[Finding]:
        if key in self._open or key in self._done:
            yield "started_twice", f"{what}, which started before"
        if key[0] == "result":
            if self._model_open:
                yield "inside_model_call", f"{what} inside a model call"
            if ("call", key[1]) not in self._done:
                yield "no_call", f"{what}, but there is no finished tool call with this id"
        self._open[key] = None

    def _model_start(self, event: Any) -> Iterator[Finding]:
        if self._model_open:
            yield "not_ended", f"{event.type}, but the model call before it has no MODEL_CALL_END"
        yield from self._not_ended(event.type, ("result",))
        yield from self._unanswered(event.type)
        self._model_open = True

    def _model_end(self, event: Any) -> Iterator[Finding]:
        if not self._model_open:
            yield "not_open", f"{event.type}, but no model call has started"
        yield from self._not_ended(event.type, MODEL_KINDS)
        self._model_open = False

    def _reply_start(self, event: Any) -> Iterator[Finding]:
        if self._model_open:
            yield "not_ended", f"a second {event.type} of reply {self.id!r} inside a model call"

    def _reply_end(self, event: Any) -> Iterator[Finding]:
        if self._model_open:
            yield "not_ended", f"{event.type}, but the model call has no MODEL_CALL_END"
        yield from self._not_ended(event.type, (*MODEL_KINDS, "result"))
        yield from self._unanswered(event.type)
        self._ended = True

    def _require(self, event: Any) -> Iterator[Finding]:
        external = event.type == EventType.REQUIRE_EXTERNAL_EXECUTION
        if self._model_open:
            yield "inside_model_call", f"{event.type} inside a model call"
        for call in event.tool_calls:
            what = f"{event.type} of tool call {call.id!r}"
            if ("call", call.id) not in self._done:
                yield "no_call", f"{what}, but there is no finished tool call with this id"
            if ("result", call.id) in self._done:
                yield "answered", f"{what}, which has its result already"
            elif external and ("result", call.id) not in self._open:
                yield "not_open", f"{what}, but its result has no TOOL_RESULT_START"
            (self._submitted if external else self._asking).add(call.id)

    def _confirm(self, event: Any) -> Iterator[Finding]:
        self._asking.difference_update(result.tool_call.id for result in event.confirm_results)
        yield from ()  # an answer that comes too late is no fault of the stream

    def _external(self, event: Any) -> Iterator[Finding]:
        for result in event.execution_results:
            self._submitted.discard(result.id)
            if ("result", result.id) not in self._open:
                self._done.add(("result", result.id))
        yield from ()

    def _not_ended(self, when: str, kinds: tuple[Kind, ...], waiting: set[str] | None = None) -> Iterator[Finding]:
        for kind, id in self._open:
            if kind in kinds and not (kind == "result" and waiting and id in waiting):
                yield "not_ended", f"{when}, but {_NAMES[kind]} {id!r} has no END"

    def _unanswered(self, when: str) -> Iterator[Finding]:
        for kind, id in sorted(self._done):
            if kind == "call" and ("result", id) not in self._done and ("result", id) not in self._open:
                yield "not_answered", f"{when}, but tool call {id!r} has no result"


_RULES: dict[EventType, Callable[[ReplyRules, Any], Iterator[Finding]]] = {
    EventType.REPLY_START: ReplyRules._reply_start,
    EventType.REPLY_END: ReplyRules._reply_end,
    EventType.MODEL_CALL_START: ReplyRules._model_start,
    EventType.MODEL_CALL_END: ReplyRules._model_end,
    EventType.REQUIRE_USER_CONFIRM: ReplyRules._require,
    EventType.REQUIRE_EXTERNAL_EXECUTION: ReplyRules._require,
    EventType.USER_CONFIRM_RESULT: ReplyRules._confirm,
    EventType.EXTERNAL_EXECUTION_RESULT: ReplyRules._external,
}
