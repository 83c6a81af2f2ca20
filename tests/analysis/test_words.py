"""Foreign names and numbers as words."""

import pandas as pd
import pytest

from nb_agentscope.analysis._words import MISSING, cells, label, labels, usd


@pytest.mark.parametrize(("text", "shown"), [
    ("a\nb", "a b"), (pd.NA, MISSING), (None, MISSING), ("", '""'), ("  ", '"  "'), ("\u202e", "<U+202E>"),
    ("abcdefghij", "abcdefg…"),
])  # fmt: skip
def test_a_name_is_one_line_that_can_be_seen(text, shown):
    assert label(text, 8) == shown


def test_wide_letters_take_two_cells():
    assert cells("検索a") == 5
    assert label("検索検索検索", 8) == "検索検…"
    assert cells(label("検索" * 99, 8)) <= 8


def test_labels_differ_in_what_the_names_differ_in():
    assert labels(["before-run-1", "before-run-2"], 10) == ["befo…run-1", "befo…run-2"]
    assert labels(["short", "run-of-friday"], 10) == ["short", "run-of-fr…"]


def test_labels_that_are_still_alike_are_numbered():
    middle = ["aaaaaa" + letter + "bbbbbbbbbb" for letter in "xyz"]
    shown = labels(middle, 9)
    assert len(set(shown)) == 3
    assert all(cells(one) <= 9 for one in shown)
    assert labels(["a", "a", pd.NA, MISSING], 9) == ["a", "a (2)", MISSING, f"{MISSING} (2)"]


@pytest.mark.parametrize(("value", "shown"), [(0.02, "$0.020"), (0.0042, "$0.0042"), (1.2, "$1.20"), (0, "$0.00")])
def test_cost_has_two_figures(value, shown):
    assert usd(value) == shown
