"""What a view shows of a run beside its messages: a small fold over the log, the same in Python and TypeScript."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, PrivateAttr, ValidationError

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.message import Msg
from nb_agentscope.permission import PermissionRule
from nb_agentscope.stream._record import INPUT_NAME, Record

NOTE_KEY = "nb_agentscope.note"
"""Key in the metadata of USER_CONFIRM_RESULT: what the person said with the decision."""
SHOWN_KEY = "nb_agentscope.shown"
"""Key in the metadata of USER_CONFIRM_RESULT: the input that was shown, where it is a repair of what streamed."""
STRUCTURED_KEY = "nb_agentscope.structured_output"
"""Key in the metadata of REPLY_END: the object that the agent made of its reply, for which events have no field."""
OUR_PREFIX = "nb_agentscope."
UNKNOWN_NAME = "nb_agentscope.unknown"
"""Name of the CUSTOM events that keep what was no event we know, value `{raw, problem}`; they count as other events."""
NOTE_NAME = "nb_agentscope.note"
"""Name of the CUSTOM events with a remark of this package, value `{text}`."""
MAX_NOTES = 20
"""Notes that a view shows; the log has all of them."""
MAX_NOTE = 500
"""Characters of a note that a view shows."""


class Decision(BaseModel):
    """The answer to what was asked about a call."""

    decision: Literal["approved", "denied", "answered", "interrupted"]
    by: str | None = None
    """Who decided: `user`, `rule`, `policy`, `code`; None if the log does not say."""
    at: str | None = None
    """When, as `recorded.at`, else as `created_at`."""
    waited_s: float | None = None
    """Seconds since it was asked, to the millisecond."""
    edited_input: str | None = None
    """The arguments that run, where the person changed them."""
    note: str | None = None
    rules: list[PermissionRule] = []
    """Rules that were accepted with the call, and hold from now on."""


class ToolProgress(BaseModel):
    """How far a running tool says it is."""

    progress: float | None = None
    total: float | None = None
    message: str | None = None


class Progress(BaseModel):
    """State of one lane of a run that is not in a Msg; `push` every record, `model_dump(mode="json")` for the wire.

    Where a stream may be broken, push what `Tidy` made of it, as `View` does: `push_tidied(record, events)`.
    """

    agent: str | None = None
    """Name of the agent in the newest REPLY_START."""
    session_id: str | None = None
    reply_id: str | None = None
    """The newest reply."""
    model: str | None = None
    """Name of the model in the newest MODEL_CALL_START."""
    model_open: bool = False
    """A model call has started and neither it nor the reply has ended."""
    model_calls: int = 0
    unknown_usage: int = 0
    """Model calls that reported neither input nor output tokens."""
    model_started_at: str | None = None
    """`created_at` of the newest MODEL_CALL_START."""
    first_content_at: str | None = None
    """`created_at` of the first delta of that call that is not empty; with `model_started_at` the time to first token."""
    model_ended_at: str | None = None
    """`created_at` of the MODEL_CALL_END of that call."""
    model_output_tokens: int = 0
    """As that MODEL_CALL_END says; 0: not known."""
    other_events: int = 0
    """CUSTOM events that nothing here shows."""
    notes: list[str] = []
    """What this package remarked on the run, and what was wrong with unknown items: the newest, each cut."""
    started_at: str | None = None
    """`created_at` of the first event of the newest reply."""
    inputs: list[dict[str, Any]] = []
    """The messages given to the agent, as JSON."""
    asked: dict[str, str | None] = {}
    """When each call was asked about last, by call id."""
    decisions: dict[str, Decision] = {}
    """The first answer since then, by call id."""
    tool_progress: dict[str, ToolProgress] = {}
    """By call id."""

    # The arguments as they streamed, to tell whether a person changed them.
    _call_inputs: dict[str, list[str]] = PrivateAttr(default_factory=dict)

    def push_tidied(self, record: Record, events: Iterable[AgentEvent]) -> None:
        """Take in the events that `Tidy` made of the next record: a view sees these, and no others."""
        for event in events:
            handler = _HANDLERS.get(event.type)
            if handler is not None:
                handler(self, record, event)

    def push(self, record: Record) -> None:
        """Take in the next record of the log."""
        self.push_tidied(record, (record.event,))

    def _reply_start(self, _record: Record, event: Any) -> None:
        if event.reply_id != self.reply_id:
            self.started_at = event.created_at
        self.reply_id = event.reply_id
        self.agent = event.name
        self.session_id = event.session_id

    def _reply_end(self, _record: Record, _event: Any) -> None:
        self.model_open = False

    def _model_start(self, _record: Record, event: Any) -> None:
        self.model = event.model_name
        self.model_open = True
        self.model_calls += 1
        self.model_started_at = event.created_at
        self.first_content_at = self.model_ended_at = None
        self.model_output_tokens = 0

    def _model_end(self, _record: Record, event: Any) -> None:
        self.model_open = False
        self.model_ended_at = event.created_at
        self.model_output_tokens = event.output_tokens
        if event.input_tokens == 0 and event.output_tokens == 0:
            self.unknown_usage += 1

    def _call_start(self, _record: Record, event: Any) -> None:
        self._call_inputs[event.tool_call_id] = []

    # Deltas are nearly all events of a run: each of these does one comparison once the first content is here.

    def _text(self, _record: Record, event: Any) -> None:
        if self.first_content_at is None and self.model_open and event.delta:
            self.first_content_at = event.created_at

    def _data(self, _record: Record, event: Any) -> None:
        if self.first_content_at is None and self.model_open and (event.data or event.url):
            self.first_content_at = event.created_at

    def _call_delta(self, record: Record, event: Any) -> None:
        self._text(record, event)
        self._call_inputs.setdefault(event.tool_call_id, []).append(event.delta)

    def _require(self, record: Record, event: Any) -> None:
        for call in event.tool_calls:
            self.asked[call.id] = record.at or event.created_at
            self.decisions.pop(call.id, None)

    def _confirm(self, record: Record, event: Any) -> None:
        note, shown = event.metadata.get(NOTE_KEY), event.metadata.get(SHOWN_KEY)
        for result in event.confirm_results:
            call = result.tool_call
            before = shown if isinstance(shown, str) else self._streamed(call.id)
            edited = before is not None and before != call.input
            self._decide(
                call.id,
                record,
                Decision(
                    decision="approved" if result.confirmed else "denied",
                    edited_input=call.input if edited else None,
                    note=note if isinstance(note, str) else None,
                    rules=list(result.rules or ()) if result.confirmed else [],
                ),
            )

    def _streamed(self, call_id: str) -> str | None:
        deltas = self._call_inputs.get(call_id)
        return None if deltas is None else "".join(deltas)

    def _external(self, record: Record, event: Any) -> None:
        for result in event.execution_results:
            self._decide(result.id, record, Decision(decision="answered"))

    def _interrupt(self, record: Record, _event: Any) -> None:
        for call_id in self.asked:
            self._decide(call_id, record, Decision(decision="interrupted"))

    def _decide(self, call_id: str, record: Record, decision: Decision) -> None:
        if call_id in self.decisions:
            return  # the first one counts; a late confirmation after an interrupt changes nothing
        decision.by = record.by
        decision.at = record.at or record.event.created_at
        decision.waited_s = seconds_between(self.asked.get(call_id), decision.at)
        self.decisions[call_id] = decision

    def _custom(self, _record: Record, event: Any) -> None:
        if event.name == INPUT_NAME:
            messages = event.value.get("messages")
            self.inputs.extend(filter(_is_msg, messages if isinstance(messages, list) else []))
        elif event.name == "mcp_progress":
            self._tool_progress(event.value)
        elif event.name == NOTE_NAME:
            self._note(event.value.get("text"))
        elif event.name == UNKNOWN_NAME:
            self.other_events += 1
            self._note(event.value.get("problem"))
        elif not event.name.startswith(OUR_PREFIX):
            self.other_events += 1

    def _note(self, text: object) -> None:
        if isinstance(text, str) and text:
            shown = text if len(text) <= MAX_NOTE else f"{text[:MAX_NOTE]}…"
            self.notes = [*self.notes, shown][-MAX_NOTES:]

    def _tool_progress(self, value: dict[str, Any]) -> None:
        call_id = value.get("tool_call_id")
        message = value.get("message")
        if isinstance(call_id, str):
            self.tool_progress[call_id] = ToolProgress(
                progress=_number(value.get("progress")),
                total=_number(value.get("total")),
                message=message if isinstance(message, str) else None,
            )


_HANDLERS: dict[EventType, Callable[[Progress, Record, Any], None]] = {
    EventType.REPLY_START: Progress._reply_start,
    EventType.REPLY_END: Progress._reply_end,
    EventType.MODEL_CALL_START: Progress._model_start,
    EventType.MODEL_CALL_END: Progress._model_end,
    EventType.TEXT_BLOCK_DELTA: Progress._text,
    EventType.THINKING_BLOCK_DELTA: Progress._text,
    EventType.DATA_BLOCK_DELTA: Progress._data,
    EventType.TOOL_CALL_START: Progress._call_start,
    EventType.TOOL_CALL_DELTA: Progress._call_delta,
    EventType.REQUIRE_USER_CONFIRM: Progress._require,
    EventType.REQUIRE_EXTERNAL_EXECUTION: Progress._require,
    EventType.USER_CONFIRM_RESULT: Progress._confirm,
    EventType.EXTERNAL_EXECUTION_RESULT: Progress._external,
    EventType.USER_INTERRUPT: Progress._interrupt,
    EventType.CUSTOM: Progress._custom,
}


def _is_msg(value: object) -> bool:
    """Whether a view can show it; any agent can emit an event that looks like our input."""
    try:
        Msg.model_validate(value)
    except ValidationError:
        return False
    return isinstance(value, dict)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 2**1023 else None  # JSON knows neither infinity nor NaN


def seconds_between(start: str | None, end: str | None) -> float | None:
    """Whole milliseconds, as JavaScript counts them; None if one is missing, no time, or only one has a zone."""
    if start is None or end is None:
        return None
    try:
        span = _millisecond(end) - _millisecond(start)
    except (ValueError, TypeError):
        return None
    return round(span.total_seconds() * 1000) / 1000


def _millisecond(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
