"""Data: pictures of known kinds inline, everything else as a chip with type and size; nothing remote is loaded."""

from __future__ import annotations

from nb_agentscope.message import Base64Source, DataBlock
from nb_agentscope.render._budget import Budget
from nb_agentscope.render._element import Html, element, joined
from nb_agentscope.render._icon import icon
from nb_agentscope.render._markdown import anchor, web_host
from nb_agentscope.render._visible import visible
from nb_agentscope.render._words import size

PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"})
"""Kinds that an <img> shows without running anything in them."""


def data_html(block: DataBlock, budget: Budget) -> Html:
    """The HTML of one data block."""
    source = block.source
    if not isinstance(source, Base64Source):
        url = str(source.url)
        if host := web_host(url):
            return element(
                "div", _chip(block, f"at {host}", anchor(url, "Open", cls="nbas-link")), cls="nbas-item nbas-data"
            )
        return element("div", _chip(block, f"address that is not opened here: {url[:80]}"), cls="nbas-item nbas-data")
    words = size(len(source.data) * 3 // 4 - source.data[-2:].count("="))
    if source.media_type not in PICTURES:
        return element("div", _chip(block, words), cls="nbas-item nbas-data")
    if not budget.take_image(len(source.data)):
        return element("div", _chip(block, f"{words} · in the log"), cls="nbas-item nbas-data")
    name = block.name or "Picture"
    image = element(
        "img", src=f"data:{source.media_type};base64,{source.data}", alt=f"{name} ({source.media_type}, {words})"
    )
    caption = " · ".join(filter(None, [block.name, source.media_type, words]))
    figure = element("figure", image, element("figcaption", visible(caption)))
    return element("div", figure, cls="nbas-item nbas-data")


def _chip(block: DataBlock, details: str, action: Html | None = None) -> Html:
    kind = block.source.media_type
    return element(
        "span",
        icon("image" if kind.startswith("image/") else "file"),
        element("bdi", visible(block.name or kind or "data"), cls="nbas-file-name"),
        " ",
        element("span", visible(" · ".join(filter(None, [kind if block.name else "", details]))), cls="nbas-dim"),
        joined(" ", action) if action is not None else None,
        cls="nbas-file",
    )
