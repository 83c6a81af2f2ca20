"""A model's markdown as HTML: no raw HTML, no scripts, nothing fetched; the markup is the live view's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import SplitResult, urlsplit

from nb_agentscope.render._element import Html, element, joined, unstyled
from nb_agentscope.render._highlight import highlight
from nb_agentscope.render._icon import icon

_SCHEMES = frozenset({"http", "https", "mailto"})
_URL = re.compile(r"\b(https?://[^\s\\]+)")
_NUMBER = re.compile("[-+\u2212]?[$\u20ac\u00a3\u00a5]?[0-9][0-9.,'\u00a0\u202f ]*[%$\u20ac\u00a3\u00a5]?")
"""What stands at the right of a table cell; the same as in the live view."""
_IN_LINK = "nbas_in_link"
_HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}


def markdown(text: str) -> Html:
    """The HTML of `text`; links go to http, https and mailto only, and images become links."""
    return element("div", Html(_parser().render(text)), cls="nbas-md-body")


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = safe_link  # type: ignore[method-assign]  # the documented way to choose what a link may be
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
        return parts if parts.scheme.lower() in _SCHEMES else None
    except ValueError:
        return None


def safe_link(url: str) -> bool:
    """Whether a link to `url` may be clicked."""
    return _split(url) is not None


def web_host(url: str) -> str:
    """The host of an http address; empty if it is none."""
    parts = _split(url)
    return parts.netloc if parts is not None and parts.scheme != "mailto" else ""


def anchor(url: str, *children: Html | str, cls: str = "") -> Html:
    """A link that opens outside."""
    return element("a", *children, cls=cls, href=url, title=url, target="_blank", rel="noopener noreferrer")


def link(url: str, *children: Html | str, cls: str = "") -> Html:
    """A link, and the host it leads to where its text does not say it."""
    return joined(anchor(url, *children, cls=cls), _host_note(url, "".join(children)))


def _host_note(url: str, text: str) -> Html | None:
    parts = _split(url)
    if parts is None:
        return None
    host = parts.path if parts.scheme == "mailto" else parts.netloc
    return element("span", host, cls="nbas-host") if host and host not in text else None


# Rules of markdown-it: each gets the tokens and the index of its own.


def _link_open(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    env[_IN_LINK] = True
    for name, value in {"title": token.attrGet("href"), "target": "_blank", "rel": "noopener noreferrer"}.items():
        token.attrSet(name, value)
    return str(renderer.renderToken(tokens, index, options, env))


def _link_close(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, env: Any) -> str:
    env[_IN_LINK] = False
    start = next(i for i in range(index, -1, -1) if tokens[i].type == "link_open")
    text = "".join(token.content for token in tokens[start:index])
    return "</a>" + (_host_note(str(tokens[start].attrGet("href")), text) or "")


def _image(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    url = str(tokens[index].attrGet("src") or "")
    return link(url, icon("image"), unstyled("image: "), tokens[index].content or url, cls="nbas-remote")


def _heading(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    token.tag = _HEADINGS.get(token.tag, token.tag)
    return str(renderer.renderToken(tokens, index, options, env))


def _text(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, env: Any) -> str:
    """Plain text; addresses in it become links, unless it stands in one already."""
    text = tokens[index].content
    if env.get(_IN_LINK):
        return joined(text)
    parts = _URL.split(text)  # every second one is an address
    return joined(*(link(part, part) if i % 2 and safe_link(part) else part for i, part in enumerate(parts)))


def _cell_open(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    """Numbers stand at the right, and so does the head of their column."""
    tag = tokens[index].tag
    body = index if tag == "td" else _first_below(tokens, index)
    return f'<{tag} class="nbas-num">' if body is not None and _is_number(tokens[body + 1]) else f"<{tag}>"


def _first_below(tokens: Sequence[Any], index: int) -> int | None:
    """Where the first cell below a table's head cell is."""
    column = 0
    while tokens[index - 3 * column].type == "th_open":  # a cell is three tokens: open, inline, close
        column += 1
    last = index
    while tokens[last].type != "tr_close":
        last += 3
    first = last + 4  # tr_close, thead_close, tbody_open, tr_open
    return first + 3 * (column - 1) if first < len(tokens) and tokens[first].type == "td_open" else None


def _is_number(inline: Any) -> bool:
    return _NUMBER.fullmatch("".join(token.content for token in inline.children or ()).strip()) is not None


def _code(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    language = (tokens[index].info or "").strip().split(" ")[0][:40]
    bar = element("div", element("span", language, cls="nbas-code-lang"), cls="nbas-code-bar")
    return element(
        "div", bar, element("pre", element("code", highlight(tokens[index].content, language))), cls="nbas-code"
    )


_RULES = {
    "text": _text,
    "th_open": _cell_open,
    "td_open": _cell_open,
    "link_open": _link_open,
    "link_close": _link_close,
    "image": _image,
    "heading_open": _heading,
    "heading_close": _heading,
    "fence": _code,
    "code_block": _code,
    "table_open": lambda *_: '<div class="nbas-table"><table>',
    "table_close": lambda *_: "</table></div>",
}
