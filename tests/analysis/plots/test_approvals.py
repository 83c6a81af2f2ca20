"""What the chart of questions draws is what the frame says."""

import pandas as pd

from nb_agentscope.analysis import approvals_df
from nb_agentscope.analysis.plots import approvals
from tests.analysis.plots.boxes import boxes, row_names, texts, widths
from tests.analysis.plots.frames import full
from tests.analysis.story import story


def test_every_known_wait_is_in_the_bin_it_belongs_to():
    left, _ = approvals(story()).axes
    (approved,) = boxes(left, "approved")
    (answered,) = boxes(left, "answered")
    for (start, _, wide, high), wait in ((approved, 2.0), (answered, 1.0)):
        assert start - 0.04 * wide <= wait < start + wide
        assert high == 1
    assert approvals_df(story())["wait_s"].tolist() == [2.0, 1.0]


def test_bars_count_the_decisions_on_each_tool():
    rows = pd.DataFrame({"tool": ["a"] * 5 + ["b"], "kind": ["confirm"] * 5 + ["external"], "decided_by": "user"})
    rows["decision"] = ["approved", "approved", "denied", "denied", "pending", "answered"]
    rows["wait_s"] = [1.0, 2.0, 3.0, 4.0, None, 60.0]
    chart = approvals(rows)
    _, right = chart.axes
    assert row_names(right) == ["a", "b"]
    assert [widths(right, name) for name in ("approved", "denied", "answered", "pending")] == [[2], [2], [1], [1]]
    assert [text.get_text() for text in right.texts] == ["2 of 5 denied", "1"]
    assert "Wait not known, or not over: 1 question." in texts(chart)


def test_all_known_waits_are_counted_whatever_their_size():
    for scale in (0.0, 1e-6, 1.0, 1e6):
        rows = full("approvals", 60)
        rows["wait_s"] *= scale
        left, _ = approvals(rows).axes
        names = ("approved", "denied", "answered", "interrupted", "expired", "pending")
        assert sum(high for name in names for *_, high in boxes(left, name)) == 60
    rows["wait_s"] = [10.0 ** (n % 7 - 3) for n in range(60)]
    left, _ = approvals(rows).axes
    assert left.get_xscale() == "symlog"
    assert sum(high for name in names for *_, high in boxes(left, name)) == 60


def test_what_no_person_decided_is_said():
    rows = full("approvals", 6)
    rows["decided_by"] = ["user", "policy", "code", "rule", None, None]
    assert "Decided by a rule, a policy or code: 3 of 6." in texts(approvals(rows))


def test_denials_and_approvals_differ_without_colour():
    left, right = approvals(full("approvals", 6)).axes
    hatches = {artist.get_label(): artist.get_hatch() for artist in right.collections}
    assert hatches["denied"]
    assert not hatches["approved"]
    assert left.get_ylabel() == "questions"
