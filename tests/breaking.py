"""Accidents that happen to streams."""

from collections.abc import Callable
from random import Random

from nb_agentscope import event as ev
from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.message import ToolCallBlock, ToolResultBlock
from nb_agentscope.stream import lane_of

Events = list[AgentEvent]
STAMP = "2026-03-01T12:00:00Z"
BAD_DATA = ["YWJ", "a", "YWJj\nZA==", "Y W J j", "YQ"]
"""Wrong lengths, and characters outside the alphabet, which decoders skip."""


def _place(random: Random, events: Events) -> int:
    return random.randrange(len(events)) if events else 0


def _new_id(random: Random) -> str:
    return f"x{random.randrange(10**9)}"


def _reply_of(event: AgentEvent | None) -> str:
    return getattr(event, "reply_id", "r0")


def _insert(random: Random, events: Events, make: Callable[[str], AgentEvent]) -> Events:
    """A new event of the reply that is going on at a random place after it started, in its lane."""
    at = _place(random, events)
    new = make(_reply_of(events[at]) if events else "r0")
    lane = lane_of(events[at]) if events else None
    if lane is not None:
        new = new.model_copy(update={"metadata": lane.metadata})
    return [*events[: at + 1], new, *events[at + 1 :]]


def drop(random: Random, events: Events) -> Events:
    at = _place(random, events)
    return events[:at] + events[at + 1 :]


def cut(random: Random, events: Events) -> Events:
    return events[: _place(random, events) + 1]


def double(random: Random, events: Events) -> Events:
    """The same event twice, id included."""
    at = _place(random, events)
    return events[: at + 1] + events[at:]


def swap(random: Random, events: Events) -> Events:
    at = _place(random, events)
    return events[:at] + events[at : at + 2][::-1] + events[at + 2 :]


def delay(random: Random, events: Events) -> Events:
    """One event comes much later."""
    at = _place(random, events)
    rest = events[:at] + events[at + 1 :]
    to = random.randint(at, len(rest)) if events else 0
    return rest[:to] + events[at : at + 1] + rest[to:]


def restart(random: Random, events: Events) -> Events:
    """The START of a block again, as a new event."""
    starts = [event for event in events if event.type.endswith(("BLOCK_START", "CALL_START", "RESULT_START"))]
    if not starts:
        return events
    start = random.choice(starts).model_copy(update={"id": _new_id(random)})
    at = random.randint(0, len(events))
    return [*events[:at], start, *events[at:]]


def estrange(random: Random, events: Events) -> Events:
    """An event of a reply that never started."""
    at = _place(random, events)
    if not events or events[at].type in (EventType.CUSTOM, EventType.REPLY_START):
        return events
    return [*events[:at], events[at].model_copy(update={"reply_id": "elsewhere"}), *events[at + 1 :]]


def untag(random: Random, events: Events) -> Events:
    """An event of a sub-agent that no longer says so, or has lost its parent."""
    nested = [i for i, event in enumerate(events) if lane_of(event) is not None]
    if not nested:
        return events
    at = random.choice(nested)
    metadata = random.choice([{}, {"source": events[at].metadata["source"]}, {**events[at].metadata, "source": None}])
    return [*events[:at], events[at].model_copy(update={"metadata": metadata}), *events[at + 1 :]]


def orphan(random: Random, events: Events) -> Events:
    """A delta or end of a block that never started."""

    def make(reply: str) -> AgentEvent:
        common = {"id": _new_id(random), "created_at": STAMP, "reply_id": reply}
        cls, fields = random.choice(
            [
                (ev.TextBlockDeltaEvent, {"block_id": "ghost", "delta": "boo"}),
                (ev.TextBlockEndEvent, {"block_id": "ghost"}),
                (ev.ThinkingBlockDeltaEvent, {"block_id": "ghost", "delta": "boo"}),
                (ev.DataBlockDeltaEvent, {"block_id": "ghost", "media_type": "image/png", "data": "YQ=="}),
                (ev.ToolCallDeltaEvent, {"tool_call_id": "ghost", "delta": "{"}),
                (ev.ToolResultTextDeltaEvent, {"tool_call_id": "ghost", "delta": "boo"}),
                (ev.ToolResultEndEvent, {"tool_call_id": "ghost", "state": "success"}),
            ]
        )
        return cls(**common, **fields)

    return _insert(random, events, make)


def spoil(random: Random, events: Events) -> Events:
    """Data that cannot be used, in a delta of a block that is there."""
    deltas = [i for i, event in enumerate(events) if event.type in ("DATA_BLOCK_DELTA", "TOOL_RESULT_DATA_DELTA")]
    if not deltas:
        return events
    at = random.choice(deltas)
    payload = random.choice([{"url": "not a url", "data": None}, {"url": None, "data": random.choice(BAD_DATA)}])
    spoilt = events[at].model_copy(update={"id": _new_id(random), **payload})
    return [*events[:at], *random.choice([[spoilt], [spoilt, events[at]], [events[at], spoilt]]), *events[at + 1 :]]


def meddle(random: Random, events: Events) -> Events:
    """Client events for calls that are unknown, decided or finished."""
    calls = [event.tool_call_id for event in events if event.type == EventType.TOOL_CALL_START]
    call = random.choice([*calls, "ghost"])
    block = ToolCallBlock(id=call, name="other", input="edited", created_at=STAMP)
    result = ToolResultBlock(id=call, name="other", output="late", state="error", created_at=STAMP)

    def make(reply: str) -> AgentEvent:
        common = {"id": _new_id(random), "created_at": STAMP, "reply_id": reply}
        cls, fields = random.choice(
            [
                (ev.RequireUserConfirmEvent, {"tool_calls": [block, block]}),
                (ev.RequireExternalExecutionEvent, {"tool_calls": [block]}),
                (ev.UserConfirmResultEvent, {"confirm_results": [ev.ConfirmResult(confirmed=True, tool_call=block)]}),
                (ev.ExternalExecutionResultEvent, {"execution_results": [result, result]}),
                (ev.UserInterruptEvent, {}),
                (ev.ToolResultTextDeltaEvent, {"tool_call_id": call, "delta": "late"}),
            ]
        )
        return cls(**common, **fields)

    return _insert(random, events, make)


ACCIDENTS = [drop, cut, double, swap, delay, restart, estrange, untag, orphan, spoil, meddle]


def break_stream(random: Random, events: Events) -> Events:
    return random.choice(ACCIDENTS)(random, events)
