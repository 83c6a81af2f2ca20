"""Handlers of blocks: text, thinking, data, hints, arguments and results of tool calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._scan_joined import read_joined
from nb_agentscope.analysis._scan_state import Block, BlockKind, Reply, ToolCall
from nb_agentscope.analysis._values import mapping, mappings, payload_size, text

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan

_OF_MODEL = frozenset({"text", "thinking", "tool_call", "data"})
_FIELD: dict[BlockKind, str] = {
    "text": "block_id",
    "thinking": "block_id",
    "data": "block_id",
    "tool_call": "tool_call_id",
    "tool_result": "tool_call_id",
}
DELTA_KINDS: dict[str, BlockKind] = {
    "TEXT_BLOCK_DELTA": "text",
    "THINKING_BLOCK_DELTA": "thinking",
    "TOOL_CALL_DELTA": "tool_call",
    "TOOL_RESULT_TEXT_DELTA": "tool_result",
    "DATA_BLOCK_DELTA": "data",
    "TOOL_RESULT_DATA_DELTA": "tool_result",
}
_NAN = float("nan")


def _start(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp, *, kind: BlockKind) -> None:
    id = _id(scan, row, kind)
    if id is None:
        return
    known = reply.newest.get((kind, id))
    if known is not None and known.end is None:
        if known.start is None:
            known.start = stamp
        return  # a repeated START of an open block
    block = _new(scan, reply, kind, id)
    block.start = stamp
    block.media_type = text(row, "media_type")
    if block.tool is not None:
        block.tool.name = text(row, "tool_call_name") or block.tool.name
        if kind == "tool_result" and not block.tool.asks:
            block.tool.accepted = scan.accepted.get(block.tool.name or "")


def _id(scan: Scan, row: dict[str, Any], kind: BlockKind) -> str | None:
    id = text(row, _FIELD[kind])
    if id is None:
        scan.problem("bad_event", f"A {row.get('type')} has no {_FIELD[kind]}; it is left out.")
    return id


def _new(scan: Scan, reply: Reply, kind: BlockKind, id: str) -> Block:
    """A new block, tied to its model call or its tool call."""
    block = Block(kind, id, len(reply.blocks), scan.place or 0, None)
    if kind == "tool_call" or (scan.keep_text and kind != "data"):
        block.texts = []
    call = reply.call
    if call is not None and kind in _OF_MODEL:
        block.call = call
        call.blocks.append(block)
    if kind == "tool_call":
        block.tool = _new_tool(scan, reply, id)
        block.tool.args = block
    elif kind == "tool_result":
        tool = tool_of(scan, reply, id)
        block.tool = _new_tool(scan, reply, id) if tool.ended else tool
        block.tool.result = block
    reply.newest[kind, id] = block
    reply.blocks.append(block)
    return block


def _new_tool(scan: Scan, reply: Reply, id: str) -> ToolCall:
    same = reply.by_id.setdefault(id, [])
    tool = ToolCall(reply, id, len(same) + 1, scan.place or 0)
    same.append(tool)
    reply.tools.append(tool)
    return tool


def tool_of(scan: Scan, reply: Reply, id: str) -> ToolCall:
    """The call that something outside the model means: the oldest one of this id that has no result, else the newest."""
    same = reply.by_id.get(id)
    if not same:
        return _new_tool(scan, reply, id)
    return next((tool for tool in same if not tool.ended), same[-1])


def _block_of_delta(scan: Scan, reply: Reply, kind: BlockKind, id: str) -> Block:
    """The block that a delta adds to; one without START begins with it."""
    return reply.newest.get((kind, id)) or _new(scan, reply, kind, id)


def first_delta(reply: Reply, block: Block, stamp: Stamp) -> None:
    """The first delta of a block that holds something; it may be the first of its model call, and of the reply's text."""
    block.first = stamp
    call = block.call
    if call is not None and call.first is None:
        call.first, call.first_kind = stamp, block.kind
    if block.kind == "text" and reply.first_text is None:
        reply.first_text = stamp


