"""Code gets the colours that it has in the live view: both read tests/fixtures/format/code.json."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from nb_agentscope.render import _highlight
from nb_agentscope.render._highlight import highlight

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests" / "fixtures" / "format" / "code.json").read_text(encoding="utf-8"))
LIVE = (ROOT / "js" / "src" / "render" / "highlight.ts").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "code", "marked"), CASES)
def test_what_is_coloured(language, code, marked):
    html = highlight(code, language)
    found = re.findall(r'<span class="nbas-tok-(\w+)">(.*?)</span>', html, re.DOTALL)
    assert [[kind, unescape(text)] for kind, text in found] == marked
    assert unescape(re.sub("<[^>]+>", "", html)) == code


@pytest.mark.parametrize(("name", "wanted"), [("WORDS", _highlight.WORDS), ("SQL_WORDS", _highlight.SQL_WORDS)])
def test_the_words_are_those_of_the_live_view(name, wanted):
    text = LIVE.partition(f"const {name} = new Set(")[2].partition(".split")[0]
    assert set(" ".join(re.findall('"([^"]*)"', text)).split()) == wanted


@pytest.mark.parametrize(("name", "wanted"), [("HASH", _highlight.HASH), ("PLAIN", _highlight.PLAIN)])
def test_the_languages_are_those_of_the_live_view(name, wanted):
    text = LIVE.partition(f"const {name} = new Set([")[2].partition("]")[0]
    assert set(re.findall('"([^"]*)"', text)) == wanted


def test_very_long_code_stays_plain():
    assert highlight("def " * 20_000, "python") == "def " * 20_000
