"""Where the time of a reply went: its spans on the log's time line."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._intervals import OVERHEAD, PRIORITY, Interval, concurrency, shared_length, split
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import Ask, Reply, ToolCall


class Span(NamedTuple):
    """Something that went on; `end` is None while it does, or if it is not known when it ended."""

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
            is_last = call is reply.calls[-1]
            end = call.end or (_cut_off(reply) if is_last else None)
            yield Span("model", reply.agent or "", call.id, call.seq, call.start, end, call.status == "open")


def _tools(reply: Reply) -> Iterator[Span]:
    for tool in reply.tools:
        start, end = ran(tool)
        if start is not None:
            kind = "subagent" if tool.kind == "subagent" else "tool"
            goes_on = end is None and reply.end is None
            yield Span(kind, tool.name or "", tool.id, start.seq, start, end or _cut_off(reply), goes_on)


def _cut_off(reply: Reply) -> Stamp | None:
    """The end of what a reply left without one: a reply that failed or was stopped ended with it."""
    return reply.end if reply.finished_reason in ("error", "interrupted") else None


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
    """When the waiting ended; without an answer in the log, when the call or the reply ended that shows it."""
    if ask.decided is not None or ask.is_open:
        return ask.decided
    end = ask.tool.result.end if ask.tool.result is not None else None
    if ask.decision in ("interrupted", "expired"):
        return end or ask.tool.reply.end
    return end if ask.kind != "confirm" else None  # an approved call may have stood in a queue before it ran


class Split(NamedTuple):
    """The wall time of a reply by kind, in seconds."""

    model_s: float | None = None
    tool_s: float | None = None
    human_wait_s: float | None = None
    external_wait_s: float | None = None
    overlap_s: float | None = None
    overhead_s: float | None = None


def split_reply(scan: Scan, reply: Reply, found: list[Span]) -> Split:
    """The wall time from its start to its end, or to its newest event; None for the time of a kind that is not all known."""
    start = reply.start.t if reply.start else None
    end = reply.end.t if reply.end else reply.last_t
    if start is None or end is None or end < start:
        return Split()
    intervals, unknown = [], set()
    for span in found:
        kind, interval = "tool" if span.kind == "subagent" else span.kind, span.interval()
        if interval is None or scan.clock.span(interval.start, interval.end, "What went on in", span.ref) is None:
            unknown.add(kind)
            continue
        intervals.append(interval._replace(kind=kind, start=max(interval.start, start), end=min(interval.end, end)))
    parts = split(intervals, start, end)
    model, tool, human, external = (None if kind in unknown else parts[kind] for kind in PRIORITY)
    if unknown:
        return Split(model, tool, human, external)
    return Split(model, tool, human, external, shared_length(intervals), parts[OVERHEAD])


def tool_concurrency(reply: Reply, found: list[Span]) -> dict[str, float | None]:
    """How many local tools and sub-agents ran at once; what still runs does so up to the newest event."""
    now = reply.end.t if reply.end else reply.last_t
    ran_at = [span.interval() for span in found if span.kind in ("tool", "subagent")]
    known = [one._replace(end=min(one.end, inf if now is None else now)) for one in ran_at if one is not None]
    at_once = concurrency(one for one in known if one.end < inf)
    return {
        "tool_concurrency_max": at_once.max,
        "tool_concurrency_mean": at_once.mean,
        "tool_overlap_factor": at_once.overlap_factor,
    }
