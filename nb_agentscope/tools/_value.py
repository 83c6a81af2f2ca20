"""What a function gave, as content of a tool result."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic_core import to_jsonable_python

from nb_agentscope._common import encodable, short_repr
from nb_agentscope.message import Base64Source, DataBlock, TextBlock, ToolResultState
from nb_agentscope.tools._chunk import ToolChunk
from nb_agentscope.tools._errors import ToolError, ToolOutputError

_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"BM": "image/bmp",
}
_PICTURES = {"_repr_png_": "image/png", "_repr_jpeg_": "image/jpeg"}  # what a notebook asks objects for
_KINDS = (
    "give str, None, a text or data block, a list with such blocks, the bytes of an image, an object with _repr_png_ or "
    "_repr_jpeg_, what JSON can hold, or a ToolChunk"
)


def to_chunk(value: object) -> ToolChunk:
    """The chunk that a value of a function stands for.

    Text is text and blocks are blocks; the bytes of an image, and objects that a notebook shows as one, become an image. A list
    with a block or an image in it is a list of content; every other list, and all that JSON can hold, is JSON text.

    Raises:
        ToolOutputError: It is none of these.
    """
    if value is None:
        return ToolChunk()
    if isinstance(value, ToolChunk):
        return _checked(value)
    if isinstance(value, str):
        return ToolChunk((_text(value),))
    if (block := _block(value)) is not None:
        return ToolChunk((block,))
    if isinstance(value, list | tuple):
        blocks = [_block(item) for item in value]
        if any(blocks):
            return ToolChunk([block or _words(item) for item, block in zip(value, blocks, strict=True)])
    return ToolChunk((_words(value),))


def as_json(value: object) -> str:
    """JSON text that a model can read: floats exact, every letter as it is.

    Raises:
        ToolOutputError: JSON cannot hold the value.
    """
    try:
        return json.dumps(value, ensure_ascii=False, default=_jsonable)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolOutputError(f"A tool gave {_told(value)}, which is no result: {_KINDS}.") from error


def _jsonable(value: object) -> Any:
    return to_jsonable_python(value, bytes_mode="base64")


def _block(value: object) -> TextBlock | DataBlock | None:
    """The block of a value that is a block or an image; None for text and JSON."""
    if isinstance(value, TextBlock | DataBlock):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return _image_of_bytes(bytes(value))
    return None if isinstance(value, type) else _image_of_object(value)


def _words(value: object) -> TextBlock:
    return _text(value if isinstance(value, str) else as_json(value))


def _text(text: str) -> TextBlock:
    """Text that a message can carry; the name of a file, e.g., need not be UTF-8."""
    return TextBlock(text=encodable(text))


def _image_of_bytes(data: bytes) -> DataBlock:
    media_type = next((kind for start, kind in _SIGNATURES.items() if data.startswith(start)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        media_type = "image/webp"
    if media_type is None:
        raise ToolOutputError(
            f"A tool gave {len(data)} bytes that are no PNG, JPEG, GIF, WebP or BMP image: give a DataBlock that says their "
            "media type."
        )
    return _image(data, media_type)


def _image_of_object(value: object) -> DataBlock | None:
    for method, media_type in _PICTURES.items():
        found = getattr(value, method, None)
        picture = found() if callable(found) else None
        if isinstance(picture, tuple):  # (data, metadata), as IPython allows
            picture = picture[0] if picture else None
        if isinstance(picture, str):
            picture = base64.b64decode(picture)
        if isinstance(picture, bytes):
            return _image(picture, media_type)
    return None


def _image(data: bytes, media_type: str) -> DataBlock:
    return DataBlock(source=Base64Source(data=base64.b64encode(data).decode(), media_type=media_type))


def error_chunk(error: ToolError) -> ToolChunk:
    """The chunk that a tool's own error stands for."""
    return _checked(ToolChunk((_text(str(error)),), ToolResultState.ERROR, error.metadata))


def _checked(chunk: ToolChunk) -> ToolChunk:
    """A chunk is what its author wrote, so it may hold anything; what comes of it must fit into an event and a file."""
    _check_content(chunk)
    if chunk.state not in list(ToolResultState):
        raise ToolOutputError(
            f"The state of a ToolChunk is one of {', '.join(ToolResultState)}, got {short_repr(chunk.state)}."
        )
    if not isinstance(chunk.metadata, Mapping):
        raise ToolOutputError(f"The metadata of a ToolChunk are a dict, got {_told(chunk.metadata)}.")
    progress = chunk.metadata.get("mcp_progress", {})
    if not isinstance(progress, Mapping):
        raise ToolOutputError(
            f"The mcp_progress of a ToolChunk is a dict, got {_told(progress)}: use progress(done, total)."
        )
    plain = _plain(chunk.metadata) if chunk.metadata else chunk.metadata
    return chunk if plain == chunk.metadata else replace(chunk, metadata=plain)


def _plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata as they would come back from a file."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(metadata), default=_jsonable))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolOutputError(f"The metadata of a ToolChunk must be what JSON can hold: {error}.") from error
    return plain


def _check_content(chunk: ToolChunk) -> None:
    content: object = chunk.content
    if isinstance(content, str) or not isinstance(content, Sequence):
        raise ToolOutputError(
            f"The content of a ToolChunk is a list of blocks, got {short_repr(content)}: write [TextBlock(text=...)]."
        )
    for block in content:
        if not isinstance(block, TextBlock | DataBlock):
            raise ToolOutputError(f"The content of a ToolChunk is text and data blocks, got {_told(block)}.")


def _told(value: object) -> str:
    return f"{short_repr(value)} of type {type(value).__name__}"
