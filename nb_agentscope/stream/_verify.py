"""Does a stream keep AgentScope's order rules?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nb_agentscope.event import AgentEvent, CustomEvent, EventType
from nb_agentscope.stream._parts import CLIENT_TYPES
from nb_agentscope.stream._verify_reply import Finding, ReplyRules


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
    that come too late are no problem. The rules:

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
    replies: dict[str, ReplyRules] = {}
    index = -1
    for index, event in enumerate(events):
        if event.id in ids:
            yield Problem(index, event.id, "known_id", f"{event.type} has the id {event.id!r} of an earlier event.")
        ids.add(event.id)
        if not isinstance(event, CustomEvent):
            for rule, sentence in _check(event, replies):
                yield Problem(index, event.id, rule, f"{sentence}.")
    newest = _newest(replies)
    if complete and newest is not None:
        for rule, sentence in newest.left():
            yield Problem(index + 1, None, rule, f"{sentence}.")


def _check(event: AgentEvent, replies: dict[str, ReplyRules]) -> Iterator[Finding]:
    assert not isinstance(event, CustomEvent)  # noqa: S101 - for the type checker
    newest = _newest(replies)
    if event.reply_id not in replies:
        if event.type != EventType.REPLY_START:
            yield "no_reply", f"{event.type} of reply {event.reply_id!r}, which has not started"
            return
        if newest is not None:
            yield from newest.left()
        replies[event.reply_id] = ReplyRules(event.reply_id)
        return
    if newest is not None and event.reply_id != newest.id and event.type not in CLIENT_TYPES:
        yield "older_reply", f"{event.type} of reply {event.reply_id!r}, but reply {newest.id!r} has started since"
        return
    yield from replies[event.reply_id].push(event)


def _newest(replies: dict[str, ReplyRules]) -> ReplyRules | None:
    return next(reversed(replies.values()), None)
