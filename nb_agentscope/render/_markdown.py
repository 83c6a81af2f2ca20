"""A model's markdown as HTML: no raw HTML, no scripts, nothing fetched; the markup is the live view's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import SplitResult, urlsplit

from nb_agentscope.render._element import Html, element, joined

_SCHEMES = frozenset({"http", "https", "mailto"})
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


def link(url: str, *children: Html | str, cls: str = "") -> Html:
    """A link that opens outside, and the host it leads to where its text does not say it."""
    anchor = element("a", *children, cls=cls, href=url, title=url, target="_blank", rel="noopener noreferrer")
    return joined(anchor, _host_note(url, "".join(children)))


def _host_note(url: str, text: str) -> Html | None:
    parts = _split(url)
    if parts is None:
        return None
    host = parts.path if parts.scheme == "mailto" else parts.netloc
    return element("span", host, cls="nbas-host") if host and host not in text else None


# Rules of markdown-it: each gets the tokens and the index of its own.


def _link_open(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    for name, value in {"title": token.attrGet("href"), "target": "_blank", "rel": "noopener noreferrer"}.items():
        token.attrSet(name, value)
    return str(renderer.renderToken(tokens, index, options, env))


def _link_close(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    start = next(i for i in range(index, -1, -1) if tokens[i].type == "link_open")
    text = "".join(token.content for token in tokens[start:index])
    return "</a>" + (_host_note(str(tokens[start].attrGet("href")), text) or "")


def _image(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    url = str(tokens[index].attrGet("src") or "")
    return link(url, f"image: {tokens[index].content or url}", cls="nbas-remote")


def _heading(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    token.tag = _HEADINGS.get(token.tag, token.tag)
    return str(renderer.renderToken(tokens, index, options, env))


def _code(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    language = (tokens[index].info or "").strip().split(" ")[0][:40]
    bar = element("div", element("span", language, cls="nbas-code-lang"), cls="nbas-code-bar")
    return element("div", bar, element("pre", element("code", tokens[index].content)), cls="nbas-code")


_RULES = {
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
