"""Whatever the log: a chart that can be read, or one sentence."""

import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from nb_agentscope.analysis import plots
from nb_agentscope.analysis._words import MISSING
from tests.analysis.plots.boxes import row_names, texts
from tests.analysis.plots.frames import TABLE_OF, frame, full
from tests.analysis.story import story

NAMES = ["<script>alert(1)</script>", "$x^2$ $\\frac{1}", "🤖🔥 emoji " + "🚀" * 20, "وكيل المساعدة", "line\nbreak\ttab",
         "x" * 300, "x" * 299 + "y", "検索エージェントはとても長い名前です", "_hidden", "\u202eevil", "",
         " ", MISSING]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore:Glyph .* missing from")  # a page has other fonts
every_chart = pytest.mark.parametrize("draw", TABLE_OF, ids=lambda draw: draw.__name__)


def legend(chart):
    return [text.get_text() for one in chart.legends for text in one.get_texts()]


def assert_tidy(chart):
    """Nothing reaches beyond the chart, no two names of a legend or of rows are alike, and it can be shown."""
    page = chart._repr_mimebundle_()["text/html"]
    assert not re.search(r"[\u2002\u202e]", page)
    assert len(set(legend(chart))) == len(legend(chart))
    renderer = FigureCanvasAgg(chart).get_renderer()
    chart.draw_without_rendering()
    whole = chart.bbox.padded(1.5)
    for axes in chart.axes:
        assert len(set(row_names(axes))) == len(row_names(axes))
        for text in [axes.xaxis.label, axes.yaxis.label, *axes.texts, *tick_labels(axes)]:
            box = text.get_window_extent(renderer)
            if text.get_text():
                assert whole.x0 <= box.x0 and box.x1 <= whole.x1, text  # noqa: PT018 - two sides of one thing
                assert whole.y0 <= box.y0 and box.y1 <= whole.y1, text  # noqa: PT018
    for text in chart.texts + [text for one in chart.legends for text in one.get_texts()]:
        assert text.get_window_extent(renderer).x1 <= whole.x1, text


def tick_labels(axes):
    """Those that are seen: the others lie beyond the limits."""
    sides = [(axes.get_xlim(), axes.xaxis), (axes.get_ylim(), axes.yaxis)]
    for limits, axis in sides:
        yield from (tick.label1 for tick in axis.get_major_ticks() if min(limits) <= tick.get_loc() <= max(limits))


@every_chart
@pytest.mark.parametrize("rows", [0, 3])
def test_nothing_known_is_a_sentence_not_an_error(draw, rows):
    chart = draw(frame(TABLE_OF[draw], rows))
    assert any(re.fullmatch(r"(No|Not) .*\.", text) for text in texts(chart)) or draw is plots.tool_latency
    assert_tidy(chart)


@every_chart
def test_a_single_row(draw):
    assert_tidy(draw(full(TABLE_OF[draw], 1)))


@every_chart
def test_five_hundred_rows_of_several_runs(draw):
    chart = draw(full(TABLE_OF[draw], 500, [f"name {n}" for n in range(9)], runs=9))
    assert_tidy(chart)
    assert chart.get_size_inches()[1] < 25


@every_chart
def test_hostile_names(draw):
    assert_tidy(draw(full(TABLE_OF[draw], 26, NAMES)))


@every_chart
def test_hostile_names_of_runs(draw):
    rows = full(TABLE_OF[draw], 26, ["a", "b"])
    if "run" in rows:
        rows["run"] = [NAMES[n // 2] for n in range(26)]
    assert_tidy(draw(rows))


@every_chart
def test_the_arguments_of_the_tables(draw):
    table = TABLE_OF[draw]
    events = story()
    for option in ({"tz": "Europe/Berlin"}, {"strict": True}, {"where": {"run": "events"}}):
        assert texts(draw(events, **option)) == texts(draw(events))
    assert any(text.startswith("No ") for text in texts(draw(events, where={"run": "another"})))
    with pytest.raises(ValueError, match=f"{table} has no column 'colour'"):
        draw(events, where={"colour": "red"})
    with pytest.raises(ValueError, match="Mars"):
        draw(events, tz="Mars/Olympus")
    events[3]["created_at"] = "yesterday"
    with pytest.raises(ValueError, match="yesterday"):
        draw(events, strict=True)


@every_chart
@pytest.mark.parametrize("option", [{"where": {"run": "a"}}, {"strict": True}, {"tz": "UTC"}])
def test_a_frame_cannot_be_read_otherwise_any_more(draw, option):
    (name,) = option
    sentence = rf"{name}= is for logs; this is a frame already: give {name}= to {TABLE_OF[draw]}_df\."
    with pytest.raises(ValueError, match=sentence):
        draw(full(TABLE_OF[draw], 2), **option)


def test_two_runs_have_one_line_of_a_name_in_the_legend():
    chart = plots.tokens([story(), story()])
    assert legend(chart).count("context of boss") == 1
    assert len(chart.axes[0].get_lines()) == 2  # they are drawn, though
    assert legend(plots.cost(full("model_calls", 8, ["m"], runs=2)))[0].startswith("run ")


def test_names_that_begin_alike_differ_in_the_legend():
    runs = ["a" * 40 + ending for ending in ("before", "after")]
    rows = full("model_calls", 8)
    rows["run"] = [runs[n // 4] for n in range(8)]
    first, second = legend(plots.cost(rows))
    assert {"before", "after"} == {re.search(r"…a*(before|after) \$", one)[1] for one in (first, second)}


def test_a_zero_is_seen_on_an_axis_of_powers_of_ten():
    rows = full("tool_calls", 3)
    rows["exec_s"] = [0.0, 0.01, 100.0]
    left, _ = plots.tool_latency(rows).axes
    assert left.get_xscale() == "symlog"
    assert left.get_xlim()[0] <= 0
    assert np.isfinite(left.transData.transform((0.0, 0.0))).all()
