"""Where the bytes of a data block are: inline or behind a URL."""

from __future__ import annotations

import base64
from typing import ClassVar, Literal

from pydantic import AnyUrl, BaseModel

from nb_agentscope.message._growing import Growing


class Base64Source(Growing):
    """Bytes inline, as standard padded base64; the text is not checked at construction."""

    growing_field: ClassVar[str] = "data"

    type: Literal["base64"] = "base64"
    data: str
    """The payload in base64."""
    media_type: str
    """MIME type, e.g. `image/png`."""

    def joined(self, value: str, chunks: list[bytes]) -> str:
        """Append decoded bytes; only the last, possibly padded group of four is decoded again."""
        keep = len(value) // 4 * 4 - (4 if value.endswith("=") else 0)
        tail = base64.b64decode(value[keep:])
        return value[:keep] + base64.b64encode(tail + b"".join(chunks)).decode()


class URLSource(BaseModel):
    """Bytes behind an absolute URL, which is normalised."""

    type: Literal["url"] = "url"
    url: AnyUrl
    """Absolute URL; `data:` and `file:` pass."""
    media_type: str
    """MIME type of what is behind it."""
