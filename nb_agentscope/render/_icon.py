"""Small line icons, those of the live view; a word always stands beside them."""

from __future__ import annotations

from nb_agentscope.render._element import Html, element

PATHS = {
    "check": "M3.5 8.5l3 3 6-7",
    "cross": "M4 4l8 8M12 4l-8 8",
    "ban": "M3.8 3.8l8.4 8.4M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2z",
    "warn": "M8 2.5l6 10.7H2zM8 6.5v3M8 11.4v.1",
    "hand": "M8 2l5 2v3.6c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V4z",
    "out": "M9 3h4v4M13 3L7.5 8.5M6.5 4H3v9h9V9.5",
    "stop": "M4.5 4.5h7v7h-7z",
    "dots": "M3.6 8h.1M8 8h.1M12.4 8h.1",
    "bulb": "M6 11.5h4M6.5 13.8h3M8 2.2a4 4 0 0 0-2.3 7.3c.4.3.6.7.6 1.2v.8h3.4v-.8c0-.5.2-.9.6-1.2A4 4 0 0 0 8 2.2z",
    "chevron": "M6 4l4 4-4 4",
    "image": "M2.5 3.5h11v9h-11zM5.4 6.4h.1M3 11.5l3-3 2 2 2.5-2.5 2.7 2.7",
    "file": "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
    "info": "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 7.3v3.5M8 5.1v.1",
    "ring": "M8 2.5A5.5 5.5 0 1 1 2.5 8",
}


def icon(name: str, cls: str = "") -> Html:
    """The icon `name`."""
    classes = f"nbas-icon {cls}".rstrip()
    return element("svg", element("path", d=PATHS[name]), viewBox="0 0 16 16", cls=classes, aria_hidden="true")
