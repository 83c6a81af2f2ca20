"""A model's markdown as HTML: no raw HTML, no scripts, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from nb_agentscope.render._element import Html, element

_SCHEMES = frozenset({"http", "https", "mailto"})


def markdown(text: str) -> Html:
    """The HTML of `text`; links go to http, https and mailto only, and images become links."""
    return Html(_parser().render(text))


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = safe_link  # type: ignore[method-assign]  # the documented way to choose what a link may be
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("image", _image)
    return parser


def safe_link(url: str) -> bool:
    """Whether a link to `url` may be clicked."""
    try:
        return urlsplit(url.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _link_open(renderer: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer")
    tokens[index].attrSet("target", "_blank")
    return str(renderer.renderToken(tokens, index, options, env))


def _image(_renderer: Any, tokens: Sequence[Any], index: int, _options: Any, _env: Any) -> str:
    url = str(tokens[index].attrGet("src") or "")
    label = f"image: {tokens[index].content or url}"
    return element("a", label, href=url, rel="noopener noreferrer", target="_blank")
