"""The trait `final`: the transcript for a view that no kernel answers, cut to a fixed size."""

from __future__ import annotations

import json
from typing import Any

from nb_agentscope.widget._dump import withhold
from nb_agentscope.widget._protocol import Final
from nb_agentscope.widget._view import Readable, read_snapshot

FINAL_BYTES = 96_000
"""Of the JSON text; with the static transcript (at most 160 kB) it stays below 256 kB."""
_TEXT_LIMITS = (20_000, 4_000, 800, 160)


def final_json(run: Readable, limit: int = FINAL_BYTES) -> str:
    """The finished run as JSON text of at most `limit` bytes: whole if it fits, else with long texts cut, then fewer blocks."""
    snapshot = read_snapshot(run, live=False)
    final = Final.model_validate(snapshot.model_dump()).model_dump(mode="json")
    if len(text := _text(final)) <= limit:
        return text
    withhold(final, 0)
    for characters in _TEXT_LIMITS:
        final = _cut(final, characters)
        if len(text := _text(final)) <= limit:
            return text
    return _with_fewer_blocks(final, limit)


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))  # ASCII, so that its length is its size in bytes


def _cut(value: Any, characters: int) -> Any:
    """A copy in which no string is longer than `characters` and a note of how much is missing."""
    if isinstance(value, dict):
        return {key: _cut(item, characters) for key, item in value.items()}
    if isinstance(value, list):
        return [_cut(item, characters) for item in value]
    if isinstance(value, str) and len(value) > characters + 60:
        return f"{value[:characters]}… ({len(value) - characters:,} more characters are in the log)"
    return value


def _with_fewer_blocks(final: dict[str, Any], limit: int) -> str:
    """Keep the newest sub-agents, then the newest replies and, of the last one, its newest blocks."""
    for part in [final, *final["lanes"]]:
        part["progress"].update(inputs=[], asked={}, decisions={}, tool_progress={})
    while final["lanes"] and len(_text(final)) > limit:
        final["lanes"] = final["lanes"][len(final["lanes"]) // 2 + 1 :]
    final["msgs"] = final["msgs"][-1:]
    for msg in final["msgs"]:
        msg["metadata"], msg["structured_output"] = {}, None
        while msg["content"] and len(_text(final)) > limit:
            msg["content"] = msg["content"][len(msg["content"]) // 2 + 1 :]
    return _text(final)
