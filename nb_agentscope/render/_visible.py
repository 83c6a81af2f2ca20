"""Characters that hide or reorder text, made visible: a reader must see what ran. The same set as in the live view."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nb_agentscope.render._element import Html, element, joined

# Controls except tab and newline, soft hyphen, fillers, zero-width and bidi controls, line separators, odd spaces, tags.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_ANSI = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]")


def visible(text: str) -> Html:
    """`text` as HTML, with hidden characters as marked code points."""
    return joined(*_parts(text))


def _parts(text: str) -> Iterator[Html | str]:
    start = 0
    for match in _HIDDEN.finditer(text):
        yield text[start : match.start()]
        code = _code(match)
        yield element("span", code, cls="nbas-ctl", title=f"hidden character {code}")
        start = match.end()
    yield text[start:]


def visible_text(text: str) -> str:
    """`text` for places without markup, with hidden characters as `<U+202E>`."""
    return _HIDDEN.sub(lambda match: f"<{_code(match)}>", text)


def well_formed(text: str) -> str:
    """`text` without lone surrogates, which no file and no message can carry."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_ansi(text: str) -> str:
    """Tool output for the eye: terminal colours taken out."""
    return _ANSI.sub("", text)


def _code(match: re.Match[str]) -> str:
    return f"U+{ord(match.group()):04X}"
