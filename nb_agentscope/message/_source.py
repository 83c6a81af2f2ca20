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

    def grow(self, chunk: bytes) -> None:
        """Append decoded bytes to the payload.

        Raises:
            ValueError: The payload so far is not base64; nothing is appended.
        """
        if getattr(self, "_pending", None) is None:
            # A payload from outside may have line breaks or padding inside; `joined` relies on the canonical form.
            self.__dict__["data"] = base64.b64encode(base64.b64decode(self.__dict__["data"])).decode()
        super().grow(chunk)

    def joined(self, value: str, chunks: list[bytes]) -> str:
        """The canonical payload with `chunks` appended; only its last, possibly padded group of four is decoded again."""
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
