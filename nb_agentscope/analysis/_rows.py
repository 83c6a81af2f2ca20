"""Rows of the tables, from what a scan has found; one dict each, keyed by column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._cost import Price
from nb_agentscope.analysis._critical_path import critical_path
from nb_agentscope.analysis._rows_approvals import approval_row
from nb_agentscope.analysis._rows_model_calls import hidden_call_row, model_call_row
from nb_agentscope.analysis._rows_replies import Totals, reply_row, totals
from nb_agentscope.analysis._rows_times import Span, spans
from nb_agentscope.analysis._rows_tool_calls import parallel, tool_call_row
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import Block, HiddenCall, ModelCall, Reply

Rows = Iterator[dict[str, Any]]
Prices = Mapping[str, Price]


def reply_rows(scan: Scan, _prices: Prices) -> Rows:
    """Of the table of replies."""
    sums: dict[str, Totals] = totals(scan.replies)
    for reply in scan.replies.values():
        yield reply_row(scan, reply, sums[reply.id])


def model_call_rows(scan: Scan, prices: Prices) -> Rows:
    """Of the table of model calls."""
    calls: list[ModelCall | HiddenCall] = [call for reply in scan.replies.values() for call in reply.calls]
    for call in sorted([*calls, *scan.hidden], key=lambda call: call.seq):
        if isinstance(call, ModelCall):
            yield model_call_row(scan, call, prices)
        else:
            yield hidden_call_row(scan, call, prices)


def tool_call_rows(scan: Scan, _prices: Prices) -> Rows:
    """Of the table of tool calls."""
    tools = [(tool, peers) for reply in scan.replies.values() for tool, peers in parallel(reply)]
    for tool, peers in sorted(tools, key=lambda pair: pair[0].seq):
        yield tool_call_row(scan, tool, peers)


def approval_rows(scan: Scan, _prices: Prices) -> Rows:
    """Of the table of approvals."""
    asks = [ask for reply in scan.replies.values() for ask in reply.asks]
    for ask in sorted(asks, key=lambda ask: ask.seq):
        yield approval_row(scan, ask)


def block_rows(scan: Scan, _prices: Prices) -> Rows:
    """Of the table of blocks."""
    blocks = [pair for reply in scan.replies.values() for pair in _named(reply)]
    for reply, block, name in sorted(blocks, key=lambda triple: triple[1].seq):
        yield {
            "seq": block.seq,
            "block_id": name,
            "reply_id": reply.id,
            "agent": reply.agent,
            "order": block.order,
            "kind": block.kind,
            "tool": None if block.tool is None else block.tool.name,
            "started_at": us(block.start),
            "ended_at": us(block.end),
            "duration_s": scan.clock.span(block.start, block.end, "The block", block.id),
            "chars": block.chars,
            "bytes": block.bytes,
            "media_type": block.media_type,
            "source": block.source,
            "text": block.text,
            "n_deltas": None if block.kind == "hint" else block.n_deltas,
            "complete": block.end is not None,
        }


def _named(reply: Reply) -> Iterator[tuple[Reply, Block, str]]:
    """Each block with its name: an id that is used again gets a number."""
    seen: dict[tuple[str, str], int] = {}
    for block in reply.blocks:
        number = seen[block.kind, block.id] = seen.get((block.kind, block.id), 0) + 1
        yield reply, block, block.id if number == 1 else f"{block.id}#{number}"


def interval_rows(scan: Scan, _prices: Prices) -> Rows:
    """Of the table of intervals."""
    found = [one for reply in scan.replies.values() for one in _with_path(reply)]
    for reply, span, critical, slack in sorted(found, key=lambda one: one[1].seq):
        yield {
            "seq": span.seq,
            "reply_id": reply.id,
            "lane": span.lane or None,
            "kind": span.kind,
            "ref_id": span.ref,
            "start": us(span.start),
            "end": us(span.end),
            "duration_s": scan.clock.span(span.start, span.end, "The interval of", span.ref),
            "critical": critical,
            "slack_s": slack,
        }


def _with_path(reply: Reply) -> Iterator[tuple[Reply, Span, bool | None, float | None]]:
    """Each span of a reply, whether it decided when the reply ended, and how long it could have taken more."""
    found = spans(reply)
    end = reply.end.t if reply.end else None
    placed = [(n, interval) for n, span in enumerate(found) if (interval := span.interval()) is not None]
    on_path: set[int] = set()
    slack: dict[int, float | None] = {}
    if end is not None:
        path = critical_path([interval for _, interval in placed], end)
        on_path = {placed[index][0] for index in path.indices}
        slack = {n: spare for (n, _), spare in zip(placed, path.slack, strict=True)}
    for n, span in enumerate(found):
        yield reply, span, None if end is None else n in on_path, slack.get(n)


def us(stamp: Stamp | None) -> int | None:
    """Its wall time."""
    return None if stamp is None else stamp.us


ROWS: dict[str, Callable[[Scan, Prices], Rows]] = {
    "replies": reply_rows,
    "model_calls": model_call_rows,
    "tool_calls": tool_call_rows,
    "approvals": approval_rows,
    "blocks": block_rows,
    "intervals": interval_rows,
}
