"""One pass over a log: what each reply, model call, tool call, block and question was.

Each type of event has a handler in a table. Deltas of text, nearly all events of a log, take a path of their own once their block
is known: it counts and keeps times, but no texts unless a table asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import tzinfo

from nb_agentscope.analysis import _scan_blocks, _scan_human, _scan_life
from nb_agentscope.analysis._clock import Clock, Stamp
from nb_agentscope.analysis._ids import Hashes, Ids, Known, Unique
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._read import Delta, Row
from nb_agentscope.analysis._scan_burst import add_burst
from nb_agentscope.analysis._scan_joined import follow
from nb_agentscope.analysis._scan_life import finish, resume
from nb_agentscope.analysis._scan_observed import observed
from nb_agentscope.analysis._scan_state import HiddenCall, Reply
from nb_agentscope.analysis._source import Source
from nb_agentscope.analysis._values import is_int, mapping, text
from nb_agentscope.event import EventType
from nb_agentscope.stream import (
    HEADER_NAME,
    INPUT_NAME,
    MODEL_CALL_NAME,
    PARENT_CALL_KEY,
    PARENT_REPLY_KEY,
    SHOWN_NAME,
    SOURCE_KEY,
)

Handler = Callable[["Scan", Reply, Row, Stamp], None]

_HANDLERS: dict[str, Handler] = {**_scan_life.HANDLERS, **_scan_blocks.HANDLERS, **_scan_human.HANDLERS}
_ANSWERS = frozenset(_scan_human.ANSWERS)
_NOTHING: Row = {}


def scan(source: Source, tz: tzinfo | None, *, keep_text: bool = False) -> Scan:
    """What a log holds; see `Scan`."""
    if source.unique:
        return Scan(source, tz, Unique(), keep_text=keep_text).read()
    hashes = Hashes()
    found = Scan(source, tz, hashes, keep_text=keep_text).read()
    return Scan(source, tz, Known(), keep_text=keep_text).read() if hashes.may_repeat() else found


class Scan:
    """What a log holds, after `read`.

    Args:
        source: The log.
        tz: Zone of times that name none.
        ids: Which ids came before.
        keep_text: Whether texts of blocks are kept (those of arguments always are).
    """

    def __init__(self, source: Source, tz: tzinfo | None, ids: Ids, *, keep_text: bool = False) -> None:
        self.name = source.name
        self.problems: list[AnalysisProblem] = []
        self.clock = Clock(tz, self.problem)
        self.keep_text = keep_text
        self.replies: dict[str, Reply] = {}
        self.speaking: dict[str, Reply] = {}
        """Those that have not ended."""
        self.hidden: list[HiddenCall] = []
        self.n_hidden: Counter[str] = Counter()
        """How many of these each reply has, by its id; "" for those whose reply is not known."""
        self.n_events = 0
        self.first_us: int | None = None
        """Wall time of the first event that has one."""
        self.input_t: float | None = None
        """When input was handed in that no reply has taken yet."""
        self.accepted: dict[str, str] = {}
        """Rules for all calls of a tool that were accepted so far, by tool."""
        self.is_compacted = False
        """Whether deltas are joined."""
        self._source = source
        self.place: int | None = None
        """Where problems are noted: at this event."""
        self.ids = ids

    def problem(self, rule: str, message: str) -> None:
        """Note what does not fit, at the event that is being read."""
        self.problems.append(AnalysisProblem(self.name, self.place, rule, message))

    def read(self) -> Scan:
        """Take in the whole log."""
        for item in self._source.rows(self.problem):
            if isinstance(item, list):
                self._burst(item)
            else:
                self._event(item)
        self.place = None
        finish(self)
        return self

    def _burst(self, deltas: list[Delta]) -> None:
        """Deltas of one block; if something is special about them, it often is about the first only."""
        if add_burst(self, deltas):
            return
        self._event(deltas[0].row())
        if len(deltas) > 1 and not add_burst(self, deltas[1:]):
            for delta in deltas[1:]:
                self._event(delta.row())

    def _event(self, row: Row) -> None:
        """Any event."""
        n = self.n_events
        self.n_events += 1
        recorded = row.get("recorded")
        if type(recorded) is not dict:
            recorded = _NOTHING
        seq = recorded.get("seq")
        self.place = seq = seq if is_int(seq) else n
        id = row.get("id")
        if type(id) is str:
            if not self.ids.are_new([id]):
                self._duplicate(id, seq)
                return
            self.ids.add([id])
        type_, reply_id = row.get("type"), row.get("reply_id")
        handler = _HANDLERS.get(type_) if type(type_) is str else None
        if handler is None or type(reply_id) is not str:
            self._other(row, type_, recorded, seq)
            return
        stamp = self.clock.stamp(seq, row.get("created_at"), recorded)
        reply = self.replies.get(reply_id)
        if reply is None:
            reply = self._new_reply(reply_id, row, stamp)
        if stamp.t is not None and seq > reply.joined_until:
            reply.last_t = stamp.t
        if "n" in recorded:
            follow(self, reply, recorded)
        if reply.answered and type_ not in _ANSWERS:
            resume(reply)
        handler(self, reply, row, stamp)

    def _other(self, row: Row, type_: object, recorded: Row, seq: int) -> None:
        """An event of no reply."""
        if type_ != EventType.CUSTOM:
            known = isinstance(type_, str) and type_ in _HANDLERS
            what = f"of the type {type_!r:.60} names no reply" if known else f"has the unknown type {type_!r:.60}"
            self.problem("bad_event", f"An event {what}; it is left out.")
            return
        if row.get("name") == HEADER_NAME:
            self.clock.header(row.get("value"))
        stamp = self.clock.stamp(seq, row.get("created_at"), recorded)
        if self.first_us is None:
            self.first_us = stamp.us
        if row.get("name") == INPUT_NAME and not mapping(row, "metadata").get(SOURCE_KEY):
            self.input_t = stamp.t
        elif row.get("name") == SHOWN_NAME:
            _scan_human.shown(self, row, stamp)
        elif row.get("name") == MODEL_CALL_NAME:
            observed(self, row, stamp)

    def _duplicate(self, id: str, seq: int) -> None:
        self.place = seq
        self.problem("duplicate", f"The id {id!r:.60} came before; the event is left out.")

    def _new_reply(self, id: str, row: Row, stamp: Stamp) -> Reply:
        """A reply begins with the first event that names it."""
        reply = self.replies[id] = self.speaking[id] = Reply(id, stamp.seq)
        if self.first_us is None:
            self.first_us = stamp.us
        self._place(reply, mapping(row, "metadata"))
        if row.get("type") != EventType.REPLY_START:
            self.problem("no_reply_start", f"The reply {id!r:.60} has no REPLY_START here; when it began is not known.")
        return reply

    def _place(self, reply: Reply, metadata: Row) -> None:
        """Find out whose sub-agent speaks, if it is one."""
        reply.source = text(metadata, SOURCE_KEY)
        if reply.source is None:
            return
        reply.parent_reply_id = text(metadata, PARENT_REPLY_KEY)
        reply.parent_tool_call_id = text(metadata, PARENT_CALL_KEY)
        parent = self.replies.get(reply.parent_reply_id or "")
        if parent is None or parent is reply:
            reply.depth = max(reply.source.count("/"), 1)
            return
        reply.parent = parent
        reply.depth = parent.depth + 1
        if reply.parent_tool_call_id is not None:
            _scan_blocks.tool_of(self, parent, reply.parent_tool_call_id).subagent = True
