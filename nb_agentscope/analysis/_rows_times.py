"""Where the time of a reply went: its spans on the log's time line."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._intervals import OVERHEAD, PRIORITY, Interval, split, union_length
from nb_agentscope.analysis._scan_state import Ask, Reply, ToolCall


class Span(NamedTuple):
    """Something that went on; `end` is None while it does, or if its end is not known."""

    kind: str
    lane: str
    ref: str
    seq: int
    start: Stamp
    end: Stamp | None
    open: bool
    """Whether it goes on at the end of the log."""

    def interval(self) -> Interval | None:
        """Its place on the time line; None if that is not known."""
        first = self.start.t
        last = inf if self.open else self.end.t if self.end is not None else None
        return None if first is None or last is None else Interval(self.kind, first, last, self.ref, self.lane)


def spans(reply: Reply) -> list[Span]:
    """All spans of a reply, in the order in which they began."""
    found = [*_models(reply), *_tools(reply), *_asks(reply)]
    return sorted(found, key=lambda span: span.seq)


def _models(reply: Reply) -> Iterator[Span]:
    for call in reply.calls:
        if call.start is not None:
            yield Span("model", reply.agent or "", call.id, call.seq, call.start, call.end, call.status == "open")


def _tools(reply: Reply) -> Iterator[Span]:
    for tool in reply.tools:
        start, end = ran(tool)
        if start is not None:
            kind = "subagent" if tool.kind == "subagent" else "tool"
            # The end of a reply is also the end of what it ran.
            goes_on = end is None and reply.end is None
            yield Span(kind, tool.name or "", tool.id, start.seq, start, end, goes_on)


def ran(tool: ToolCall) -> tuple[Stamp | None, Stamp | None]:
    """When a local tool or a sub-agent ran; an external one runs elsewhere."""
    if tool.result is None or tool.kind == "external":
        return None, None
    return tool.result.start, tool.result.end


def _asks(reply: Reply) -> Iterator[Span]:
    for ask in reply.asks:
        kind = "human" if ask.kind == "confirm" else "external"
        yield Span(kind, ask.tool.name or "", ask.tool.id, ask.seq, ask.asked, decided(ask), ask.is_open)


def decided(ask: Ask) -> Stamp | None:
    """When the waiting ended; where a stop ended it, that is the end of the call."""
    if ask.decided is None and ask.decision == "interrupted" and ask.tool.result is not None:
        return ask.tool.result.end
    return ask.decided


class Split(NamedTuple):
    """The wall time of a reply by kind, in seconds."""

    model_s: float | None = None
    tool_s: float | None = None
    human_wait_s: float | None = None
    external_wait_s: float | None = None
    overlap_s: float | None = None
    overhead_s: float | None = None


def split_reply(reply: Reply, found: list[Span]) -> Split:
    """The wall time from its start to its end, or to its newest event."""
    start = reply.start.t if reply.start else None
    end = reply.end.t if reply.end else reply.last_t
    if start is None or end is None or end < start:
        return Split()
    intervals = []
    for span in found:
        interval = span.interval()
        if interval is not None:
            kind = "tool" if interval.kind == "subagent" else interval.kind
            intervals.append(interval._replace(kind=kind, start=max(interval.start, start), end=min(interval.end, end)))
    parts = split(intervals, start, end)
    kinds = {one.kind for one in intervals}
    overlap = 0.0
    if len(kinds) > 1:
        by_kind = sum(union_length(one for one in intervals if one.kind == kind) for kind in kinds)
        overlap = max(by_kind - (end - start - parts[OVERHEAD]), 0.0)  # without what is longer than their union
    model, tool, human, external = (parts[kind] for kind in PRIORITY)
    return Split(model, tool, human, external, overlap, parts[OVERHEAD])
