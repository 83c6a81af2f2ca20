"""What a transcript shows, and that it keeps its size."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from nb_agentscope.message import (
    AssistantMsg,
    Base64Source,
    DataBlock,
    ErrorInfo,
    Msg,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    Usage,
    UserMsg,
)
from nb_agentscope.render import log_bundle, msg_bundle, to_html, to_text
from nb_agentscope.render._icon import PATHS
from nb_agentscope.stream import Decision, EventLog, Progress
from tests.recorded import SCENARIOS, VECTORS, events

ICONS_TS = Path(__file__).parents[2] / "js" / "src" / "render" / "icons.ts"


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def call(state: str = "success", **fields: Any) -> list[Any]:
    block = ToolCallBlock(id="c", name="delete_file", input='{"path": "a.txt", "n": 1.50, "n": 2}', state="finished")
    result = ToolResultBlock(
        id="c",
        name="delete_file",
        output=[TextBlock(text="deleted")],
        state=state,
        created_at="2026-01-01T00:00:00Z",
        finished_at="2026-01-01T00:00:02Z",
    )
    return [block, result]


def test_a_run_reads_from_top_to_bottom() -> None:
    thinking = ThinkingBlock(thinking="hm", created_at="2026-01-01T00:00:00Z", finished_at="2026-01-01T00:00:04Z")
    msg = AssistantMsg("Ann", [thinking, TextBlock(text="# Plan\n\n- **one**"), *call()], finished_reason="completed")
    msg.usage = Usage(input_tokens=12_345, output_tokens=6, cache_input_tokens=5)
    progress = Progress(
        agent="Ann", model="m-1", model_calls=2, inputs=[UserMsg("Bob", "Tidy <up>").model_dump(mode="json")]
    )
    html = to_html([msg], progress, elapsed_s=65.2)
    text = plain(html.partition("</style>")[2])
    expected = (
        "Ann m-1 Done 1:05 You Tidy &lt;up&gt; Ann Thought for 4.0 s hm Plan one delete_file a.txt · 1.50 · 2 · done 2.0 s "
        "path a.txt n 1.50 n 2 result: deleted 12\u202f345 in · 5 cached · 6 out · 2 model calls"
    )
    assert text == expected.replace("\u202f", " ")
    assert "<details" in html
    assert "<script" not in html
    assert "<li><strong>one</strong></li>" in html


def test_the_plain_text_says_the_same() -> None:
    msg = AssistantMsg("Ann", [TextBlock(text="I will."), *call()], finished_reason="completed")
    lines = to_text([msg], Progress(agent="Ann", model_calls=1), elapsed_s=3).splitlines()
    assert lines == [
        "Ann · Done · 3.0 s",
        "",
        "Ann:",
        "I will.",
        '[done] delete_file({"path": "a.txt", "n": 1.50, "n": 2})',
        "  → deleted",
        "",
        "1 model call",
    ]


def test_decisions_are_on_record() -> None:
    progress = Progress()
    progress.decisions["c"] = Decision(
        decision="approved", by="user", waited_s=12.0, edited_input='{"path": "b.txt"}', note="careful"
    )
    html = to_html([AssistantMsg("a", call())], progress, style=False)
    assert "Approved once by you · waited 12 s · arguments edited" in html
    assert "“careful”" in html
    assert "b.txt" in html
    assert "the model asked" in html
    text = to_text([AssistantMsg("a", call())], progress)
    assert "Approved once by you" in text
    assert "ran with" in text


@pytest.mark.parametrize(
    ("state", "word", "opened"),
    [
        ("success", "done", False),
        ("error", "failed", True),
        ("denied", "denied", False),
        ("interrupted", "interrupted", False),
    ],
)
def test_the_state_of_a_call_is_a_word(state: str, word: str, opened: bool) -> None:
    html = to_html([AssistantMsg("a", call(state))], Progress(), style=False)
    assert f'<span class="nbas-state">{word}</span>' in html
    assert (" open>" in html) is opened


def test_a_card_keeps_its_decision_in_sight_when_it_is_folded() -> None:
    progress = Progress()
    progress.decisions["c"] = Decision(decision="approved", by="user")
    html = to_html([AssistantMsg("a", call())], progress, style=False)
    card = html.partition('<div class="nbas-item nbas-tool" data-state="done">')[2]
    assert card.startswith('<details class="nbas-tool-fold"><summary>')
    assert card.partition("</details>")[2].startswith('<div class="nbas-record-box"><p class="nbas-record"')


def test_a_card_with_a_picture_is_open() -> None:
    block, result = call()
    result.output.append(DataBlock(source=Base64Source(data="QQ==", media_type="image/png")))
    assert " open>" in to_html([AssistantMsg("a", [block, result])], Progress(), style=False)


def test_numbers_in_tables_stand_at_the_right_whatever_the_marks_say() -> None:
    table = "| a | n | **m** |\n|:-:|---|---|\n| x | 1,204.5 | **-3 %** |\n| y | n/a | 2026-01-01 |\n\n| 1 |\n|---|\n"
    html = to_html([AssistantMsg("a", table)], Progress(), style=False)
    assert "style=" not in html
    cells = re.findall(r"<t[hd]( class=\"nbas-num\")?>(.*?)</t[hd]>", html)
    assert [plain(text) for right, text in cells if right] == ["n", "m", "1,204.5", "-3 %"]
    assert [plain(text) for right, text in cells if not right] == ["a", "x", "y", "n/a", "2026-01-01", "1"]


def test_addresses_in_plain_text_are_links_and_links_are_not_nested() -> None:
    text = "see https://a.example/x?y=1&z=2 now, [https://b.example](https://b.example/), `https://c.example`, xhttps://d.example"
    html = to_html([AssistantMsg("a", text)], Progress(), style=False)
    assert html.count("<a ") == 2
    assert 'href="https://a.example/x?y=1&amp;z=2"' in html
    assert "</a></a>" not in html


def test_what_the_reader_chose_stays_when_the_view_freezes() -> None:
    html = to_html([AssistantMsg("a", "x")], Progress(), style=False, theme="dark", max_height=900)
    assert html.startswith('<section class="nbas-root nbas-static nbas-own-theme" ')
    assert 'data-theme="dark" style="--nbas-max-height:900px"' in html
    assert "data-theme" not in to_html([AssistantMsg("a", "x")], Progress(), style=False)


def test_the_speed_of_the_last_call_is_in_the_footer() -> None:
    progress = Progress(
        model_calls=1,
        model_started_at="2026-01-01T00:00:00",
        first_content_at="2026-01-01T00:00:00.6",
        model_ended_at="2026-01-01T00:00:02.6",
        model_output_tokens=90,
    )
    assert "first token 600 ms · 45 tok/s" in to_text([AssistantMsg("a", "x")], progress)


def test_a_failed_reply_shows_the_error_after_what_it_said() -> None:
    msg = AssistantMsg("a", "so far", finished_reason="error")
    msg.error = ErrorInfo(type="rate_limit", message="429: slow down")
    text = plain(to_html([msg], Progress(), style=False))
    assert re.search(r"Failed.*so far.*Too many requests.*429: slow down.*Wait a little", text)
    assert "Too many requests: 429: slow down" in to_text([msg], Progress())


def test_an_empty_reply_says_so() -> None:
    msg = AssistantMsg("a", [], finished_at="2026-01-01T00:00:00Z", finished_reason="interrupted")
    assert "(empty reply · interrupted)" in to_html([msg], Progress())


def test_unknown_usage_makes_a_lower_bound() -> None:
    msg = AssistantMsg("a", "x", usage=Usage(input_tokens=10, output_tokens=2))
    assert "≥ 10 in" in to_html([msg], Progress(model_calls=2, unknown_usage=1))
    assert "usage unknown" in to_html([AssistantMsg("a", "x")], Progress(model_calls=1, unknown_usage=1))


def test_pictures_are_inline_within_the_limit_only() -> None:
    def picture(size: int) -> DataBlock:
        return DataBlock(source=Base64Source(data="A" * size, media_type="image/png"), name="p.png")

    msg = AssistantMsg("a", [picture(4_000), picture(400_000), picture(8_000)])
    html = to_html([msg], Progress(), limit=100_000)
    assert len(html.encode()) <= 100_000
    assert html.count("data:image/png;base64,") == 2
    assert "300 kB · in the log" in html
    assert to_html([msg], Progress()).count("data:image/png;base64,") == 3


@pytest.mark.parametrize("limit", [12_000, 60_000, 128_000])
@pytest.mark.parametrize("kind", ["one long text", "many blocks", "many replies", "long input", "long error"])
def test_no_transcript_is_larger_than_its_limit(kind: str, limit: int) -> None:
    progress = Progress()
    text = "wörd <b> & \n\n" * 60_000
    msgs: list[Msg] = [AssistantMsg("a", "x")]
    if kind == "one long text":
        msgs = [AssistantMsg("a", text)]
    elif kind == "many blocks":
        msgs = [AssistantMsg("a", [TextBlock(text=f"block {i} {'x' * 100}") for i in range(3_000)])]
    elif kind == "many replies":
        msgs = [AssistantMsg("a", f"reply {i} {'x' * 100}") for i in range(2_000)]
    elif kind == "long input":
        progress.inputs.append(UserMsg("u", text).model_dump(mode="json"))
    else:
        msgs[0].error = ErrorInfo(message=text)
    html = to_html(msgs, progress, limit=limit, style=False)
    assert limit // 30 < len(html.encode()) <= limit
    assert "in the log" in html
    plain_text = to_text(msgs, progress, limit=limit)
    assert len(plain_text.encode()) <= limit
    if kind == "many blocks":
        assert "block 2999" in html
        assert "block 0 " not in html


def test_notes_stand_after_the_last_block_as_text() -> None:
    progress = Progress(agent="Ann", notes=["The <b>stream</b>\nended", "\u202eevil"])
    html = to_html([AssistantMsg("Ann", "I will.")], progress, style=False)
    notes = html.partition('<div class="nbas-item nbas-notes" role="note" aria-label="Notes">')[2]
    assert "I will." not in notes
    assert notes.count('<p class="nbas-dim"><svg') == 2
    assert "<span>The &lt;b&gt;stream&lt;/b&gt;\nended</span>" in notes
    assert plain(notes) == "The &lt;b&gt;stream&lt;/b&gt; ended U+202E evil"
    lines = to_text([AssistantMsg("Ann", "I will.")], progress).splitlines()
    assert lines[-4:] == ["I will.", "", "Note: The <b>stream</b> ended", "Note: <U+202E>evil"]
    assert "nbas-notes" not in to_html([AssistantMsg("Ann", "I will.")], Progress(), style=False)


@pytest.mark.parametrize("msgs", [[], [AssistantMsg("a", "x" * 60_000)]], ids=["no reply", "a long one"])
def test_hostile_notes_keep_to_the_limit_too(msgs: list[Msg]) -> None:
    progress = Progress(notes=[str(i) + "\u202e" * 499 for i in range(20)])
    html = to_html(msgs, progress, limit=128_000, style=False)
    assert len(html.encode()) <= 128_000
    assert "… 17 earlier notes in the log" in html
    assert "<span>19<span" in html


def test_the_style_sheet_is_inlined_once_and_cannot_be_closed() -> None:
    html = to_html([AssistantMsg("a", "</style>")], Progress())
    assert (html.count("<style>"), html.count("</style>")) == (1, 1)


def test_icons_are_those_of_the_live_view() -> None:
    live = dict(re.findall(r'^\s+(\w+): "([^"]+)"', ICONS_TS.read_text(encoding="utf-8"), re.MULTILINE))
    assert {name: live[name] for name in PATHS} == PATHS


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_recorded_run_renders(scenario: str) -> None:
    log = EventLog.load(VECTORS / f"{scenario}.jsonl")
    bundle = log_bundle(log)
    assert set(bundle) == {"text/html", "text/plain"}
    words = [word for msg in log.msgs for word in (msg.get_text_content() or "").split() if word.isalpha()]
    shown = plain(bundle["text/html"])
    assert all(word in shown for word in words)
    assert len(events(scenario)) >= 1


def test_messages_and_logs_show_themselves() -> None:
    msg = AssistantMsg("Ann", "**hi**")
    assert msg._repr_mimebundle_() == msg_bundle(msg)
    assert "<strong>hi</strong>" in msg_bundle(msg)["text/html"]
    assert "You" in msg_bundle(UserMsg("Bob", "hello"))["text/html"]
    log = EventLog()
    assert set(log._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert json.loads(msg.model_dump_json())["content"][0]["text"] == "**hi**"  # showing changes nothing
