"""How charts show themselves, and what they leave alone."""

import base64
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.figure import Figure

from nb_agentscope.analysis import plots, replies_df
from nb_agentscope.analysis._sheet import COLOURS
from nb_agentscope.analysis.plots._style import DIM, INK, LINE, LINES
from tests.analysis.plots.boxes import row_names, texts
from tests.analysis.story import PRICES, story

CHARTS = [
    plots.approvals,
    plots.cost,
    plots.latency,
    plots.prefill,
    plots.time_split,
    plots.timeline,
    plots.tokens,
    plots.tool_latency,
]
HOSTILE = "_<script>alert(1)</script>$\\frac$\u202e\x00" + "x" * 400
every_chart = pytest.mark.parametrize("draw", CHARTS, ids=lambda draw: draw.__name__)


def page_of(chart):
    return chart._repr_mimebundle_()["text/html"]


def drawn(draw, log, **options):
    """The chart; what needs prices gets some for every model."""
    prices = {"prices": dict.fromkeys(("m-large", "m-small", HOSTILE), PRICES["m-large"])}
    return draw(log, **options, **(prices if draw is plots.cost else {}))


@cache
def bundle_of(draw):
    return drawn(draw, story())._repr_mimebundle_()


def test_every_chart_is_tested():
    assert {one.__name__ for one in CHARTS} == set(plots.__all__) - {"Chart"}


@every_chart
def test_a_chart_is_matplotlibs_own_figure(draw):
    chart = drawn(draw, story())
    assert isinstance(chart, Figure)
    assert chart.get_axes()


@every_chart
def test_a_log_without_events_gives_labelled_axes(draw):
    chart = draw([])
    assert chart.title in texts(chart)
    assert any(re.fullmatch(r"No .* in this log\.", text) for text in texts(chart))
    assert "<svg" in page_of(chart)


@every_chart
def test_the_page_has_text_in_its_own_colours_and_nothing_from_afar(draw):
    page = bundle_of(draw)["text/html"]
    assert "var(--nbas-fg)" in page
    assert not any(colour in page for colour in (INK, DIM, LINE))
    assert not re.search(r"(?<!data:)https?:|xlink|<script|<metadata", page)
    assert page.count("<style>") == 1  # matplotlib's own would reach every element of the page
    assert re.search(r"<text [^>]*var\(--nbas-ui\)", page)
    assert "DejaVu" not in page


@every_chart
def test_the_same_log_gives_the_same_bytes_and_ids_are_no_other_charts(draw):
    one, other = bundle_of(draw)["text/html"], page_of(drawn(draw, story(agent="chief")))
    assert page_of(drawn(draw, story())) == one
    ids = [set(re.findall(r' id="([^"]+)"', page)) for page in (one, other)]
    assert ids[0]
    assert one == other or not ids[0] & ids[1]
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)", one))
    assert {a or b for a, b in used} <= ids[0]


@every_chart
def test_the_picture_is_there_for_pages_that_drop_svg(draw):
    bundle = bundle_of(draw)
    picture = base64.b64decode(bundle["image/png"])
    assert picture.startswith(b"\x89PNG")
    before, after = bundle["text/html"].split("</svg>")
    assert '<div class="nbas-live" hidden="hidden"><svg ' in before
    assert bundle["image/png"] in after
    assert ".nbas-live { display: block !important; }" in before
    assert len(bundle["text/html"]) < 150_000


def test_settings_are_left_as_they_were():
    before = dict(mpl.rcParams)
    plots.timeline(story())._repr_mimebundle_()
    assert dict(mpl.rcParams) == before


def test_pyplot_is_not_loaded():
    code = (
        "import sys; from nb_agentscope.analysis import plots; from tests.analysis.story import story\n"
        "plots.latency(story())._repr_mimebundle_()\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_without_matplotlib_one_sentence_says_what_to_install():
    code = "import sys; sys.modules['matplotlib'] = None; import nb_agentscope.analysis; import nb_agentscope.analysis.plots"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: Charts need matplotlib; install it with: pip install 'nb-agentscope[plots]'"
    )


def test_a_frame_that_lacks_columns_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"needs the columns of replies_df; it lacks model_s, .*overhead_s\.$"):
        plots.time_split(replies_df(story(), columns=["run", "agent", "wall_s"]))


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.names, self.text = set(), set(), ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


@every_chart
def test_hostile_names_stay_text(draw):
    events = story(tool=HOSTILE, agent=HOSTILE)
    for event in events:
        if "model_name" in event:
            event["model_name"] = HOSTILE
    page = Tags()
    page.feed(page_of(drawn(draw, events)))
    assert "script" not in page.tags
    assert not any(name.startswith("on") for name in page.names)
    assert "<script>alert(" in page.text
    assert "\u202e" not in page.text


def test_a_name_is_cut_and_has_no_mathematics():
    (axes,) = plots.time_split(story(agent="$" + "a" * 99 + "$")).axes
    assert row_names(axes)[0] == "$" + "a" * 26 + "…"


def test_letters_that_the_font_lacks_are_left_to_the_page():
    page = page_of(plots.time_split(story(agent="検索")))  # warnings are errors here
    assert "検索" in page


def test_many_calls_are_one_artist_and_a_picture_when_markup_would_be_large():
    calls = pd.DataFrame({"run": "r", "lane": "a", "kind": "tool", "seq": range(6000), "critical": False})
    calls["start"] = pd.Timestamp(0, tz="UTC") + pd.to_timedelta(calls["seq"], unit="s")
    calls["end"] = calls["start"] + pd.Timedelta(seconds=0.5)
    calls["duration_s"] = 0.5
    chart = plots.timeline(calls)
    assert sum(len(artist.get_paths()) for artist in chart.axes[0].collections) == 6000
    assert len(chart.axes[0].collections) == 1
    page = page_of(chart)
    assert "<svg" not in page
    assert "<img" in page


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["#ffffff", "#111111", "#1e1e1e"])
def test_colours_can_be_seen_on_both_grounds(ground):
    for colour in {*COLOURS.values(), *(colour for colour, _ in LINES)}:
        assert contrast(colour, ground) >= 3, colour
    for colour in (INK, DIM, LINE):
        assert contrast(colour, ground) >= 3.8


def test_no_grey_can_be_read_on_both_grounds_as_text_should():
    """Why letters take the colour of the page: the docstring says so."""
    greys = [f"#{value:02x}{value:02x}{value:02x}" for value in range(256)]
    best = max(min(contrast(grey, "#ffffff"), contrast(grey, "#111111")) for grey in greys)
    assert best == pytest.approx(4.34, abs=0.03)
