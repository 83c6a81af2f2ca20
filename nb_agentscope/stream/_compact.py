"""Join the deltas of each block of a log, for keeping it small.

`compact` keeps every record that is no delta. Deltas of one block become one record at the place of the first, whatever other
blocks said meanwhile. Joining ends where a view might tell the difference: at another event of the block, or a delta that
differs in its metadata, has a URL or is not base64; at an event of the whole reply, such as the end of its model call; where
any reply begins, or another process goes on with the log; and before the newest event of an agent or sub-agent, for a log that
breaks off ends at that one. Empty deltas and those that bring something become two records, so
that it stays known when the first and the last content came. A joined record has the id, the time and the place of the first
of its deltas, and what all of them brought.

On disk, each line that was moved or joined says so in its key `recorded`:

- `seq`: position in the log **as it was recorded**, of the first delta; a compacted log has gaps there, and a line that another
  one was joined to may have a last `seq` above those that follow it. In memory `Record.seq` is the position in the compacted
  log, and `Record.recorded_seq` this one.
- `at`, `mono`, and the event's own `created_at`: those of the first delta.
- `n`: how many deltas were joined, at least 1; a line with `n` is a line of a compacted log. Either all of them are empty or
  none, as the payload of the line shows: the non-empty deltas of a block are the sum of `n` over its lines with a payload.
- with `n` above 1, `last`: `{"seq", "at", "mono", "created_at"}` of the last delta, on the same clocks, for deltas with different
  clocks (another process, a clock that went back) are not joined; and `times`: at how many different times they came, by `mono`,
  else `at`, else `created_at`. The first and last content of a model call are thus the first `seq` and the last `last.seq` (or
  `seq`) over the lines with a payload of its blocks. Gaps between deltas are not kept.

A line without `n` is one event as it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from nb_agentscope.event import CustomEvent, EventType
from nb_agentscope.stream._coalesce import RULES, Rule
from nb_agentscope.stream._header import HEADER_NAME
from nb_agentscope.stream._lane import lane_of
from nb_agentscope.stream._parts import PARTS
from nb_agentscope.stream._record import Compacted, Moment, Record


def compact(records: Iterable[Record]) -> Iterator[Record]:
    """The records of a log with the deltas of each block joined; see above."""
    known = list(records)
    newest = {lane_of(record.event): place for place, record in enumerate(known)}
    ends, compactor = set(newest.values()), _Compactor()
    for place, record in enumerate(known):
        compactor.push(record, is_end=place in ends)
    for seq, run in enumerate(compactor.runs):
        yield run.record(seq)


class _Run:
    """Deltas that become one record; any other record is one by itself."""

    def __init__(self, record: Record) -> None:
        self._first = record
        self._payloads: list[str] = []
        known = record.compacted or Compacted(record.seq)
        self._n, self._times = known.n, known.times
        self._last = known.last or _moment(record)

    def goes_on(self, record: Record) -> bool:
        """Whether the clock has not gone back since its last delta."""
        return self._last.mono is None or record.mono is None or record.mono >= self._last.mono

    def join(self, record: Record, rule: Rule) -> None:
        """One more delta of the same block and form."""
        if not self._payloads:
            self._payloads.append(getattr(self._first.event, rule.payload))
        self._payloads.append(getattr(record.event, rule.payload))
        known = record.compacted or Compacted(record.seq)
        self._n += known.n
        self._times += known.times - (_time(self._last) == _time(_moment(record)))
        self._last = known.last or _moment(record)

    def record(self, seq: int) -> Record:
        """The record for all of them, at this position."""
        first = self._first
        event = first.event
        if self._payloads:
            rule = RULES[event.type]
            event = event.model_copy(update={rule.payload: rule.join(self._payloads)})
        compacted: Compacted | None = None
        if self._n > 1:
            compacted = Compacted(first.recorded_seq, self._n, self._times, self._last)
        elif first.recorded_seq != seq:
            compacted = Compacted(first.recorded_seq)
        return first._replace(seq=seq, event=event, compacted=compacted)


class _Compactor:
    """Finds for each delta the run that it belongs to."""

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self._open: dict[str, dict[tuple[str, str], tuple[Any, dict[bool, _Run]]]] = {}
        """By reply and block: the form that its deltas have, and the runs of those with and without content."""
        self._replies: set[Any] = set()

    def push(self, record: Record, *, is_end: bool) -> None:
        """The next record of the log; `is_end`: its agent says no more."""
        event: Any = record.event
        part = PARTS.get(event.type)
        if isinstance(event, CustomEvent):
            if event.name == HEADER_NAME:
                self._open.clear()
        elif event.type == EventType.REPLY_START or self._is_new(event):
            self._open.clear()  # what an older reply still says is not folded from here on
        elif part is None:
            self._open.pop(event.reply_id, None)
        if part is None:
            self.runs.append(_Run(record))
            return
        # Arguments and result of a call share its id, and views rename both if it comes again.
        self._push_part(record, (part.field, getattr(event, part.field)), is_end=is_end)

    def _push_part(self, record: Record, block: tuple[str, str], *, is_end: bool) -> None:
        event: Any = record.event
        blocks = self._open.setdefault(event.reply_id, {})
        rule = RULES.get(event.type)
        if rule is None or is_end or not _joinable(record, rule):
            blocks.pop(block, None)
            self.runs.append(_Run(record))
            return
        form = _form(record, rule)
        known = blocks.get(block)
        if known is None or known[0] != form:
            known = blocks[block] = (form, {})
        brings = bool(getattr(event, rule.payload))
        run = known[1].get(brings)
        if run is None or not run.goes_on(record):
            run = known[1][brings] = _Run(record)
            self.runs.append(run)
        else:
            run.join(record, rule)

    def _is_new(self, event: Any) -> bool:
        """Whether it is the first event of its reply, which may begin one in a view."""
        reply = (event.reply_id, lane_of(event))
        if reply in self._replies:
            return False
        self._replies.add(reply)
        return True


def _joinable(record: Record, rule: Rule) -> bool:
    """Whether nothing is lost by joining it: it has bytes or text, and a time that can be read."""
    payload = getattr(record.event, rule.payload)
    if payload is None or record.missing:
        return False
    try:
        rule.join([payload])
        if record.mono is None:
            datetime.fromisoformat(record.at or record.event.created_at)
    except ValueError:
        return False
    return True


def _form(record: Record, rule: Rule) -> Any:
    """What deltas that are joined have in common."""
    event = record.event
    same = [getattr(event, field) for field in rule.same]
    return event.type, same, event.metadata, record.dir, record.by, record.at is None, record.mono is None


def _moment(record: Record) -> Moment:
    return Moment(record.recorded_seq, record.at, record.mono, record.event.created_at)


def _time(moment: Moment) -> float | str:
    return moment.mono if moment.mono is not None else moment.at or moment.created_at
