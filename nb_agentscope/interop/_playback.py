"""One reply of a recording while it is played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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
from nb_agentscope.stream import NOTE_NAME, PARENT_REPLY_KEY, SOURCE_KEY, Lane, LaneView, Record, View, closing_events

Timed = tuple[AgentEvent, float]
Key = tuple[str, str]
"""Reply and call."""
_OF_RESULT = (ToolResultTextDeltaEvent, ToolResultDataDeltaEvent, ToolResultEndEvent)


class Playback:
    """Where one reply stands: what was played, what a person answered, and whether that is how the recording goes."""

    def __init__(self, steps: Sequence[Step], suffix: str) -> None:
        self.over = False
        """Whether the reply has ended."""
        self._steps = steps
        self._suffix = suffix
        self._next = 0
        # By reply and call, as recorded: sub-agents may use the ids of others.
        self._answers: dict[Key, ConfirmResult | ToolResultBlock] = {}
        self._replaced: set[Key] = set()
        self._view = View()

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
        return [event for lane, view in self._lanes() for event in _ends(view, lane, reason)]

    def _lanes(self) -> list[tuple[Lane | None, LaneView]]:
        """All lanes, sub-agents before those that called them."""
        return [*reversed(self._view.lanes.items()), (None, self._view)]

    def _push(self, event: AgentEvent) -> None:
        self._view.follow(Record(0, None, None, "out", None, event))

    def _take(self, answer: UserConfirmResultEvent | ExternalExecutionResultEvent) -> None:
        reply_id = answer.reply_id.removesuffix(self._suffix)
        if isinstance(answer, UserConfirmResultEvent):
            self._answers.update({(reply_id, result.tool_call.id): result for result in answer.confirm_results})
        else:
            self._answers.update({(reply_id, result.id): result for result in answer.execution_results})

    def _answered(self, recorded: Answer) -> bool:
        """Whether the person has answered all that the recorded answer did, or anything where it was an interrupt."""
        if isinstance(recorded, UserInterruptEvent):
            return self._answer_in(recorded.reply_id) is not None
        return all(isinstance(self._answers.get(key), kind) for key, kind in _asked(recorded))

    def _answer_in(self, reply_id: str) -> Key | None:
        return next((key for key in self._answers if key[0] == reply_id), None)

    def _resolve(self, recorded: Answer) -> Iterable[AgentEvent]:
        """What follows from the answers: nothing if the recording goes the same way."""
        if isinstance(recorded, UserInterruptEvent):
            answered = self._answer_in(recorded.reply_id)
            if answered is not None:
                yield from self._leave(answered, "Here the recorded reply was stopped")
        elif isinstance(recorded, UserConfirmResultEvent):
            yield from self._compare(recorded)
        else:
            for result in recorded.execution_results:
                key = recorded.reply_id, result.id
                yield from self._submitted(key, self._answers.pop(key))

    def _compare(self, recorded: UserConfirmResultEvent) -> Iterator[AgentEvent]:
        for then in recorded.confirm_results:
            key = recorded.reply_id, then.tool_call.id
            given = self._answers.pop(key)
            if not isinstance(given, ConfirmResult):
                continue
            if given.confirmed != then.confirmed:
                yield from self._leave(key, f"In the recording this call was {_word(then.confirmed)}")
                return
            if given.confirmed and _arguments(given.tool_call.input) != _arguments(then.tool_call.input):
                text = (
                    f"The result of {then.tool_call.name} is the recorded one, for the arguments {then.tool_call.input}"
                )
                metadata = self._about(key[0])["metadata"]
                yield CustomEvent(
                    name=NOTE_NAME, value={"text": text, "tool_call_id": then.tool_call.id}, metadata=metadata
                )

    def _about(self, recorded_id: str) -> dict[str, Any]:
        """Fields of an event of ours in a recorded reply: its id here, and its lane."""
        reply_id = recorded_id + self._suffix
        lane = next((lane for lane, view in self._view.lanes.items() if reply_id in view.ids), None)
        return {"reply_id": reply_id, "metadata": {} if lane is None else lane.metadata}

    def _blocks(self, reply_id: str) -> Sequence[ContentBlock]:
        return [block for _, view in self._lanes() for msg in view.msgs if msg.id == reply_id for block in msg.content]

    def _leave(self, key: Key, why: str) -> Iterator[AgentEvent]:
        """End a reply that goes another way than its recording."""
        call_id, about = key[1], self._about(key[0])
        text = f"{why}, so the replay cannot show how it would go on."
        blocks = self._blocks(about["reply_id"])
        started = any(isinstance(block, ToolResultBlock) and block.id == call_id for block in blocks)
        name = next((b.name for b in blocks if isinstance(b, ToolCallBlock) and b.id == call_id), "")
        events: list[AgentEvent] = []
        if not started:
            events.append(ToolResultStartEvent(**about, tool_call_id=call_id, tool_call_name=name))
        events.append(ToolResultTextDeltaEvent(**about, tool_call_id=call_id, delta=text))
        events.append(ToolResultEndEvent(**about, tool_call_id=call_id, state=ToolResultState.DENIED))
        # Each is seen (and folded) before the next is asked for, so the closing events know of these.
        yield from events
        yield from self.end_now()

    def _submitted(self, key: Key, given: ConfirmResult | ToolResultBlock) -> Iterator[AgentEvent]:
        """The person's own result, instead of the recorded one."""
        if not isinstance(given, ToolResultBlock):
            return
        self._replaced.add(key)
        call_id, about = key[1], self._about(key[0])
        for block in given.output if isinstance(given.output, list) else [given.output]:
            if isinstance(block, str):
                yield ToolResultTextDeltaEvent(**about, tool_call_id=call_id, delta=block)
            elif block.type == "text":
                yield ToolResultTextDeltaEvent(**about, tool_call_id=call_id, delta=block.text)
            else:
                source = block.source.model_dump(mode="json", include={"media_type", "data", "url"}, exclude_none=True)
                yield ToolResultDataDeltaEvent(**about, tool_call_id=call_id, block_id=block.id, **source)
        metadata = {**given.metadata, **about.pop("metadata")}
        yield ToolResultEndEvent(**about, tool_call_id=call_id, state=given.state, metadata=metadata)

    def _is_replaced(self, event: AgentEvent) -> bool:
        return isinstance(event, _OF_RESULT) and (event.reply_id, event.tool_call_id) in self._replaced

    def _renamed(self, event: AgentEvent) -> AgentEvent:
        if not self._suffix:
            return event
        changed: dict[str, Any] = {"id": event.id + self._suffix}
        if not isinstance(event, CustomEvent):
            changed["reply_id"] = event.reply_id + self._suffix
        if isinstance(event.metadata.get(SOURCE_KEY), str) and isinstance(event.metadata.get(PARENT_REPLY_KEY), str):
            changed["metadata"] = event.metadata | {PARENT_REPLY_KEY: event.metadata[PARENT_REPLY_KEY] + self._suffix}
        return event.model_copy(update=changed)

    @staticmethod
    def _at_once(events: Iterable[AgentEvent]) -> Iterator[Timed]:
        return ((event, 0.0) for event in events)


def _ends(view: LaneView, lane: Lane | None, reason: ReplyFinishedReason) -> list[AgentEvent]:
    if view.msg is None:
        return []
    session_id, model_open = view.progress.session_id or "", view.progress.model_open
    return closing_events(view.msg, reason=reason, session_id=session_id, model_open=model_open, lane=lane)


def _asked(recorded: UserConfirmResultEvent | ExternalExecutionResultEvent) -> list[tuple[Key, type]]:
    reply_id = recorded.reply_id
    if isinstance(recorded, UserConfirmResultEvent):
        return [((reply_id, result.tool_call.id), ConfirmResult) for result in recorded.confirm_results]
    return [((reply_id, result.id), ToolResultBlock) for result in recorded.execution_results]


def _word(confirmed: bool) -> str:
    return "approved" if confirmed else "denied"


def _arguments(text: str) -> object:
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return text
