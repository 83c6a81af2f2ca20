"""Sub-agents in static transcripts: inside the card of their call, else at the end, and never lost or twice."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nb_agentscope.message import AssistantMsg, TextBlock, ToolCallBlock, ToolResultBlock
from nb_agentscope.render import log_bundle, to_html, to_text
from nb_agentscope.render._placement import MAX_DEPTH, place
from nb_agentscope.stream import EventLog, Lane, LaneView, View
from tests.dump_progress import records


def said(name: str, id: str, *blocks: Any, ended: bool = True) -> AssistantMsg:
    fields = {"finished_at": "2026-01-01T00:00:01Z", "finished_reason": "completed"} if ended else {}
    return AssistantMsg(name, list(blocks), id=id, **fields)


def call(id: str = "c", name: str = "ask") -> list[Any]:
    return [
        ToolCallBlock(id=id, name=name, input="{}", state="finished"),
        ToolResultBlock(id=id, name=name, output="done", state="success"),
    ]


def lane_view(*msgs: AssistantMsg) -> LaneView:
    view = LaneView()
    view.msgs.extend(msgs)
    return view


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


MAIN = said("main", "r", TextBlock(text="First."), *call(), TextBlock(text="Last."))
INSIDE = {Lane("main/helper", "r", "c"): lane_view(said("helper", "n", TextBlock(text="Nested **words**.")))}


def test_a_sub_agent_stands_in_the_card_of_its_call() -> None:
    html = to_html([MAIN], View().progress, lanes=INSIDE, style=False)
    text = plain(html)
    assert text.index("First.") < text.index("ask") < text.index("helper") < text.index("Nested words .")
    assert text.index("Nested") < text.index("result: done") < text.index("Last.")
    box = html[html.index("nbas-lanes") : html.index("nbas-result")]
    assert 'role="group" aria-label="Sub-agent main \u203a helper" data-phase="done"' in box
    assert "<strong>words</strong>" in box
    assert html.count("Nested") == 1


def test_a_call_whose_sub_agent_says_nothing_shows_nothing_special() -> None:
    assert to_html([MAIN], View().progress, lanes={}) == to_html([MAIN], View().progress)
    assert "nbas-lane" not in to_html([MAIN], View().progress, style=False)


@pytest.mark.parametrize(
    "lane",
    [
        Lane("elsewhere/bot"),
        Lane("elsewhere/bot", "r", "unknown"),
        Lane("elsewhere/bot", "unknown", "c"),
        Lane("elsewhere/bot", "r"),
    ],
)
def test_without_a_known_call_it_stands_at_the_end_under_its_path(lane: Lane) -> None:
    lanes = {lane: lane_view(said("bot", "n", TextBlock(text="Nested.")))}
    text = plain(to_html([MAIN], View().progress, lanes=lanes, style=False))
    assert text.index("Last.") < text.index("elsewhere \u203a bot") < text.index("Nested.")
    lines = to_text([MAIN], View().progress, lanes=lanes).splitlines()
    assert lines[-2:] == ["elsewhere \u203a bot · Done:", "  | Nested."]


def test_the_text_indents_and_numbers_lanes_of_one_name() -> None:
    view = View.of(records("nested"))
    lines = to_text(view.msgs, view.progress, lanes=view.lanes).splitlines()
    first = lines.index('[done] quick({"x": "A"})')
    assert lines[first + 1 : first + 4] == [
        "  researcher · Done:",
        "    | I will delete it.",
        '    | [done] rm({"x": "a.txt"})',
    ]
    assert lines[first + 4].startswith("    |   Approved once by you")
    assert "  researcher #2 · Done:" in lines
    assert '    | [denied] rm({"x": "a.txt"})' in lines
    assert "researcher #2" in plain(to_html(view.msgs, view.progress, lanes=view.lanes, style=False))


def test_two_deep() -> None:
    lanes = {
        Lane("m/a", "r", "c"): lane_view(said("a", "n1", *call())),
        Lane("m/a/b", "n1", "c"): lane_view(said("b", "n2", TextBlock(text="Deep."))),
    }
    html = to_html([MAIN], View().progress, lanes=lanes, style=False)
    assert html.count("nbas-lanes") == 2
    assert html.count("Deep.") == 1
    assert "    |   b · Done:\n    |     | Deep." in to_text([MAIN], View().progress, lanes=lanes)


def chain(depth: int) -> dict[Lane, LaneView]:
    ids = ["r", *(f"n{i}" for i in range(1, depth + 1))]
    return {Lane(f"d{i}", ids[i - 1], "c"): lane_view(said("x", ids[i], *call())) for i in range(1, depth + 1)}


def test_what_is_too_deep_stands_at_the_end() -> None:
    assert place([MAIN], chain(MAX_DEPTH)).loose == []
    assert [placed.lane.source for placed in place([MAIN], chain(MAX_DEPTH + 2)).loose] == ["d7", "d8"]


def test_circles_are_shown_once_each_at_the_end() -> None:
    lanes = {
        Lane("a", "nb", "c"): lane_view(said("a", "na", *call())),
        Lane("b", "na", "c"): lane_view(said("b", "nb", *call())),
        Lane("self", "ns", "c"): lane_view(said("s", "ns", *call())),
    }
    assert [placed.lane.source for placed in place([], lanes).loose] == ["a", "b", "self"]
    assert to_html([MAIN], View().progress, lanes=lanes, style=False).count("nbas-lane-fold") == 3


def test_a_lane_that_has_no_end_is_stopped_when_the_run_is_over_and_open() -> None:
    lanes = {Lane("m/a", "r", "c"): lane_view(said("a", "n", TextBlock(text="so"), ended=False))}
    done = to_html([MAIN], View().progress, lanes=lanes, style=False)
    live = to_html([MAIN], View().progress, lanes=lanes, status="running", style=False)
    assert 'data-phase="stopped"><details class="nbas-lane-fold" open>' in done
    assert 'data-phase="working"><details class="nbas-lane-fold" open>' in live


def test_a_hostile_path_is_only_text() -> None:
    source = "<img src=x>/\u202eevil/" + "n" * 200 + "/" + "/".join("abcdefgh")
    lanes = {Lane(source): lane_view(said("x", "n", TextBlock(text="hi")))}
    html = to_html([MAIN], View().progress, lanes=lanes, style=False)
    assert "<img" not in html
    assert "\u202e" not in html
    assert "n" * 61 not in html
    assert "… 5 more …" in html
    assert "\u202e" not in to_text([MAIN], View().progress, lanes=lanes)
    assert "agent" in plain(to_html([], View().progress, lanes={Lane(""): lane_view(said("x", "n"))}, style=False))


@pytest.mark.parametrize("loose", [True, False])
def test_however_much_they_say_the_size_is_kept_and_what_is_missing_is_said(loose: bool) -> None:
    texts = [TextBlock(text=f"{i} " + "word " * 400) for i in range(30)]
    lanes = {Lane(f"m/{i}", None if loose else "r", "c"): lane_view(said(f"{i}", f"n{i}", *texts)) for i in range(60)}
    html = to_html([MAIN], View().progress, lanes=lanes, limit=60_000, style=False)
    assert len(html.encode()) <= 60_000
    assert "First." in html
    assert "earlier" in html
    assert "in the log" in html
    assert len(to_text([MAIN], View().progress, lanes=lanes, limit=20_000).encode()) <= 20_000


def test_a_log_shows_its_sub_agents() -> None:
    log = EventLog()
    for record in records("nested"):
        log.append(record.event)
    bundle = log_bundle(log)
    assert bundle["text/html"].count("nbas-lane-fold") >= 2
    assert "researcher #2 · Done:" in bundle["text/plain"]
