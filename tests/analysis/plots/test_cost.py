"""What the chart of cost draws is what the frame says."""

import pytest

from nb_agentscope.analysis import model_calls_df
from nb_agentscope.analysis.plots import cost
from tests.analysis.plots.boxes import texts
from tests.analysis.plots.frames import full
from tests.analysis.story import PRICES, story


def steps(line):
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def legend(chart):
    return [text.get_text() for text in chart.legends[0].get_texts()]


def test_each_step_is_at_the_end_of_a_call_and_as_high_as_all_before():
    line = cost(story(), prices=PRICES).axes[0].get_lines()[0]
    costs = model_calls_df(story(), prices=PRICES)["total_cost"].dropna().cumsum()
    assert list(line.get_xdata()) == [0, 2, 6, 8.5]
    assert list(line.get_ydata()) == pytest.approx([0, *costs])


def test_calls_without_a_price_make_it_a_lower_bound():
    chart = cost(story(), prices=PRICES)
    assert legend(chart) == ["together ≥ $0.0066", "m-large $0.0066", "m-small \N{EN DASH}"]
    assert "≥: without 1 call whose cost or time is not known." in texts(chart)


def test_without_prices_it_says_what_is_missing():
    assert "No model calls with a known cost in this log; prices= says what tokens cost." in texts(cost(story()))


def test_marks_tell_whose_call_a_step_was():
    rows = full("model_calls", 4, ["dear", "cheap"])
    rows["total_cost"] = [4.0, 1.0, 4.0, 1.0]
    rows["ended_at"] = rows["started_at"]
    chart = cost(rows)
    line, dear, cheap = chart.axes[0].get_lines()
    assert steps(line)[1:] == [(0, 4), (1, 5), (2, 9), (3, 10)]
    assert steps(dear) == [(0, 4), (2, 9)]
    assert steps(cheap) == [(1, 5), (3, 10)]
    assert dear.get_marker() != cheap.get_marker()
    assert legend(chart) == ["together $10.00", "dear $8.00", "cheap $2.00"]


def test_each_run_begins_at_its_first_call():
    rows = full("model_calls", 4, runs=2)
    rows["total_cost"] = [1.0, 1.0, 3.0, 3.0]
    chart = cost(rows)
    assert legend(chart) == ["run 1 $6.00", "run 0 $2.00"]
    dearest = chart.axes[0].get_lines()[0]
    assert dearest.get_xdata()[1] == (rows["ended_at"][2] - rows["started_at"][2]).total_seconds()


def test_more_runs_than_colours_are_drawn_without_one():
    chart = cost(full("model_calls", 16, runs=8))
    assert legend(chart)[-1] == "2 cheaper runs"
    assert len([line for line in chart.axes[0].get_lines() if len(line.get_xdata()) > 1]) == 8
