"""The numbers in the artists are those of the frames."""

import numpy as np
import pandas as pd
import pytest

from nb_agentscope.analysis import intervals_df, model_calls_df, replies_df, tool_calls_df
from nb_agentscope.analysis.plots import latency, time_split, timeline, tokens, tool_latency
from tests.analysis.plots.boxes import boxes, row_names, texts, widths
from tests.analysis.story import PRICES, story

# -- timeline ---------------------------------------------------------------------------------------------------------


def test_timeline_a_box_for_each_interval_in_its_lane():
    (axes,) = timeline(story()).axes
    assert row_names(axes) == ["boss", "delete", "helper", "outside"]
    spans = [(left, width, round(bottom + high / 2)) for left, bottom, width, high in boxes(axes, "model")]
    assert sorted(spans) == [(0, 2, 0), (5, 1, 0), (6.5, 1, 2), (8, 0.5, 0)]
    assert boxes(axes, "waiting for you")[0][::2] == (2.0, 2.0)
    assert boxes(axes, "waiting outside")[0][::2] == (8.5, 1.0)
    assert boxes(axes, "tool")[0][::2] == (4.0, 1.0)
    assert boxes(axes, "sub-agent")[0][::2] == (6.0, 2.0)


def test_timeline_widths_are_the_durations_of_the_frame():
    frame = intervals_df(story())
    (axes,) = timeline(frame).axes
    names = ("model", "tool", "sub-agent", "waiting for you", "waiting outside")
    assert sorted(width for name in names for width in widths(axes, name)) == sorted(frame["duration_s"])


def test_timeline_waits_are_hatched_and_work_is_not():
    (axes,) = timeline(story()).axes
    hatches = {artist.get_label(): artist.get_hatch() for artist in axes.collections}
    assert hatches["waiting for you"]
    assert hatches["waiting outside"]
    assert hatches["waiting for you"] != hatches["waiting outside"]
    assert not hatches["model"]
    assert not hatches["tool"]


def test_timeline_marks_the_critical_path():
    frame = intervals_df(story())
    (axes,) = timeline(frame).axes
    (lines,) = [artist for artist in axes.collections if artist.get_label() == "critical path"]
    lengths = sorted(float(np.ptp(path.vertices[:, 0])) for path in lines.get_paths())
    assert lengths == pytest.approx(sorted(frame["duration_s"][frame["critical"]]))


def test_timeline_what_has_not_ended_reaches_to_the_last_moment_and_is_pale():
    events = story()[: [event["type"] for event in story()].index("USER_CONFIRM_RESULT")]
    events += [{**event, "reply_id": "r9", "id": f"x{n}"} for n, event in enumerate(story()[:8])]
    (axes,) = timeline(events).axes
    (wait,) = [artist for artist in axes.collections if artist.get_label() == "waiting for you"]
    assert wait.get_alpha() < 1
    assert boxes(axes, "waiting for you")[0][::2] == (2.0, 0.0)  # nothing is known after it


def test_timeline_each_run_begins_at_zero():
    later = [{**event, "created_at": event["created_at"].replace("2026", "2027")} for event in story()]
    (axes,) = timeline([story(), later]).axes
    assert row_names(axes)[::4] == ["events: boss", "events#2: boss"]
    assert widths(axes, "waiting for you") == [2.0, 2.0]
    assert axes.get_xlim()[1] < 11


# -- tokens -----------------------------------------------------------------------------------------------------------


def test_tokens_stack_is_the_counts_of_each_call():
    chart = tokens(story(), prices=PRICES)
    (axes,) = chart.axes
    large = model_calls_df(story(), prices=PRICES).query("model == 'm-large'")
    heights = {
        name: [high for *_, high in boxes(axes, name) if high] for name in ("read from cache", "other input", "output")
    }
    assert heights["read from cache"] == [40, 100]
    assert heights["other input"] == list(large["input_tokens_uncached"]) == [60, 100, 300]
    assert heights["output"] == list(large["output_tokens"]) == [11, 6, 2]
    tops = [bottom + high for _, bottom, _, high in boxes(axes, "output") if high]
    assert tops == [111, 206, 302]


