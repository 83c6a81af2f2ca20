"""Values of foreign JSON: the value if it is of the kind that it should be, else None."""

from __future__ import annotations

from typing import Any, TypeGuard

MAX_INT = 2**53
"""What is larger is no count, no size and no place in a log."""


def is_int(value: object) -> TypeGuard[int]:
    """Whether it is a whole number of a size that tables can hold, and sums of it, too."""
    return type(value) is int and -MAX_INT < value < MAX_INT


def text(row: dict[str, Any], key: str) -> str | None:
    """A string."""
    value = row.get(key)
    return value if isinstance(value, str) else None


def mapping(row: dict[str, Any], key: str) -> dict[str, Any]:
    """A dict; an empty one if there is none."""
    value = row.get(key)
    return value if isinstance(value, dict) else {}


def mappings(row: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The dicts in a list."""
    value = row.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def payload_size(row: dict[str, Any]) -> int:
    """Bytes of the key `data`, also where they are stored beside the log."""
    stored = stored_data(row)
    return decoded_size(text(row, "data")) if stored is None else stored[0]


def stored_data(row: dict[str, Any]) -> tuple[int, str | None] | None:
    """Size and hash of what the key `data` stands for, if that is stored beside the log."""
    for media in mappings(mapping(row, "recorded"), "media"):
        size = media.get("size")
        if media.get("at") == ["data"] and is_int(size) and size >= 0:
            return size, text(media, "sha256")
    return None


def decoded_size(data: str | None) -> int:
    """Bytes that base64 text stands for."""
    return len(one_line(data).rstrip("=")) * 3 // 4 if data else 0


def one_line(data: str) -> str:
    """Base64 text without the line breaks that some write into it."""
    return "".join(data.split()) if "\n" in data or "\r" in data else data
