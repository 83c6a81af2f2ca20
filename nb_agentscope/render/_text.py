"""A whole run as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nb_agentscope.message import Base64Source, DataBlock, HintBlock, Msg, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render._visible import visible
from nb_agentscope.render._words import ERROR_WORDS, call_state, decision_words, duration, phase, size, usage_words


def to_text(
    msgs: Sequence[Msg],
    progress: Any,
    *,
    status: str = "finished",
    elapsed_s: float | None = None,
    limit: int | None = None,
) -> str:
    """The transcript as plain text.

    Args:
        msgs: The replies, oldest first.
        progress: The `Progress` of the same run.
        status: running, waiting or finished.
        elapsed_s: Seconds that the run took so far; None leaves them out.
        limit: Size in bytes (UTF-8); the middle is left out beyond it.
    """
    head = [progress.agent or "agent", progress.model, phase(list(msgs), status)[1]]
    if elapsed_s is not None:
        head.append(duration(elapsed_s))
    lines = [" · ".join(visible(part) for part in head if part)]
    for raw in progress.inputs:
        msg = Msg.model_validate(raw)
        lines += ["", f"{visible(msg.name)}:", *_lines(msg, progress)]
    for msg in msgs:
        lines += ["", f"{visible(msg.name)}:", *_lines(msg, progress)]
    usages = [word for msg in msgs[-1:] for word in usage_words(msg.usage, progress)]
    text = "\n".join([*lines, "", " · ".join(usages)] if usages else lines)
    return text if limit is None else _cut(text, limit)


def _lines(msg: Msg, progress: Any) -> Iterator[str]:
    results = {block.id: block for block in msg.content if isinstance(block, ToolResultBlock)}
    for block in msg.content:
        match block:
            case TextBlock():
                yield _safe(block.text)
            case HintBlock():
                yield f"[hint from {visible(block.source or 'system')}] {_output(block.hint)}"
            case DataBlock():
                yield _data(block)
            case ToolCallBlock():
                yield from _call(block, results.pop(block.id, None), progress)
            case ToolResultBlock() if block.id in results:
                yield f"  → {_output(block.output)}"
    if not msg.content and msg.finished_reason:
        yield f"(empty reply · {msg.finished_reason})"
    if msg.error is not None:
        yield f"{ERROR_WORDS[str(msg.error.type)]}: {visible(msg.error.message)}"


def _call(call: ToolCallBlock, result: ToolResultBlock | None, progress: Any) -> Iterator[str]:
    yield f"[{call_state(call, result)[1]}] {visible(call.name)}({visible(call.input)})"
    decision = progress.decisions.get(call.id)
    if decision is not None:
        yield f"  {decision_words(decision)}"
        if decision.edited_input is not None:
            yield f"  ran with {visible(decision.edited_input)}"
        if decision.note:
            yield f"  note: {visible(decision.note)}"
    if result is not None:
        yield f"  → {_output(result.output)}"


def _output(output: str | Sequence[TextBlock | DataBlock]) -> str:
    if isinstance(output, str):
        return _safe(output)
    return "\n".join(_data(part) if isinstance(part, DataBlock) else _safe(part.text) for part in output)


def _data(block: DataBlock) -> str:
    source = block.source
    where = size(len(source.data) * 3 // 4) if isinstance(source, Base64Source) else visible(str(source.url))
    return f"[{visible(block.name or 'data')} · {source.media_type} · {where}]"


def _safe(text: str) -> str:
    """Text for a terminal: escape sequences and hidden characters become visible."""
    return visible(text)


def _cut(text: str, limit: int) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return text
    half = (limit - 80) // 2
    head, tail = data[:half].decode("utf-8", "ignore"), data[-half:].decode("utf-8", "ignore")
    return f"{head}\n… {len(data) - 2 * half:,} bytes are left out here …\n{tail}"
