"""Characters that a reader cannot see, or that change what he sees, made visible."""

from __future__ import annotations

import re

# C0 and C1 controls but tab, newline and return; soft hyphen, zero-width and bidirectional marks, isolates, overrides, BOM, tags.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""`text` with hidden characters as escapes such as `\u202e`, for what a person has to judge."""
    return _HIDDEN.sub(lambda match: _escape(ord(match.group())), text)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
