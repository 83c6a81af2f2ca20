"""One pass over a log: what each reply, model call, tool call, block and question was.

Each type of event has a handler in a table. Deltas, nearly all events of a log, take a path of their own that counts and keeps
times, but no texts unless a table asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import tzinfo
from typing import Any

from nb_agentscope.analysis import _scan_blocks, _scan_human, _scan_life
from nb_agentscope.analysis._clock import Clock, Stamp
from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._read import Delta, Names
from nb_agentscope.analysis._scan_state import Block, Reply
from nb_agentscope.analysis._source import Source
from nb_agentscope.analysis._values import mapping, text
from nb_agentscope.event import EventType
from nb_agentscope.stream import HEADER_NAME, PARENT_CALL_KEY, PARENT_REPLY_KEY, SOURCE_KEY

Handler = Callable[["Scan", Reply, dict[str, Any], Stamp], None]

_HANDLERS: dict[str, Handler] = {**_scan_life.HANDLERS, **_scan_blocks.HANDLERS, **_scan_human.HANDLERS}
_INPUTS = frozenset(_scan_human.ANSWERS)
_LIMIT = 100_000  # blocks whose names are remembered


class Scan:
    """What a log holds, after `read`.

    Args:
        source: The log.
        tz: Zone of times that name none.
        keep_text: Whether texts of blocks are kept (those of arguments always are).
    """

    def __init__(self, source: Source, tz: tzinfo | None, *, keep_text: bool = False) -> None:
        self.name = source.name
        self.problems: list[AnalysisProblem] = []
        self.clock = Clock(tz, self.problem)
        self.keep_text = keep_text
        self.replies: dict[str, Reply] = {}
        self.n_events = 0
        self.first_us: int | None = None
        """Wall time of the first event that has one."""
        self.input_t: float | None = None
        """When input was handed in that no reply has taken yet."""
        self.accepted: dict[str, str] = {}
        """Rules for all calls of a tool that were accepted so far, by tool."""
        self._source = source
        self._seq: int | None = None
        self._ids: set[str] | None = None if source.unique else set()
        self._hot: dict[Names, tuple[Reply, Block]] = {}

    @property
    def seq(self) -> int:
        """Place of the event that is being read."""
        return self._seq or 0

    def problem(self, rule: str, message: str) -> None:
        """Note what does not fit, at the event that is being read."""
        self.problems.append(AnalysisProblem(self.name, self._seq, rule, message))

    @contextmanager
    def at(self, seq: int) -> Iterator[None]:
        """Note problems at this place of the log."""
        before, self._seq = self._seq, seq
        yield
        self._seq = before

    def read(self) -> Scan:
        """Take in the whole log."""
        for row in self._source.rows(self.problem):
            if type(row) is Delta:
                self._delta(row)
            else:
                self._event(row)  # type: ignore[arg-type]  # the only other kind of row
            self.n_events += 1
        self._seq = None
        _scan_life.finish(self)
        return self

    def _delta(self, row: Delta) -> None:
        names, id, created_at, chunk, seq, at, mono = row
        ids = self._ids
        if ids is not None:
            if id in ids:
                self._duplicate(id)
                return
            ids.add(id)
        self._seq = self.n_events if seq is None else seq
        found = self._hot.get(names)
        if found is None:
            found = self._find(names)
        reply, block = found
        t = self.clock.delta_t(mono, at, created_at)
        reply.last_t = t
        if reply.answered:
            _scan_life.resume(reply)
        if not chunk:
            return
        if not block.n_deltas:
            us = self.clock.wall(at, created_at)
            _scan_blocks.first_delta(reply, block, Stamp(t, us, self._seq))
        block.n_deltas += 1
        block.chars += len(chunk)
        if block.times is not None:
            block.times.append(_NAN if t is None else t)
        if block.texts is not None:
            block.texts.append(chunk)

    def _find(self, names: Names) -> tuple[Reply, Block]:
        """The block of a delta whose names come for the first time."""
        type_, reply_id, id = names
        stamp = Stamp(None, None, self.seq)
        reply = self.reply(reply_id, {}, stamp)
        block = _scan_blocks.block_of_delta(self, reply, type_, id)
        if len(self._hot) >= _LIMIT:
            self._hot.clear()
        self._hot[names] = reply, block
        return reply, block

    def forget(self, reply_id: str, id: str) -> None:
        """A block of this id begins anew: deltas are not the older one's any more."""
        for type_ in _scan_blocks.DELTA_KINDS:
            self._hot.pop((type_, reply_id, id), None)

    def _event(self, row: dict[str, Any]) -> None:
        recorded = mapping(row, "recorded")
        seq = recorded.get("seq")
        self._seq = seq if type(seq) is int else self.n_events
        type_, id = row.get("type"), row.get("id")
        if self._ids is not None and isinstance(id, str):
            if id in self._ids:
                self._duplicate(id)
                return
            self._ids.add(id)
        if type_ == EventType.CUSTOM:
            self._custom(row, recorded)
            return
        handler = _HANDLERS.get(type_) if isinstance(type_, str) else None
        reply_id = row.get("reply_id")
        if handler is None or not isinstance(reply_id, str):
            self._unknown(type_, handler is None)
            return
        stamp = self._stamp(row, recorded)
        reply = self.reply(reply_id, row, stamp)
        if stamp.t is not None:
            reply.last_t = stamp.t
        if reply.answered and type_ not in _INPUTS:
            _scan_life.resume(reply)
        handler(self, reply, row, stamp)

    def _stamp(self, row: dict[str, Any], recorded: dict[str, Any]) -> Stamp:
        stamp = self.clock.stamp(self.seq, row.get("created_at"), recorded)
        if self.first_us is None:
            self.first_us = stamp.us
        return stamp

    def _custom(self, row: dict[str, Any], recorded: dict[str, Any]) -> None:
        if row.get("name") == HEADER_NAME:
            self.clock.header(row.get("value"))
        stamp = self._stamp(row, recorded)
        if row.get("name") == _scan_life.INPUT and not mapping(row, "metadata").get(SOURCE_KEY):
            self.input_t = stamp.t

    def _unknown(self, type_: object, is_type: bool) -> None:
        what = f"has the unknown type {type_!r:.60}" if is_type else f"of the type {type_!r:.60} names no reply"
        self.problem("bad_event", f"An event {what}; it is left out.")

    def _duplicate(self, id: str) -> None:
        self.problem("duplicate", f"The id {id!r:.60} came before; the event is left out.")

    def reply(self, id: str, row: dict[str, Any], stamp: Stamp) -> Reply:
        """The reply of this id; it begins with the first event that names it."""
        reply = self.replies.get(id)
        if reply is None:
            reply = self.replies[id] = Reply(id, stamp.seq)
            self._place(reply, mapping(row, "metadata"))
            if row.get("type") != EventType.REPLY_START:
                self.problem(
                    "no_reply_start", f"The reply {id!r:.60} has no REPLY_START here; when it began is not known."
                )
        return reply

    def _place(self, reply: Reply, metadata: dict[str, Any]) -> None:
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


_NAN = float("nan")
