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


@pytest.mark.parametrize("name", ["difference", "ratio"])
def test_a_run_named_as_a_column_of_changes_keeps_its_numbers(files, name):
    (files / "slow.jsonl").rename(files / f"{name}.jsonl")
    for logs in ([files / f"{name}.jsonl", files / "short.jsonl"], {name: story(), "short": files / "short.jsonl"}):
        made = compare(logs)
        assert list(made.columns) == [f"{name}#2", "short", "difference", "ratio"]
        assert made.loc["wall_s", f"{name}#2"] == 10.0
        wall = made.loc["wall_s", "short"]
        assert made.loc["wall_s", "difference"] == wall - 10
        assert made.loc["wall_s", "ratio"] == wall / 10


def test_without_columns_of_changes_their_names_are_free():
    assert list(compare({"difference": story()}).columns) == ["difference"]
    assert list(compare({"ratio": story(), "difference": [], "a": []}).columns) == ["ratio", "difference", "a"]


def test_more_than_two_runs_have_no_changes_but_can_be_subtracted(files):
    made = compare([files / "slow.jsonl", files / "short.jsonl", story()])
    assert list(made.columns) == ["slow", "short", "events"]
    changes = made.sub(made["slow"], axis=0)
    assert changes.loc["wall_s", "events"] == 0
    assert changes.loc["wall_s", "short"] == made.loc["wall_s", "short"] - 10


def test_the_same_run_twice_differs_in_nothing(files):
    made = compare([files / "slow.jsonl"] * 2)
    assert list(made.columns) == ["slow", "slow#2", "difference", "ratio"]
    assert (made["difference"].dropna() == 0).all()
    assert (made["ratio"].dropna() == 1).all()
    assert made["slow"].equals(made["slow#2"])


def test_names_that_are_alike_as_text_are_two_runs():
    made = compare({1: story(), "1": []})
    assert list(made.columns)[:2] == ["1", "1#2"]
    assert made.loc["replies", "1#2"] == 0


def test_strict_is_that_of_the_tables():
    events = story()
    events[3]["created_at"] = "yesterday"
    compare(events)
    with pytest.raises(ValueError, match="yesterday"):
        compare(events, strict=True)
    with pytest.raises(ValueError, match="yesterday"):
        compare({"a": events}, strict=True)
