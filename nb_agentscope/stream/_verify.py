"""Does a stream keep AgentScope's order rules?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nb_agentscope.event import AgentEvent, CustomEvent, EventType
from nb_agentscope.stream._lane import Lane, lane_of
from nb_agentscope.stream._parts import CLIENT_TYPES
from nb_agentscope.stream._verify_reply import Finding, ReplyRules
from nb_agentscope.stream._waiting import nested_calls

Lanes = dict[Lane | None, dict[str, ReplyRules]]
"""The replies of each lane by id, oldest first; None is the main lane."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One break of one rule."""

    index: int
    """Position in the stream; the stream's length where something is missing at its end."""
    event_id: str | None
    """Id of the event; None at the end of the stream."""
    rule: str
    """Short name of the rule, e.g. `not_ended`."""
    message: str
    """One sentence."""


def verify(events: Iterable[AgentEvent], *, complete: bool = False) -> list[Problem]:
    """The problems of a stream, in its order; an empty list if it keeps all rules.

    A reply may be parked, may be resumed with or without a second REPLY_START, and others may follow it. Answers of the client
    that come too late are no problem. Each lane of a sub-agent keeps the rules by itself, beside the main lane; only ids are
    unique over all, and a call may go on as long as the sub-agent that it runs waits for someone. The rules:

    - `known_id`: an event id came before.
    - `no_reply`, `older_reply`, `after_end`: an event of a reply that has not started, is not the newest, or has ended.
    - `started_twice`, `not_open`: a START of a known block; a DELTA or END of one that is not open.
    - `not_ended`: something open where it must have ended: at MODEL_CALL_END, MODEL_CALL_START, REPLY_END.
    - `outside_model_call`, `inside_model_call`: blocks come inside a model call, results and requests outside.
    - `no_call`, `answered`, `not_answered`: results and requests belong to finished calls, and each call gets one result.
    - `reply_not_ended`: a reply that waits for nothing has no REPLY_END, though another one begins.

    Args:
        events: The stream, or the beginning of one.
        complete: Whether nothing more comes; then what is still open is a problem, too.
    """
    return list(_problems(events, complete))


def _problems(events: Iterable[AgentEvent], complete: bool) -> Iterator[Problem]:
    ids: set[str] = set()
    lanes: Lanes = {None: {}}
    index = -1
    for index, event in enumerate(events):
        if event.id in ids:
            yield Problem(index, event.id, "known_id", f"{event.type} has the id {event.id!r} of an earlier event.")
        ids.add(event.id)
        if not isinstance(event, CustomEvent):
            for rule, sentence in _check(event, lanes):
                yield Problem(index, event.id, rule, f"{sentence}.")
    if complete:
        for replies in lanes.values():
            for rule, sentence in _left(replies, lanes):
                yield Problem(index + 1, None, rule, f"{sentence}.")


def _check(event: AgentEvent, lanes: Lanes) -> Iterator[Finding]:
    assert not isinstance(event, CustomEvent)  # noqa: S101 - for the type checker
    replies = lanes.setdefault(lane_of(event, lanes[None]), {})
    newest = _newest(replies)
    if event.reply_id not in replies:
        if event.type != EventType.REPLY_START:
            yield "no_reply", f"{event.type} of reply {event.reply_id!r}, which has not started"
            return
        yield from _left(replies, lanes)
        replies[event.reply_id] = ReplyRules(event.reply_id)
        return
    if newest is not None and event.reply_id != newest.id and event.type not in CLIENT_TYPES:
        yield "older_reply", f"{event.type} of reply {event.reply_id!r}, but reply {newest.id!r} has started since"
        return
    yield from replies[event.reply_id].push(event)


def _newest(replies: dict[str, ReplyRules]) -> ReplyRules | None:
    return next(reversed(replies.values()), None)


def _left(replies: dict[str, ReplyRules], lanes: Lanes) -> Iterator[Finding]:
    """What is missing in a lane, if nothing more comes."""
    newest = _newest(replies)
    if newest is not None:
        nested = {lane: reply for lane, each in lanes.items() if lane is not None and (reply := _newest(each))}
        yield from newest.left(nested_calls(nested, newest.id))
