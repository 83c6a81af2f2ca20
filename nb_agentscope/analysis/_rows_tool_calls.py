"""Rows of the table of tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from pydantic_core import from_json

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._intervals import Interval, peers, union_length
from nb_agentscope.analysis._rows_times import decided, ran
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import Ask, Block, Reply, ToolCall

_APPROVAL = {"user": "user", "rule": "rule", "policy": "auto", "code": "auto"}


def parallel(reply: Reply) -> Iterator[tuple[ToolCall, int | None]]:
    """Each tool call of a reply, and how many others ran at a moment when it did."""
    times = [_run(tool) for tool in reply.tools]
    counts = iter(peers([one for one in times if one is not None]))
    for tool, one in zip(reply.tools, times, strict=True):
        yield tool, None if one is None else next(counts)


def _run(tool: ToolCall) -> Interval | None:
    """When it ran, if that is known; one without end still does."""
    start, end = ran(tool)
    first, last = start.t if start else None, end.t if end else inf
    return None if first is None or last is None else Interval("tool", first, last)


def tool_call_row(scan: Scan, tool: ToolCall, n_parallel: int | None) -> dict[str, Any]:
    """The row of one tool call."""
    args, result = tool.args, tool.result
    text = args.text if args is not None else None
    call = args.call if args is not None else None
    return {
        "seq": tool.seq,
        "tool_call_id": tool.id,
        "occurrence": tool.occurrence,
        "reply_id": tool.reply.id,
        "agent": tool.reply.agent,
        "model_call_id": call.id if call is not None else None,
        "tool": tool.name,
        "kind": tool.kind,
        "args_json": text,
        **_arguments(tool, text),
        "args_chars": args.chars if args is not None else None,
        "called_at": _us(_start(args)),
        "args_done_at": _us(_end(args)),
        "exec_started_at": _us(_start(result)),
        "ended_at": _us(_end(result)),
        **_times(scan, tool),
        "state": tool.state or _unfinished(tool),
        "result_chars": result.chars if result is not None else None,
        "result_bytes": result.bytes if result is not None else None,
        "n_images": len(result.images or ()) if result is not None else None,
        "n_deltas": result.n_deltas if result is not None else None,
        "parallel_with": n_parallel,
        **_approval(tool),
    }


def _times(scan: Scan, tool: ToolCall) -> dict[str, Any]:
    args, result = tool.args, tool.result
    external = tool.kind == "external"
    span = scan.clock.span
    scan.place = tool.seq
    waited = _waited(scan, tool, [ask for ask in tool.asks if ask.kind == "confirm"])
    queued = span(_end(args), _start(result), "The queue of the tool call", tool.id)
    first = result.first if result is not None else None
    return {
        "args_stream_s": span(_start(args), _end(args), "The arguments of the tool call", tool.id),
        "queue_s": None if queued is None or waited is None else max(queued - waited, 0.0),
        "human_wait_s": waited,
        "exec_s": None if external else span(_start(result), _end(result), "The tool call", tool.id),
        "external_wait_s": _waited(scan, tool, [ask for ask in tool.asks if ask.kind != "confirm"])
        if external
        else None,
        "total_s": span(_start(args), _end(result), "All of the tool call", tool.id),
        "first_result_s": span(_start(result), first, "The first result of the tool call", tool.id),
    }


def _waited(scan: Scan, tool: ToolCall, asks: list[Ask]) -> float | None:
    """How long somebody was waited for, moments of several questions counted once; None if the end of one is not known."""
    if not asks:
        return 0.0
    intervals = []
    for ask in asks:
        start, end = ask.asked.t, decided(ask)
        if start is None or end is None or scan.clock.span(start, end, "The wait for the tool call", tool.id) is None:
            return None
        intervals.append(Interval("human", start, end.t if end.t is not None else start))
    return union_length(intervals)


def _arguments(tool: ToolCall, text: str | None) -> dict[str, Any]:
    answered = [ask for ask in tool.asks if ask.kind == "confirm" and not ask.is_open]
    valid = _is_object(text) if text is not None and tool.args is not None and tool.args.end is not None else None
    shown = any(ask.shown is not None and ask.shown != text for ask in answered)
    return {
        "args_valid": valid,
        "args_repaired": True if shown else False if valid else None,
        "args_edited": any(edited(ask) for ask in answered),
    }


def edited(ask: Ask) -> bool | None:
    """Whether the approved arguments are other than those asked about; None if nothing was approved, or it is not known."""
    before = ask.input if ask.shown is None else ask.shown
    return None if ask.after is None or before is None else ask.after != before


def _is_object(text: str) -> bool:
    try:
        return text == "" or isinstance(from_json(text, allow_inf_nan=False), dict)
    except ValueError:
        return False


def _unfinished(tool: ToolCall) -> str:
    for ask in tool.asks:
        if ask.is_open:
            return "asking" if ask.kind == "confirm" else "submitted"
    return "running" if tool.result is not None else "pending"


def _approval(tool: ToolCall) -> dict[str, Any]:
    """Who let it run, and by which rule."""
    asked = [ask for ask in tool.asks if ask.kind == "confirm"]
    if asked:
        return {"approval": _APPROVAL.get(asked[-1].by or ""), "rule": tool.rule}
    by_rule = tool.accepted if tool.state != "denied" else None
    return {"approval": "rule" if by_rule else "none", "rule": by_rule}


def _start(block: Block | None) -> Stamp | None:
    return None if block is None else block.start


def _end(block: Block | None) -> Stamp | None:
    return None if block is None else block.end


def _us(stamp: Stamp | None) -> int | None:
    return None if stamp is None else stamp.us