def _delta(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp, *, kind: BlockKind) -> None:
    """A delta that is no plain text, or that comes as a dict for another reason."""
    id = _id(scan, row, kind)
    if id is None:
        return
    block = _block_of_delta(scan, reply, kind, id)
    chunk, data, url = text(row, "delta"), text(row, "data"), text(row, "url")
    size = payload_size(row)
    if not (chunk or data or url or size):
        return
    if block.first is None:
        first_delta(reply, block, stamp)
    block.bytes += size
    n = _count(scan, block, mapping(row, "recorded"), stamp)
    block.add([chunk] if chunk else [], n)
    if not chunk:
        _media(block, text(row, "media_type"), text(row, "block_id") or "")


def _count(scan: Scan, block: Block, recorded: dict[str, Any], stamp: Stamp) -> int:
    """One delta more, or as many as are joined in it; returns how many."""
    joined = read_joined(recorded)
    n = 1 if joined is None else joined.n
    call = block.call
    if call is None:
        return n
    call.times.append(_NAN if stamp.t is None else stamp.t)
    call.joined += n - 1
    if scan.is_compacted:
        seq, t = (stamp.seq, stamp.t) if joined is None else (joined.seq, scan.clock.later(joined.last))
        if call.last is None or seq > call.last[0]:
            call.last = seq, _NAN if t is None else t
    return n


def _media(block: Block, media_type: str | None, payload: str) -> None:
    block.media_type = media_type or block.media_type
    if block.kind == "tool_result" and media_type is not None and media_type.startswith("image/"):
        block.images = block.images or set()
        block.images.add(payload)


def _end(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp, *, kind: BlockKind) -> None:
    id = _id(scan, row, kind)
    if id is None:
        return
    block = reply.newest.get((kind, id)) or _new(scan, reply, kind, id)
    if block.end is not None:
        return
    block.end = stamp
    if block.tool is not None and kind == "tool_result":
        _ended(block.tool, text(row, "state") or "success")
    final = text(row, "text")
    if kind == "text" and final is not None:  # where the final text is not the sum of the deltas
        block.chars = len(final)
        block.texts = [final] if scan.keep_text else None
    elif block.texts is not None:
        block.texts = ["".join(block.texts)]


def _ended(tool: ToolCall, state: str) -> None:
    """A tool call has its result, so that nothing is asked about it any more."""
    tool.state = state
    for ask in tool.asks:
        if ask.is_open:  # the answer is not in the log, only what came of it
            done = "approved" if ask.kind == "confirm" else "answered"
            ask.decision = {"denied": "denied", "interrupted": "interrupted"}.get(state, done)


def _hint(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    block = Block("hint", text(row, "block_id") or "", len(reply.blocks), stamp.seq, stamp, stamp)
    reply.blocks.append(block)
    block.source = text(row, "source")
    whole = text(row, "hint")
    parts = [whole] if whole is not None else [text(part, "text") or "" for part in mappings(row, "hint")]
    block.chars = sum(map(len, parts))
    block.texts = parts if scan.keep_text else None


_Handler = Callable[["Scan", Reply, dict[str, Any], Stamp], None]
_WORDS: dict[str, BlockKind] = {
    "TEXT_BLOCK": "text",
    "THINKING_BLOCK": "thinking",
    "DATA_BLOCK": "data",
    "TOOL_CALL": "tool_call",
    "TOOL_RESULT": "tool_result",
}
HANDLERS: dict[str, _Handler] = {
    "HINT_BLOCK": _hint,
    **{type_: partial(_delta, kind=kind) for type_, kind in DELTA_KINDS.items()},
    **{f"{word}_START": partial(_start, kind=kind) for word, kind in _WORDS.items()},
    **{f"{word}_END": partial(_end, kind=kind) for word, kind in _WORDS.items()},
}
