"""The committed bundle: small, and free of what a notebook must not load."""

from pathlib import Path

STATIC = Path(__file__).parents[2] / "nb_agentscope" / "static"
LIMIT = 150_000


def test_bundle_stays_small_because_it_travels_with_every_widget():
    size = sum((STATIC / name).stat().st_size for name in ("widget.js", "widget.css"))
    assert 10_000 < size <= LIMIT


def test_bundle_loads_nothing_from_the_network():
    css = (STATIC / "widget.css").read_text(encoding="utf-8")
    js = (STATIC / "widget.js").read_text(encoding="utf-8")
    assert "url(" not in css
    assert "@import" not in css
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "XMLHttpRequest",
        "import(",
    ):
        assert word not in js, word


def test_every_rule_of_the_style_sheet_is_under_our_class():
    css = (STATIC / "widget.css").read_text(encoding="utf-8")
    selectors = [part.rsplit("}", 1)[-1] for part in css.split("{")[:-1]]
    ours = [s for s in selectors if s.strip() and not s.lstrip().startswith(("@", "to"))]
    assert len(ours) > 50
    assert [s for s in ours if ".nbas-root" not in s] == []
