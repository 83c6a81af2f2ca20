"""Runs side by side."""

import json

import pandas as pd
import pytest

from nb_agentscope.analysis import compare, replies_df, summary
from tests.analysis.story import PRICES, story


@pytest.fixture
def files(tmp_path):
    slow = story()
    short = slow[: [event["type"] for event in slow].index("REQUIRE_USER_CONFIRM")]
    for name, events in (("slow", slow), ("short", short)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    return tmp_path


def test_one_column_a_run_in_the_order_of_the_logs(files):
    made = compare([files / "slow.jsonl", files / "short.jsonl"], prices=PRICES)
    assert list(made.columns) == ["slow", "short", "difference", "ratio"]
    assert set(map(str, made.dtypes)) == {"Float64"}
    assert made.index.name == "metric"
    assert made.loc["wall_s", "slow"] == 10.0
    assert made.loc["you_s", "slow"] == 2.0
    assert made.loc["longest_wait_s", "slow"] == 2.0
    assert made.loc["unknown_usage", "slow"] == 1
    assert made.loc["tool_errors", "slow"] == 1
    assert made.loc["total_cost", "slow"] == pytest.approx(0.00664)


def test_difference_and_ratio_are_second_against_first(files):
    made = compare([files / "slow.jsonl", files / "short.jsonl"])
    wall = replies_df(files / "short.jsonl")["wall_s"][0]
    assert made.loc["wall_s", "difference"] == pytest.approx(wall - 10)
    assert made.loc["wall_s", "ratio"] == pytest.approx(wall / 10)
    assert made.loc["failed_replies", "difference"] == 0
    assert pd.isna(made.loc["failed_replies", "ratio"])  # nothing can be so many times 0
    assert pd.isna(made.loc["longest_wait_s", "difference"])


def test_each_column_is_the_totals_of_its_summary(files):
    made = compare(files)
    for run in ("slow", "short"):
        expected = pd.Series(summary(files / f"{run}.jsonl").totals, dtype="Float64")
        pd.testing.assert_series_equal(made[run], expected, check_names=False)


def test_names_of_ones_own_may_stand_for_several_logs(files):
    made = compare({"both": files, "one": story(), "none": []})
    assert list(made.columns) == ["both", "one", "none"]
    assert made.loc["replies", "both"] == 2
    assert made.loc["replies", "none"] == 0
    assert pd.isna(made.loc["wall_s", "none"])


def test_a_run_without_replies_keeps_its_column(files):
    (files / "void.jsonl").write_text("")
    assert list(compare(files).columns) == ["short", "slow", "void"]


def test_nothing_to_compare_has_the_rows():
    made = compare([])
    assert list(made.index) == list(compare([story()]).index)
    assert len(made.columns) == 0


def test_logs_from_a_generator():
    assert list(compare(log for log in [story(), story()]).columns) == ["events", "events#2", "difference", "ratio"]
