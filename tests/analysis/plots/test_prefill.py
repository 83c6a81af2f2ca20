"""What the chart of TTFT by input draws is what the frame says."""

from nb_agentscope.analysis import model_calls_df
from nb_agentscope.analysis.plots import prefill
from tests.analysis.plots.boxes import texts
from tests.analysis.plots.frames import full
from tests.analysis.story import PRICES, story


def marks(chart, *, hollow):
    lines = chart.axes[0].get_lines()
    found = [line for line in lines if (line.get_markerfacecolor() == "none") == hollow]
    return sorted((x, y) for line in found for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True))


def test_a_mark_for_each_call_hollow_where_some_came_from_a_cache():
    chart = prefill(story(), prices=PRICES)
    large = model_calls_df(story(), prices=PRICES).query("model == 'm-large'")
    assert marks(chart, hollow=True) == list(zip(large["input_tokens_total"][:2], large["ttft_s"][:2], strict=True))
    assert marks(chart, hollow=True) == [(100, 0.5), (200, 0.25)]
    assert marks(chart, hollow=False) == [(300, 0.25)]
    assert "Not known for 1 call." in texts(chart)


def test_the_input_holds_the_cached_tokens_where_that_is_known():
    exclusive = {"m-large": {**PRICES["m-large"], "accounting": "exclusive"}}
    assert marks(prefill(story(), prices=exclusive), hollow=True) == [(140, 0.5), (300, 0.25)]
    chart = prefill(story())
    assert marks(chart, hollow=True) == [(100, 0.5), (200, 0.25)]
    assert any(
        text.startswith("Not known for 1 call. 2 calls drawn with the input as reported") for text in texts(chart)
    )


def test_each_model_has_a_mark_of_its_own():
    chart = prefill(full("model_calls", 12, ["a", "b", "c"]))
    assert len({(line.get_marker(), line.get_color()) for line in chart.axes[0].get_lines()}) == 3
    names = [text.get_text() for text in chart.legends[0].get_texts()]
    assert names == ["a", "b", "c", "hollow: partly from a cache"]


def test_tokens_and_times_over_many_sizes_have_axes_of_powers_of_ten():
    rows = full("model_calls", 3)
    rows["input_tokens_total"], rows["ttft_s"] = [10, 1000, 100_000], [0.01, 0.1, 10.0]
    (axes,) = prefill(rows).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
