"""The summary of a small log, every number by hand; and what hostile names do to it: nothing."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from nb_agentscope.analysis import Summary, model_calls_df, replies_df, summary, usage_df
from tests.analysis.story import PRICES, story

HOSTILE = "<img src=x onerror=alert(1)>\u202e&\x1b[31m$\\frac{\"'"


def rows(frame, *columns):
    return list(frame[list(columns)].itertuples(index=False, name=None))


@pytest.fixture(scope="module")
def found():
    return summary(story(), prices=PRICES)


def test_time_parts_and_shares(found):
    assert rows(found.time, "part", "seconds", "share") == [
        ("model", 3.5, 0.35),
        ("tool", 3.0, 0.3),
        ("you", 2.0, 0.2),
        ("external", 1.0, 0.1),
        ("other", 0.5, 0.05),
    ]


def test_parts_sum_to_the_wall_time_of_outermost_replies(found):
    replies = replies_df(story())
    assert found.time["seconds"].sum() == pytest.approx(replies["wall_s"][replies["depth"] == 0].sum(), abs=1e-3)
    assert found.totals["wall_s"] == 10.0


def test_agents_each_with_its_own_split(found):
    assert rows(found.agents, "agent", "replies", "wall_s", "model_s", "tool_s", "human_wait_s", "overhead_s") == [
        ("boss", 1, 10.0, 3.5, 3.0, 2.0, 0.5),
        ("helper", 1, 2.0, 1.0, 0.0, 0.0, 1.0),
    ]


def test_usage_is_that_of_usage_df_and_unknown_is_counted(found):
    pd.testing.assert_frame_equal(found.usage, usage_df(story(), prices=PRICES))
    large, small = found.usage.to_dict("records")
    assert (large["input_tokens"], large["output_tokens"], large["n_unknown"]) == (600, 19, 0)
    assert large["total_cost"] == pytest.approx((60 * 10 + 40 * 1 + 100 * 10 + 100 * 1 + 300 * 10 + 19 * 100) / 1e6)
    assert small["n_unknown"] == 1
    assert pd.isna(small["input_tokens"])


def test_a_sum_without_some_of_its_calls_is_a_lower_bound():
    events = story()
    for event in events:
        event["model_name"] = "m"
    text = repr(summary(events, prices={"m": PRICES["m-large"]}))
    assert re.search(r"\bm +4 +≥ 600 +23 % +≥ 19 +≥ \$0\.0066", text), text
    assert "1 call did not tell what it used." in text


def test_tools_the_slowest_first(found):
    assert rows(found.tools, "tool", "calls", "errors", "p50_s", "p95_s", "max_s")[:2] == [
        ("helper", 1, 0, 2.0, 2.0, 2.0),
        ("delete", 1, 1, 1.0, 1.0, 1.0),
    ]
    assert found.tools["tool"][2] == "outside"
    assert found.tools.iloc[2][["p50_s", "max_s", "total_s"]].isna().all()


def test_a_denied_call_says_nothing_of_the_speed_of_its_tool():
    events = story()
    next(event for event in events if event["type"] == "TOOL_RESULT_END")["state"] = "denied"
    (row,) = summary(events).tools.query("tool == 'delete'").to_dict("records")
    assert (row["calls"], row["denied"], row["errors"]) == (1, 1, 0)
    assert pd.isna(row["p50_s"])


def test_waits_and_those_still_open_first(found):
    assert rows(found.waits, "tool", "kind", "decision", "wait_s") == [
        ("delete", "confirm", "approved", 2.0),
        ("outside", "external", "answered", 1.0),
    ]
    asked = next(n for n, event in enumerate(story()) if event["type"] == "USER_CONFIRM_RESULT")
    (open_wait,) = rows(summary(story()[:asked]).waits, "tool", "decision")
    assert open_wait == ("delete", "pending")


def test_errors_say_why():
    found = summary(story(error={"type": "model", "message": "The model is away."}))
    assert rows(found.errors, "what", "name", "agent", "message") == [
        ("reply", "model", "boss", "The model is away."),
        ("tool call", "delete", "boss", "boom"),
    ]
    assert found.totals["failed_replies"] == 1
    assert "The model is away." in repr(found)


def test_problems_are_counted_and_shown():
    events = story()
    events[3]["created_at"] = "yesterday"
    found = summary(events)
    assert found.n_problems == len(found.problems) > 0
    assert "Problems of the log" in repr(found)
    assert "yesterday" in repr(found)


def test_events_that_can_be_read_but_once():
    assert repr(summary(iter(story()))) == repr(summary(story()))


def test_an_empty_log_has_all_frames():
    found = summary([])
    assert isinstance(found, Summary)
    assert repr(found) == "No replies in 0 events"
    assert list(found.time["part"]) == ["model", "tool", "you", "external", "other"]
    assert found.time["seconds"].isna().all()
    for frame in (found.agents, found.usage, found.tools, found.waits, found.errors, found.problems):
        assert len(frame) == 0
        assert len(frame.columns) > 3
    assert "No replies in 0 events" in found._repr_html_()


def test_a_long_list_is_cut_and_counted():
    events = [event for number in range(12) for event in again(story(), number)]
    found = summary(events)
    assert len(found.waits) == 24
    assert "and 16 more." in repr(found)


def again(events, number):
    """The same replies under other ids."""
    for event in events:
        lane = event.get("metadata", {})
        ids = {"id": f"{event['id']}-{number}", "reply_id": f"{event['reply_id']}-{number}"}
        yield event | ids | {"metadata": lane | ({"parent_reply_id": f"r1-{number}"} if lane else {})}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = set(), [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def test_hostile_names_stay_text():
    events = story(tool=HOSTILE, agent=HOSTILE, message=HOSTILE * 40)
    for event in events:
        if "model_name" in event:
            event["model_name"] = HOSTILE
    found = summary(events)
    page = Tags()
    page.feed(found._repr_html_())
    assert page.tags <= {"style", "div", "p", "section", "table", "thead", "tbody", "tr", "th", "td", "i", "span"}
    assert {name for name, _ in page.attributes} <= {"class", "style", "scope", "aria-label", "aria-hidden"}
    assert page.text.count("<img src=x") >= 6
    for shown in (repr(found), page.text):
        assert "\u202e" not in shown
        assert "\x1b" not in shown
        assert "<U+202E>" in shown
    assert "http" not in found._repr_html_()
    assert 'class="nbas-sheet mathjax_ignore ' in found._repr_html_()
    assert not re.search(
        r"(?<!<span>)[$\\\\]", found._repr_html_().split("</style>")[1]
    )  # no page reads mathematics into it


def test_a_tool_named_as_a_part_of_the_time_has_no_colour():
    assert summary(story(tool="model"))._repr_html_().count('class="nbas-key') == 5


def test_frames_hold_what_the_tables_hold(found):
    calls = model_calls_df(story())
    assert found.totals["model_calls"] == len(calls)
    assert found.totals["unknown_usage"] == int((~calls["usage_known"]).sum())
    assert found.totals["ttft_p50_s"] == calls["ttft_s"].quantile(0.5)


def test_strict_is_that_of_the_tables():
    events = story()
    events[3]["created_at"] = "yesterday"
    with pytest.raises(ValueError, match="yesterday"):
        summary(events, strict=True)


def test_a_share_of_the_cache_that_is_not_known_says_what_is_missing(found):
    hint = "From cache: accounting in prices= says whether the input holds the cached tokens."
    assert hint in repr(summary(story()))
    assert hint not in repr(found)
