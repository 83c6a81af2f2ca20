"""What waits for a person, and who decided first."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nb_agentscope._common import now
from nb_agentscope.event import (
    AgentEvent,
    CustomEvent,
    ExternalExecutionResultEvent,
    ReplyEndEvent,
    RequireExternalExecutionEvent,
    RequireUserConfirmEvent,
    ToolResultEndEvent,
    UserConfirmResultEvent,
)
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.run._pending_call import Kind, PendingCall, pending_call
from nb_agentscope.run._refused import DecisionRefused
from nb_agentscope.stream import By, Lane, shown_event

Key = tuple[str, str]
"""Reply and tool call."""
Answer = UserConfirmResultEvent | ExternalExecutionResultEvent
_FOLLOWED = frozenset(
    {
        ExternalExecutionResultEvent,
        ReplyEndEvent,
        RequireExternalExecutionEvent,
        RequireUserConfirmEvent,
        ToolResultEndEvent,
        UserConfirmResultEvent,
    }
)


@dataclass
class _Entry:
    call: PendingCall
    block: ToolCallBlock
    lane: Lane | None
    occurrence: int
    """How many times its reply has asked under this id, this time included."""
    decision: dict[str, Any] | None = None
    answered: bool = False
    """Whether its result has ended, or its reply."""
    shown: bool = False
    """Whether a view has told that a person can see it."""

    @property
    def is_open(self) -> bool:
        return self.decision is None and not self.answered


class PendingCalls:
    """The table of asked calls; thread-safe, the first decision on a call wins.

    A call is known by its reply and its id, because sub-agents may use the same ids. Calls stay in the table when they are
    done, so that a late decision is told what was decided before.
    """

    def __init__(self, schemas: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self._schemas = schemas or {}
        self._lock = threading.Lock()
        self._entries: dict[Key, _Entry] = {}
        self._closed: str | None = None

    def open(self) -> list[PendingCall]:
        """The undecided calls in the order they were asked."""
        with self._lock:
            return [] if self._closed else [entry.call for entry in self._entries.values() if entry.is_open]

    def unanswered(self) -> bool:
        """Whether any asked call, decided or not, has no result yet: the agent is parked on it or about to run it."""
        with self._lock:
            return any(not entry.answered for entry in self._entries.values())

    def block(self, call: PendingCall) -> ToolCallBlock:
        """A copy of the asked block with the input that will run."""
        with self._lock:
            return self._entries[_key(call)].block.model_copy(deep=True, update={"input": call.input})

    def tag(self, call: PendingCall, event: Answer) -> None:
        """Mark the decision as one of the call's lane, so that it stands there in the log."""
        with self._lock:
            lane = self._entries[_key(call)].lane
        if lane is not None:
            event.metadata = event.metadata | lane.metadata

    def mark_shown(self, call: PendingCall) -> CustomEvent | None:
        """The event that says that a person can see the call now; None if one has said so, or if it waits no more."""
        with self._lock:
            entry = self._entries[_key(call)]
            if entry.shown or not entry.is_open or entry.call != call:
                return None
            entry.shown = True
            return shown_event(call.reply_id, call.tool_call_id, entry.lane)

    def schema(self, source: str | None, name: str) -> Mapping[str, Any] | None:
        """Of the arguments of a tool; a sub-agent's tool is another one, whatever its name."""
        return self._schemas.get(name if source is None else f"{source}/{name}")

    def follow(self, event: AgentEvent, asked_at: str | None, lane: Lane | None = None) -> bool:
        """Take in one event of the stream and its lane; True if what is open changed."""
        if type(event) not in _FOLLOWED:
            return False
        before = self.open()
        match event:
            case RequireUserConfirmEvent() | RequireExternalExecutionEvent():
                self._ask(event, asked_at, lane)
            case ToolResultEndEvent():
                self._answer(event.reply_id, [event.tool_call_id])
            case UserConfirmResultEvent():
                self._decided_elsewhere(
                    event.reply_id, {r.tool_call.id: _word(r.confirmed) for r in event.confirm_results}
                )
            case ExternalExecutionResultEvent():
                self._decided_elsewhere(event.reply_id, {r.id: "answered" for r in event.execution_results})
            case ReplyEndEvent():
                self._answer(event.reply_id, [call_id for _, call_id in list(self._entries)])
        return self.open() != before

    def find(
        self, tool_call_id: str | None, digest: str | None, kinds: Sequence[Kind], reply_id: str | None = None
    ) -> PendingCall:
        """The open call that a decision means.

        Args:
            tool_call_id: Its id; None means the only one open.
            reply_id: Its reply, where several have a call with this id; None means the only one open.
            digest: What the decider saw; None trusts the table.
            kinds: The kinds of call that the decision fits.

        Raises:
            DecisionRefused: There is no such call, it is decided already, or the digest or kind does not fit.
        """
        with self._lock:
            entry = self._open_entry(tool_call_id, reply_id)
        call = entry.call
        if digest is not None and digest != call.digest:
            raise DecisionRefused(
                f"The call {call.tool_call_id!r} is no longer the one that was shown; look at it again."
            )
        if call.kind not in kinds:
            raise DecisionRefused(_wrong_kind(call))
        return call

    def take(self, call: PendingCall, decision: str, by: By) -> None:
        """Decide; exactly one of several callers succeeds.

        Raises:
            DecisionRefused: Another decision was faster, or the call is gone.
        """
        with self._lock:
            entry = self._open_entry(call.tool_call_id, call.reply_id)
            if entry.call != call:
                raise DecisionRefused(
                    f"The call {call.tool_call_id!r} is no longer the one that was shown; look at it again."
                )
            entry.decision = {"decision": decision, "by": by, "at": now()}

    def close(self, reason: str) -> None:
        """Take no decision any more; `reason` completes the sentence "the run ..."."""
        with self._lock:
            self._closed = self._closed or reason

    def _open_entry(self, tool_call_id: str | None, reply_id: str | None) -> _Entry:
        entry = self._meant(tool_call_id, reply_id) if tool_call_id is not None else None
        if entry is not None and entry.decision is not None:
            raise _decided(entry)
        if self._closed is not None:
            raise DecisionRefused(f"Nothing can be decided: the run {self._closed}.")
        if tool_call_id is None:
            return self._only_one(reply_id)
        if entry is None:
            where = "" if reply_id is None else f" in reply {reply_id!r:.80}"
            raise DecisionRefused(f"There is no call {tool_call_id!r:.80}{where} to decide on; {self._names()}.")
        if entry.answered:
            raise DecisionRefused(f"The call {tool_call_id!r} has its result already; {self._names()}.")
        return entry

    def _meant(self, tool_call_id: str, reply_id: str | None) -> _Entry | None:
        """The entry with this id: of this reply, else the open one, else the newest."""
        if reply_id is not None:
            return self._entries.get((reply_id, tool_call_id))
        known = [entry for (_, call_id), entry in self._entries.items() if call_id == tool_call_id]
        waiting = [entry for entry in known if entry.is_open]
        if len(waiting) > 1 and self._closed is None:
            raise DecisionRefused(
                f"The call {tool_call_id!r} waits in {len(waiting)} replies: {', '.join(map(_place, waiting))}. "
                "Give the reply_id of one of them."
            )
        return next(reversed(waiting or known), None)

    def _only_one(self, reply_id: str | None) -> _Entry:
        waiting = [entry for entry in self._entries.values() if entry.is_open]
        waiting = [entry for entry in waiting if reply_id in (None, entry.call.reply_id)]
        if len(waiting) == 1:
            return waiting[0]
        more = " Give the tool_call_id of one of them." if waiting else ""
        raise DecisionRefused(f"Which call is meant? Now {self._names()}.{more}")

    def _names(self) -> str:
        waiting = [f"{e.call.tool_call_id!r} ({_path(e.call)})" for e in self._entries.values() if e.is_open]
        return f"waiting: {', '.join(waiting)}" if waiting else "nothing is waiting"

    def _ask(
        self, event: RequireUserConfirmEvent | RequireExternalExecutionEvent, asked_at: str | None, lane: Lane | None
    ) -> None:
        kind: Kind = "confirm" if isinstance(event, RequireUserConfirmEvent) else "external"
        for block in event.tool_calls:
            with self._lock:
                key = (event.reply_id, block.id)
                known = self._entries.get(key)
                # An open call that is asked again is the same question; one that was decided or answered is a new one.
                occurrence = 1 if known is None else known.occurrence + (not known.is_open)
                call = pending_call(
                    event.reply_id,
                    block,
                    kind,
                    self.schema(None if lane is None else lane.source, block.name),
                    occurrence,
                    asked_at,
                    lane,
                )
                if known is None or not known.is_open or known.call.digest != call.digest:
                    self._entries.pop(key, None)  # a new question stands at the end
                    self._entries[key] = _Entry(call, block.model_copy(deep=True), lane, occurrence)

    def _decided_elsewhere(self, reply_id: str, decisions: dict[str, str]) -> None:
        with self._lock:
            for call_id, decision in decisions.items():
                entry = self._entries.get((reply_id, call_id))
                if entry is not None and entry.is_open:
                    entry.decision = {"decision": decision, "by": None, "at": now()}

    def _answer(self, reply_id: str, call_ids: list[str]) -> None:
        with self._lock:
            for call_id in call_ids:
                entry = self._entries.get((reply_id, call_id))
                if entry is not None:
                    entry.answered = True


def _key(call: PendingCall) -> Key:
    return call.reply_id, call.tool_call_id


def _path(call: PendingCall) -> str:
    return call.name if call.source is None else f"{call.source}/{call.name}"


def _place(entry: _Entry) -> str:
    return f"{entry.call.reply_id!r} ({_path(entry.call)})"


def _decided(entry: _Entry) -> DecisionRefused:
    earlier = dict(entry.decision or {})
    by = f" by {earlier['by']}" if earlier["by"] else ""
    said = f"The call {entry.call.tool_call_id!r} was {earlier['decision']}{by} at {earlier['at']}; the first decision counts."
    return DecisionRefused(said, earlier)


def _wrong_kind(call: PendingCall) -> str:
    if call.kind == "external":
        return f"The call {call.tool_call_id!r} waits for a result: use submit_result, or deny to refuse it."
    return f"The call {call.tool_call_id!r} waits for a decision, not for a result: use approve or deny."


def _word(confirmed: bool) -> str:
    return "approved" if confirmed else "denied"
