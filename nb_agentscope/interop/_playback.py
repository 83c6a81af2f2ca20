"""One reply of a recording while it is played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from nb_agentscope.event import (
    AgentEvent,
    ConfirmResult,
    CustomEvent,
    ExternalExecutionResultEvent,
    ToolResultDataDeltaEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    ToolResultTextDeltaEvent,
    UserConfirmResultEvent,
    UserInterruptEvent,
)
from nb_agentscope.interop._recording import Answer, Step
from nb_agentscope.message import ContentBlock, ReplyFinishedReason, ToolCallBlock, ToolResultBlock, ToolResultState
from nb_agentscope.run import NOTE
from nb_agentscope.stream import Fold, Progress, Record, closing_events

Timed = tuple[AgentEvent, float]
_OF_RESULT = (ToolResultTextDeltaEvent, ToolResultDataDeltaEvent, ToolResultEndEvent)


class Playback:
    """Where one reply stands: what was played, what a person answered, and whether that is how the recording goes."""

    def __init__(self, steps: Sequence[Step], suffix: str) -> None:
        self.over = False
        """Whether the reply has ended."""
        self._steps = steps
        self._suffix = suffix
        self._next = 0
        self._answers: dict[str, ConfirmResult | ToolResultBlock] = {}
        self._replaced: set[str] = set()
        self._fold = Fold()
        self._progress = Progress()

    def play(self, answer: Answer | None) -> Iterator[Timed]:
        """The events up to the next park or the end, each with its pause in seconds."""
        if isinstance(answer, UserInterruptEvent):
            yield from self._at_once(self.end_now())
            return
        if answer is not None:
            self._take(answer)
            self._push(answer)
        rested = answer is not None
        while self._next < len(self._steps):
            step = self._steps[self._next]
            if step.answer is not None:
                if not self._answered(step.answer):
                    return
                self._next += 1
                yield from self._at_once(self._resolve(step.answer))
                if self.over:
                    return
                rested = True
                continue
            self._next += 1
            if not self._is_replaced(step.event):
                yield self._renamed(step.event), 0.0 if rested else step.pause_s
                rested = False
        self.over = True

    def passed(self, event: AgentEvent) -> AgentEvent:
        """`event`, which is about to be seen."""
        self._push(event)
        return event

    def end_now(self, reason: ReplyFinishedReason = ReplyFinishedReason.INTERRUPTED) -> list[AgentEvent]:
        """The events that end the reply where it stands."""
        self.over = True
        msg = self._fold.msg
        if msg is None:
            return []
        session_id = self._progress.session_id or ""
        return closing_events(msg, reason=reason, session_id=session_id, model_open=self._progress.model_open)

    def _push(self, event: AgentEvent) -> None:
        self._fold.push(event)
        self._progress.push(Record(0, None, None, "out", None, event))

    def _take(self, answer: UserConfirmResultEvent | ExternalExecutionResultEvent) -> None:
        if isinstance(answer, UserConfirmResultEvent):
            self._answers.update({result.tool_call.id: result for result in answer.confirm_results})
        else:
            self._answers.update({result.id: result for result in answer.execution_results})

    def _answered(self, recorded: Answer) -> bool:
        """Whether the person has answered all that the recorded answer did, or anything where it was an interrupt."""
        if isinstance(recorded, UserInterruptEvent):
            return bool(self._answers)
        return all(isinstance(self._answers.get(call_id), kind) for call_id, kind in _asked(recorded))

    def _resolve(self, recorded: Answer) -> Iterable[AgentEvent]:
        """What follows from the answers: nothing if the recording goes the same way."""
        if isinstance(recorded, UserInterruptEvent):
            yield from self._leave(next(iter(self._answers)), "Here the recorded reply was stopped")
        elif isinstance(recorded, UserConfirmResultEvent):
            yield from self._compare(recorded)
        else:
            for result in recorded.execution_results:
                yield from self._submitted(result.id, self._answers.pop(result.id))

    def _compare(self, recorded: UserConfirmResultEvent) -> Iterator[AgentEvent]:
        for then in recorded.confirm_results:
            given = self._answers.pop(then.tool_call.id)
            if not isinstance(given, ConfirmResult):
                continue
            if given.confirmed != then.confirmed:
                yield from self._leave(then.tool_call.id, f"In the recording this call was {_word(then.confirmed)}")
                return
            if given.confirmed and _arguments(given.tool_call.input) != _arguments(then.tool_call.input):
                text = (
                    f"The result of {then.tool_call.name} is the recorded one, for the arguments {then.tool_call.input}"
                )
                yield CustomEvent(name=NOTE, value={"text": text, "tool_call_id": then.tool_call.id})

    def _leave(self, call_id: str, why: str) -> Iterator[AgentEvent]:
        """End a reply that goes another way than its recording."""
        reply_id = self._reply_id
        text = f"{why}, so the replay cannot show how it would go on."
        started = any(isinstance(block, ToolResultBlock) and block.id == call_id for block in self._blocks)
        name = next((b.name for b in self._blocks if isinstance(b, ToolCallBlock) and b.id == call_id), "")
        events: list[AgentEvent] = []
        if not started:
            events.append(ToolResultStartEvent(reply_id=reply_id, tool_call_id=call_id, tool_call_name=name))
        events.append(ToolResultTextDeltaEvent(reply_id=reply_id, tool_call_id=call_id, delta=text))
        events.append(ToolResultEndEvent(reply_id=reply_id, tool_call_id=call_id, state=ToolResultState.DENIED))
        # Each is seen (and folded) before the next is asked for, so the closing events know of these.
        yield from events
        yield from self.end_now()

    def _submitted(self, call_id: str, given: ConfirmResult | ToolResultBlock) -> Iterator[AgentEvent]:
        """The person's own result, instead of the recorded one."""
        if not isinstance(given, ToolResultBlock):
            return
        self._replaced.add(call_id)
        reply_id = self._reply_id
        for block in given.output if isinstance(given.output, list) else [given.output]:
            if isinstance(block, str):
                yield ToolResultTextDeltaEvent(reply_id=reply_id, tool_call_id=call_id, delta=block)
            elif block.type == "text":
                yield ToolResultTextDeltaEvent(reply_id=reply_id, tool_call_id=call_id, delta=block.text)
            else:
                source = block.source.model_dump(mode="json", include={"media_type", "data", "url"}, exclude_none=True)
                yield ToolResultDataDeltaEvent(reply_id=reply_id, tool_call_id=call_id, block_id=block.id, **source)
        yield ToolResultEndEvent(reply_id=reply_id, tool_call_id=call_id, state=given.state, metadata=given.metadata)

    def _is_replaced(self, event: AgentEvent) -> bool:
        return isinstance(event, _OF_RESULT) and event.tool_call_id in self._replaced

    def _renamed(self, event: AgentEvent) -> AgentEvent:
        if not self._suffix:
            return event
        changed = {"id": event.id + self._suffix}
        if not isinstance(event, CustomEvent):
            changed["reply_id"] = event.reply_id + self._suffix
        return event.model_copy(update=changed)

    @property
    def _reply_id(self) -> str:
        return self._fold.msg.id if self._fold.msg else ""

    @property
    def _blocks(self) -> Sequence[ContentBlock]:
        return self._fold.msg.content if self._fold.msg else []

    @staticmethod
    def _at_once(events: Iterable[AgentEvent]) -> Iterator[Timed]:
        return ((event, 0.0) for event in events)


def _asked(recorded: UserConfirmResultEvent | ExternalExecutionResultEvent) -> list[tuple[str, type]]:
    if isinstance(recorded, UserConfirmResultEvent):
        return [(result.tool_call.id, ConfirmResult) for result in recorded.confirm_results]
    return [(result.id, ToolResultBlock) for result in recorded.execution_results]


def _word(confirmed: bool) -> str:
    return "approved" if confirmed else "denied"


def _arguments(text: str) -> object:
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return text
