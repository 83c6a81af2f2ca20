"""HTML from elements and text; text is always escaped, so hostile text can only ever be text."""

from __future__ import annotations

from html import escape


class Html(str):
    """Text that is HTML already, made only by `element`, `joined` and the markdown renderer."""

    __slots__ = ()


Child = Html | str | None


def element(tag: str, *children: Child, cls: str = "", **attributes: str | bool | None) -> Html:
    """One element with its children.

    Args:
        tag: Name of the element.
        children: `Html` as it is, any other str as text, None is left out.
        cls: The class attribute.
        attributes: Further ones; `_` stands for `-`, True for one without a value, None and False leave it out.
    """
    shown = {"class": cls or None, **attributes}
    opening = "".join(_attribute(name.replace("_", "-"), value) for name, value in shown.items())
    if tag in _VOID:
        return Html(f"<{tag}{opening}>")
    return Html(f"<{tag}{opening}>{joined(*children)}</{tag}>")


_VOID = frozenset({"img", "br"})


def joined(*children: Child) -> Html:
    """All children after each other."""
    return Html("".join(child if isinstance(child, Html) else escape(child) for child in children if child is not None))


def unstyled(text: str) -> Html:
    """Text for where no style sheet is, as on code hosts, and for screen readers; a style sheet hides it."""
    return element("span", text, cls="nbas-sr")


def _attribute(name: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(value)}"'
