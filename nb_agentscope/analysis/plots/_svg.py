"""A figure as inline SVG in the page's colours and font."""

from __future__ import annotations

import re
from hashlib import sha256
from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import matplotlib as mpl

from nb_agentscope.analysis.plots._names import ROOM
from nb_agentscope.analysis.plots._style import DIM, INK, LINE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAGE = {INK: "var(--nbas-fg)", DIM: "var(--nbas-dim)", LINE: "var(--nbas-edge)"}
_COLOUR = re.compile("|".join(_PAGE))
_FONT = re.compile("(font: [^;']*)'[^;]*|(font-family: )[^;]*")
_NAMESPACE = re.compile(r"^\{[^}]*\}")


def inline_svg(figure: Figure, title: str) -> str:
    """SVG for an HTML page: text stays text, colours of `_style` become those of the page.

    Args:
        figure: What to draw.
        title: What it shows, for those who cannot see it.
    """
    buffer = StringIO()
    # Settings are read when it draws; the same figure gives the same bytes.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "nb_agentscope"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    source = buffer.getvalue().replace(ROOM, "")
    root = ET.fromstring(source)  # noqa: S314 - matplotlib wrote it a moment ago
    prefix = f"nbas-{sha256(source.encode()).hexdigest()[:10]}-"
    for parent in list(root.iter()):
        for child in [child for child in parent if _NAMESPACE.sub("", child.tag) in ("metadata", "style")]:
            parent.remove(child)
        _adapt(parent, prefix)
    root.attrib.pop("version", None)
    root.attrib |= {"role": "img", "aria-label": title}
    root.attrib["style"] = f"max-width:{float(root.attrib.pop('width')[:-2]):.0f}pt"
    del root.attrib["height"]
    return ET.tostring(root, encoding="unicode")


def _adapt(element: ET.Element, prefix: str) -> None:
    """Names without namespaces, as HTML wants them; ids that are no other chart's; the page's colours."""
    element.tag = _NAMESPACE.sub("", element.tag)
    for name in list(element.attrib):
        value = element.attrib.pop(name)
        name = _NAMESPACE.sub("", name)  # noqa: PLW2901 - the same attribute
        if name == "id":
            value = prefix + value
        elif name == "href":
            value = value.replace("#", f"#{prefix}", 1) if value.startswith("#") else value
        elif name == "style":
            value = _FONT.sub(_font, _COLOUR.sub(lambda match: _PAGE[match.group()], value))
        element.attrib[name] = value.replace("url(#", f"url(#{prefix}")


def _font(match: re.Match[str]) -> str:
    return f"{match.group(1) or match.group(2)}var(--nbas-ui)"