def test_tokens_the_line_is_the_growing_context_of_an_agent():
    (axes,) = tokens(story(), prices=PRICES).axes
    (line,) = axes.get_lines()
    calls = model_calls_df(story(), prices=PRICES)
    large = calls[calls["agent"] == "boss"]
    assert list(line.get_ydata()) == list(large["input_tokens_total"]) == [100, 200, 300]
    assert list(line.get_xdata()) == [number + 1 for number in large.index]


def test_tokens_input_that_cannot_be_split_is_drawn_as_reported():
    (axes,) = tokens(story()).axes
    assert [high for *_, high in boxes(axes, "input, cached or not") if high] == [100, 200]
    assert [high for *_, high in boxes(axes, "other input") if high] == [300]
    assert not boxes(axes, "read from cache")


def test_tokens_unknown_usage_is_a_question_mark_not_a_zero():
    chart = tokens(story(), prices=PRICES)
    (axes,) = chart.axes
    unknown = model_calls_df(story())["usage_known"].eq(False).to_numpy().nonzero()[0] + 1
    assert [text.xy[0] for text in axes.texts if text.get_text() == "?"] == list(unknown)
    assert "?: 1 call of unknown usage." in texts(chart)


# -- latency ----------------------------------------------------------------------------------------------------------


def test_latency_steps_are_the_sorted_values():
    calls = model_calls_df(story())
    for axes, column, scale in zip(latency(story()).axes, ("ttft_s", "tpot_s"), (1, 1000), strict=True):
        line = axes.get_lines()[0]  # of the model with the most calls
        values = sorted(calls[column][calls["model"] == "m-large"] * scale)
        assert list(line.get_xdata()) == pytest.approx([values[0], *values])
        assert list(line.get_ydata()) == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_latency_counts_what_is_not_known():
    chart = latency(story())
    assert "Not known: TPOT of 1 of 4 calls." in texts(chart)
    assert [text.get_text() for text in chart.legends[0].get_texts()] == ["m-large (3 calls)", "m-small (1 call)"]


# -- tools ------------------------------------------------------------------------------------------------------------


def test_tool_dots_are_the_calls():
    frame = tool_calls_df(story())
    left, right = tool_latency(frame).axes
    assert row_names(left) == ["helper", "delete", "outside"]
    (dots,) = [artist for artist in left.collections if artist.get_label() == "call"]
    drawn = sorted((row_names(left)[round(y)], x) for x, y in dots.get_offsets())
    ran = frame[frame["exec_s"].notna()]
    assert drawn == sorted(zip(ran["tool"], ran["exec_s"], strict=True)) == [("delete", 1.0), ("helper", 2.0)]
    assert [text.get_text() for text in right.texts] == ["0 of 1", "1 of 1", "0 of 1"]
    assert widths(right, "failed") == [0.0, 1.0, 0.0]


def test_tool_percentiles_are_those_of_the_frame():
    frame = pd.DataFrame(
        {"tool": "t", "exec_s": [1.0, 2.0, 3.0, 10.0], "state": "success", "ended_at": pd.Timestamp(0, tz="UTC")}
    )
    left, _ = tool_latency(frame).axes
    lines = {
        artist.get_label(): artist.get_paths()[0].vertices[0][0]
        for artist in left.collections
        if artist.get_label() != "call"
    }
    assert lines == pytest.approx({"p50": frame["exec_s"].quantile(0.5), "p95": frame["exec_s"].quantile(0.95)})


# -- where the time went ----------------------------------------------------------------------------------------------


def test_time_split_widths_are_the_parts_of_the_frame():
    replies = replies_df(story())
    chart = time_split(replies)
    (axes,) = chart.axes
    assert row_names(axes) == ["boss", "helper"]
    expected = {
        "model": "model_s",
        "tools, sub-agents": "tool_s",
        "waiting for you": "human_wait_s",
        "waiting outside": "external_wait_s",
        "other": "overhead_s",
    }
    for name, column in expected.items():
        assert widths(axes, name) == pytest.approx(list(replies[column]))
    ends = [
        max(
            left + width
            for name in expected
            for left, bottom, width, _ in boxes(axes, name)
            if round(bottom + 0.3) == row
        )
        for row in (0, 1)
    ]
    assert ends == pytest.approx([10.0, 2.0])
    assert {"10 s", "2.0 s"} <= set(texts(chart))
