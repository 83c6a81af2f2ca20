"""The notebook about logs as a person sees it: Run All, then read; in both themes, and in a narrow window."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.harness import JupyterServer, NotebookPage, wait_until
from tests.browser.scene import Scene

if TYPE_CHECKING:
    from playwright.sync_api import Locator

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
THEMES = "@jupyterlab/apputils-extension:themes"
CHARTS = {
    "Where the time went", "Timeline", "Tools", "Questions to people and programs outside", "Cost over time",
    "Tokens per model call", "Latency by model", "Time to first token by input",
}  # fmt: skip
MARKUP = """() => [...document.querySelectorAll('.nbas-live')].map(live => {
  const svg = live.querySelector('svg'), picture = live.nextElementSibling;
  const frame = svg.getBoundingClientRect();
  const beyond = [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2;
  });
  return {
    title: svg.getAttribute('aria-label'), wide: frame.width, high: frame.height, beyond: beyond.map(one => one.textContent),
    picture: getComputedStyle(picture).display, ink: getComputedStyle(svg.querySelector('text')).fill,
    page: getComputedStyle(live.closest('.jp-OutputArea-output')).color, scrolls: live.scrollWidth > live.clientWidth,
  };
})"""


@pytest.fixture
def themed(server: JupyterServer):
    yield lambda theme: server.configure({THEMES: {"theme": theme}})
    server.configure({THEMES: {"theme": "JupyterLab Light"}})


def run_all(scene: Scene, **options) -> tuple[NotebookPage, list[str]]:
    """The notebook after Run All, and what it asked other hosts for."""
    scene.server.copy_folder(NOTEBOOKS / "recordings")
    page = scene.open_existing(NOTEBOOKS / "05_analysis.ipynb", **options)
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    cells = [i for i, kind in enumerate(page.cell_types()) if kind == "code"]
    page.run_all()
    wait_until(lambda: "cache_hit_ratio" in page.output_text(cells[-1]), "the last cell has run", timeout_s=120)
    outputs = [output for cell in cells for output in page.outputs(cell)]
    assert not [output for output in outputs if output["output_type"] == "error"]
    own = (scene.server.url, scene.server.url.replace("http", "ws"), "data:", "blob:")
    return page, [url for url in asked if not url.startswith(own)]


def luminance(colour: str) -> float:
    red, green, blue = (
        float(part) / 255 for part in colour.removeprefix("rgba(").removeprefix("rgb(").rstrip(")").split(",")[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_run_all_shows_every_chart_as_markup_and_asks_nobody(scene: Scene, themed, theme: str):
    themed(theme)
    page, foreign = run_all(scene)
    assert not foreign
    charts = page.page.evaluate(MARKUP)
    assert {chart["title"] for chart in charts} == CHARTS
    for chart in charts:
        assert chart["picture"] == "none", chart
        assert chart["wide"] > 400, chart
        assert chart["high"] > 50, chart
        assert not chart["beyond"], chart
        assert not chart["scrolls"], chart
        assert (luminance(chart["ink"]) > 0.5) == ("Dark" in theme), chart
    summary = page.output(page.cell_types().index("code")).locator(".nbas-sum")
    assert summary.is_visible()
    titles = summary.locator(".nbas-title").all_inner_texts()
    assert titles == ["Where the time went", "Agents", "Tokens", "Slowest tools", "Waits", "Errors"]


def test_a_narrow_window_scrolls_within_charts_and_tables_not_the_page(scene: Scene):
    page, _ = run_all(scene, size=(420, 1400))
    page.js("if (app.shell.leftCollapsed === false) app.shell.collapseLeft();")
    charts = page.page.evaluate(MARKUP)
    assert all(chart["wide"] >= 559 for chart in charts)  # letters that can be read
    assert all(chart["scrolls"] for chart in charts)
    names: Locator = page.page.locator(".nbas-sum th[scope=row]")
    tall = names.evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height > 60).map(one => one.textContent)"
    )
    assert names.count() > 20
    assert not tall  # one letter a line would be
