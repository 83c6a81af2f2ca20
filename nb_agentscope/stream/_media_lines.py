"""Lines of a log whose media are beside it.

Such a line is still an event that AgentScope reads: the payload in it is the empty text, a payload like any other, and
`recorded.media` lists what belongs where, as `{"at": [keys], "sha256", "size" (bytes), "ending"}`. The file is
`media/<sha256><ending>` beside the log.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Any

from nb_agentscope.stream._media import MediaFolder, MediaReference, read_reference

LIMIT = 16 * 1024
"""Bytes above which a payload goes into a file of its own."""

_BASE64_LIMIT = LIMIT * 4 // 3
_DATA_DELTAS = frozenset({"DATA_BLOCK_DELTA", "TOOL_RESULT_DATA_DELTA"})
Place = tuple[Any, str, str, tuple[str | int, ...]]
"""An object in an event, the key of its payload, its media type, and the way to the payload."""


def with_media_beside(line: str, folder: MediaFolder) -> str:
    """The line with its large media stored in the folder; the line itself if there are none."""
    if len(line) <= _BASE64_LIMIT:
        return line
    try:
        row = json.loads(line)
    except RecursionError:  # nested deeper than can be looked through; the log keeps it as it is
        return line
    found = list(filter(None, [_moved(place, folder) for place in _places(row)]))
    if not found:
        return line
    recorded = row.setdefault("recorded", {})
    recorded["media"] = [*recorded.get("media", []), *(reference._asdict() for reference in found)]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def _places(row: dict[str, Any]) -> Iterator[Place]:
    """Where base64 stands: in a delta of data, and in the source of each whole block, wherever it is nested."""
    if row.get("type") in _DATA_DELTAS:
        yield row, "data", str(row.get("media_type")), ("data",)
    rest: list[tuple[Any, tuple[str | int, ...]]] = [(row, ())]
    while rest:
        value, way = rest.pop()
        if isinstance(value, dict):
            if value.get("type") == "base64" and "media_type" in value:
                yield value, "data", str(value["media_type"]), (*way, "data")
            rest += [(inner, (*way, key)) for key, inner in value.items()]
        elif isinstance(value, list):
            rest += [(inner, (*way, i)) for i, inner in enumerate(value)]


def _moved(place: Place, folder: MediaFolder) -> MediaReference | None:
    holder, key, media_type, way = place
    data = _decoded(holder.get(key))
    reference = folder.store(data, media_type, way) if data is not None else None
    if reference is not None:
        holder[key] = ""
    return reference


def _decoded(text: Any) -> bytes | None:
    """The bytes of a large payload; None if it is small, or no base64 that comes back as the same text."""
    if not isinstance(text, str) or len(text) <= _BASE64_LIMIT:
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def put_media_back(
    row: dict[str, Any], references: Any, folder: MediaFolder
) -> tuple[tuple[MediaReference, ...], list[str]]:
    """Put the media of a line back into its event.

    Returns:
        What is missing, whose payload stays the empty text; and the sentences that say why, without a full stop.
    """
    missing, problems = [], []
    for raw in references if isinstance(references, list) else [references]:
        try:
            reference = read_reference(raw)
        except ValueError as error:
            problems.append(str(error))
            continue
        try:
            holder, key = _holder(row, reference.at)
            holder[key] = base64.b64encode(folder.load(reference)).decode()
        except ValueError as error:
            missing.append(reference)
            problems.append(str(error))
    return tuple(missing), problems


def _holder(row: dict[str, Any], way: tuple[str | int, ...]) -> tuple[Any, str | int]:
    """The object that has the payload, and its key there.

    Raises:
        ValueError: There is no such place, or something else is there.
    """
    value: Any = row
    try:
        for step in way[:-1]:
            value = value[step]
        fine = isinstance(value, dict) and value[way[-1]] == ""
    except (LookupError, TypeError):
        fine = False
    if not fine:
        raise ValueError("it has a reference to media in a place where no payload is")
    return value, way[-1]
