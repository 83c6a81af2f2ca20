"""A whole run as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nb_agentscope.message import Base64Source, DataBlock, HintBlock, Msg, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._placement import Placed, Placement, place
from nb_agentscope.render._visible import visible_text, well_formed, without_ansi
from nb_agentscope.render._words import (
    ERRORS,
    call_state,
    decision_words,
    duration,
    empty_words,
    lane_phase,
    phase,
    size,
    stats,
)
from nb_agentscope.stream import Lane


def to_text(
    msgs: Sequence[Msg],
    progress: Any,
    *,
    lanes: Mapping[Lane, Any] | None = None,
    status: str = "finished",
    elapsed_s: float | None = None,
    limit: int | None = None,
) -> str:
    """The transcript as plain text.

    Args:
        msgs: The replies, oldest first.
        progress: The `Progress` of the same run.
        lanes: What sub-agents said: `msgs` and `progress` of each lane.
        status: running, waiting or finished.
        elapsed_s: Seconds that the run took so far; None leaves them out.
        limit: Size in bytes (UTF-8); the middle is left out beyond it.
    """
    head = [progress.agent or "Agent", progress.model, phase(msgs, status).word]
    if elapsed_s is not None:
        head.append(duration(elapsed_s))
    lines = [" · ".join(visible_text(part) for part in head if part)]
    scope = _Scope(progress, status == "finished", place(msgs, lanes or {}))
    for msg in [*(Msg.model_validate(raw) for raw in progress.inputs), *msgs]:
        lines += ["", f"{visible_text(msg.name)}:", *_lines(msg, scope)]
    if progress.notes:
        lines += ["", *(f"Note: {_one_line(text)}" for text in progress.notes)]
    for placed in scope.placement.loose:
        lines += ["", *_lane(placed, scope, placed.path)]
    foot = " · ".join(stats(msgs, progress)).replace("\u202f", " ")
    text = well_formed("\n".join([*lines, "", foot] if foot else lines))
    return text if limit is None else _cut(text, limit)


@dataclass(frozen=True)
class _Scope:
    """What the lines of a block depend on beside the block."""

    progress: Any
    ended: bool
    placement: Placement
    lane: Lane | None = None


def _lane(placed: Placed, scope: _Scope, title: str) -> Iterator[str]:
    """A sub-agent: its name, then all that it said, indented."""
    msgs = placed.view.msgs
    yield f"{visible_text(title)} · {lane_phase(msgs[-1] if msgs else None, ended=scope.ended).word}:"
    inner = replace(scope, progress=placed.view.progress, lane=placed.lane)
    asked = [Msg.model_validate(raw) for raw in inner.progress.inputs]
    yield from _indented(line for msg in [*asked, *msgs] for line in _lines(msg, inner))
    yield from _indented(f"Note: {_one_line(text)}" for text in inner.progress.notes)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    """Each line after a bar, also the later ones of a text."""
    return (f"  | {line}" for text in lines for line in text.split("\n"))


def _lines(msg: Msg, scope: _Scope) -> Iterator[str]:
    results = {block.id: block for block in msg.content if isinstance(block, ToolResultBlock)}
    calls = {block.id for block in msg.content if isinstance(block, ToolCallBlock)}
    for block in msg.content:
        match block:
            case TextBlock():
                yield _safe(block.text)
            case HintBlock():
                yield f"[hint from {visible_text(block.source or 'the system')}] {_output(block.hint)}"
            case DataBlock():
                yield _data(block)
            case ToolCallBlock():
                yield from _call(msg, block, results.get(block.id), scope)
            case ToolResultBlock() if block.id not in calls:
                yield from _begun(msg, block.id, scope)
                yield f"  → {_output(block.output)}"
    if msg.error is not None:
        yield f"{ERRORS[str(msg.error.type)][0]}: {visible_text(msg.error.message)}"
    elif not msg.content and msg.finished_at is not None:
        yield empty_words(msg)


def _begun(msg: Msg, call_id: str, scope: _Scope) -> Iterator[str]:
    for placed in scope.placement.under(scope.lane, msg.id, call_id):
        yield from (f"  {line}" for line in _lane(placed, scope, placed.names[-1]))


def _call(msg: Msg, call: ToolCallBlock, result: ToolResultBlock | None, scope: _Scope) -> Iterator[str]:
    decision = scope.progress.decisions.get(call.id)
    state = call_state(call, result, decision, ended=scope.ended)
    yield f"[{state.word}] {visible_text(call.name)}({visible_text(call.input)})"
    if decision is not None:
        yield " ".join(["  " + decision_words(decision), *(visible_text(rule.pattern) for rule in decision.rules)])
        if decision.edited_input is not None:
            yield f"  ran with {visible_text(decision.edited_input)}"
        if decision.note:
            yield f"  note: {visible_text(decision.note)}"
    yield from _begun(msg, call.id, scope)
    if result is not None and result.output:
        yield f"  → {_output(result.output)}"


def _output(output: str | Sequence[TextBlock | DataBlock]) -> str:
    if isinstance(output, str):
        return _safe(output)
    return "\n".join(_data(part) if isinstance(part, DataBlock) else _safe(part.text) for part in output)


def _data(block: DataBlock) -> str:
    source = block.source
    where = size(len(source.data) * 3 // 4) if isinstance(source, Base64Source) else visible_text(str(source.url))
    return f"[{visible_text(' · '.join(filter(None, [block.name, source.media_type])))} · {where}]"


def _safe(text: str) -> str:
    """Text for a terminal: colours taken out, other control characters made visible."""
    return visible_text(without_ansi(text))


def _one_line(text: str) -> str:
    return " ".join(_safe(text).split())


def _cut(text: str, limit: int) -> str:
    data = text.encode()
    if len(data) <= limit:
        return text
    half = (limit - 80) // 2
    head, tail = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
    return f"{head}\n… {len(data) - 2 * half} bytes are left out here …\n{tail}"
