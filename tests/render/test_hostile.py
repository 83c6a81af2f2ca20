"""Text of models, tools and logs can only ever be text."""

from __future__ import annotations

import re
import time
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from nb_agentscope.message import (
    AssistantMsg,
    Base64Source,
    DataBlock,
    ErrorInfo,
    HintBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    URLSource,
    UserMsg,
)
from nb_agentscope.render import to_html, to_text
from nb_agentscope.render._visible import visible_text
from nb_agentscope.stream import Decision, Progress

TAGS = """style section header footer div span p bdi details summary dl dt dd pre code ul ol li table thead tbody tr th td a
img figure figcaption strong em s blockquote hr br h3 h4 h5 h6 svg path"""
ATTRIBUTES = """class href title target rel src alt open role d viewbox aria-label aria-hidden data-state data-phase
data-decision data-live data-icon start tabindex"""
ALLOWED_TAGS, ALLOWED_ATTRIBUTES = set(TAGS.split()), set(ATTRIBUTES.split())
HOSTILE = [
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</pre></details></section><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)' autofocus='",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt:alert(1))",
    "[click](\tjavascript:alert(1))",
    "[click](data:text/html,<script>alert(1)</script>)",
    "[click](vbscript:x)",
    "<javascript:alert(1)>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/track.png)",
    '[a](https://evil.example "<script>")',
    '```"><script>alert(1)</script>\n```',
    "&lt;script&gt;",
    "<!-- ",
    "<![CDATA[",
    "<svg/onload=alert(1)>",
    "<iframe src=//evil.example>",
    "<a href=javascript:x>y</a>",
    "]]>",
    "\x00<script>",
    "\ud800",
    "a\u202eb",
    "[x]: javascript:alert(1)\n\n[x]",
    "<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>",
]


class Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED_TAGS, tag
        for name, value in attrs:
            assert name in ALLOWED_ATTRIBUTES, name
            if name == "href":
                self.links.append(value or "")
            if name == "src":
                self.images.append(value or "")
        if tag not in ("img", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def check(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert all(link.split(":")[0] in ("http", "https", "mailto") for link in checker.links), checker.links
    assert all(image.startswith("data:image/") for image in checker.images), checker.images
    return checker


def everywhere(text: str) -> tuple[list[Any], Progress]:
    """A run that has `text` in every place where foreign text may be."""
    call = ToolCallBlock(id="c", name=text, input='{"k": ' + _json(text) + "}", state="finished")
    raw = ToolCallBlock(id="raw" + text, name="t", input=text)
    msg = AssistantMsg(
        text,
        [
            TextBlock(text=text),
            ThinkingBlock(thinking=text),
            HintBlock(hint=text, source=text),
            DataBlock(source=Base64Source(data=text, media_type="image/png"), name=text),
            DataBlock(source=Base64Source(data="QQ==", media_type=text), name=text),
            DataBlock(source=URLSource(url="https://example.org/x", media_type="image/png"), name=text),
            DataBlock(source=URLSource(url="file:///etc/passwd", media_type="image/png"), name=text),
            call,
            raw,
            ToolResultBlock(id="c", name=text, output=[TextBlock(text=text)], state="error"),
            ToolResultBlock(id="orphan", name=text, output=text),
        ],
        finished_reason="error",
    )
    msg.error = ErrorInfo(message=text)
    progress = Progress(agent=text, model=text, inputs=[_dump(UserMsg(text, text))])
    progress.decisions["c"] = Decision(decision="denied", by=text, note=text, edited_input=text, waited_s=1.0)
    return [msg], progress


def _json(text: str) -> str:
    import json

    return json.dumps(text)


def _dump(msg: Any) -> dict[str, Any]:
    return msg.model_dump(mode="json")  # type: ignore[no-any-return]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    msgs, progress = everywhere(text)
    html = to_html(msgs, progress)
    html.encode()  # no lone surrogates
    check(html)
    for limit in (100_000, 20_000, 3_000):
        check(to_html(msgs, progress, limit=limit))
    to_text(msgs, progress).encode()


def test_the_checker_finds_what_it_looks_for() -> None:
    for bad in ("<script>", '<a href="javascript:x">', "<p onclick='x'>", "<p>", '<img src="https://x">'):
        with pytest.raises(AssertionError):
            check(bad)


def test_links_say_where_they_lead_and_images_are_links() -> None:
    text = "[docs](https://example.org/a) <https://plain.example> ![logo](https://img.example/l.png) [m](mailto:a@b.c)"
    html = to_html([AssistantMsg("a", text)], Progress(), style=False)
    checker = check(html)
    assert checker.links == [
        "https://example.org/a",
        "https://plain.example",
        "https://img.example/l.png",
        "mailto:a@b.c",
    ]
    assert checker.images == []
    assert html.count('rel="noopener noreferrer"') == 4
    assert '<span class="nbas-host">example.org</span>' in html
    assert '<span class="nbas-host">plain.example</span>' not in html
    assert re.search(r">image: </span>logo</a>", html)


def test_hidden_characters_in_arguments_are_shown() -> None:
    call = ToolCallBlock(id="c", name="rm\u200b", input='{"path": "a\u202egpj.exe", "x": "\x1b[31mred"}')
    html = to_html([AssistantMsg("a", [call])], Progress(), style=False)
    assert "\u202e" not in html
    assert "\u200b" not in html
    for code in ("U+202E", "U+200B"):
        assert f'title="hidden character {code}">{code}</span>' in html
    assert "<U+202E>" in to_text([AssistantMsg("a", [call])], Progress())


def test_terminal_colours_are_taken_out_of_results() -> None:
    result = ToolResultBlock(id="c", name="ls", output="\x1b[31mred\x1b[0m \x07", state="success")
    html = to_html([AssistantMsg("a", [result])], Progress(), style=False)
    assert "<pre>red " in html
    assert "\x1b" not in html
    assert "\x1b" not in to_text([AssistantMsg("a", [result])], Progress())


def test_a_long_hostile_text_takes_linear_time() -> None:
    def cost(text: str) -> float:
        start = time.process_time()
        to_html([AssistantMsg("a", text)], Progress(), style=False)
        return time.process_time() - start

    for piece in ("[", "*a_ ", "`", "![]("):
        cost(piece * 100)
        small, large = (min(cost(piece * times) for _ in range(3)) for times in (1_000, 8_000))
        assert large < 8 * 4 * small, piece  # 64 times if it were quadratic


@pytest.mark.parametrize("depth", [41, 300, 900, 5_000])
@pytest.mark.parametrize("shape", ['{"a":', "[", '[{"a":'])
def test_arguments_that_are_nested_deeply_do_not_keep_a_run_from_being_shown(depth, shape):
    """Else a model could keep all that it did out of the saved notebook."""
    end = "".join({"{": "}", "[": "]"}.get(char, "") for char in reversed(shape))
    text = '{"path": ' + shape * depth + "1" + end * depth + "}"
    msg = AssistantMsg("a", [ToolCallBlock(id="c", name="rm", input=text), TextBlock(text="the end")])
    assert "the end" in to_html([msg], Progress())
    assert "the end" in to_text([msg], Progress())


def test_every_format_and_space_character_is_shown_in_both_views() -> None:
    """All but plain blanks, and signs that can be seen (Arabic, Syriac and Kaithi number signs are of the same category)."""
    seen = {"\t", "\n", " ", *map(chr, [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD])}
    kinds = ("Cc", "Cf", "Zs", "Zl", "Zp")
    chars = [char for char in map(chr, range(0x110000)) if unicodedata.category(char) in kinds and char not in seen]
    assert [f"{ord(char):04X}" for char in chars if visible_text(char) == char] == []
    source = (Path(__file__).parents[2] / "js/src/render/visible.ts").read_text(encoding="utf-8")
    for part in ("\\u1680", "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}"):
        assert part in source
