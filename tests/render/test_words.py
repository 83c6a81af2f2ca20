"""The same words and numbers in the live view and here: both read tests/fixtures/format."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from nb_agentscope.message import AssistantMsg, HintBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock, Usage
from nb_agentscope.render import _words, to_html
from nb_agentscope.stream import Decision, Progress

FORMAT = Path(__file__).parents[1] / "fixtures" / "format"
NUMBERS = json.loads((FORMAT / "numbers.json").read_text(encoding="utf-8"))
WORDS = json.loads((FORMAT / "words.json").read_text(encoding="utf-8"))


def text_of(html):
    return re.sub(r"<[^>]+>", "", html)


@pytest.mark.parametrize("name", ["duration", "clock", "size", "count"])
def test_numbers(name):
    assert [[value, getattr(_words, name)(value)] for value, _ in NUMBERS[name]] == NUMBERS[name]


def test_plurals():
    assert [[value, one, _words.plural(value, one)] for value, one, _ in NUMBERS["plural"]] == NUMBERS["plural"]


def test_phases_calls_and_errors():
    ended = {str(reason): _words.PHASES[reason] for reason in WORDS["phases"]}
    assert {reason: [state.kind, state.word] for reason, state in ended.items()} == WORDS["phases"]
    assert {name: list(state) for name, state in _words.CALL_STATES.items()} == WORDS["calls"]
    assert sorted(_words.OPEN_CALLS) == WORDS["open_calls"]
    assert {name: list(error) for name, error in _words.ERRORS.items()} == WORDS["errors"]


@pytest.mark.parametrize(("reason", "words"), WORDS["empty"])
def test_an_empty_reply(reason, words):
    assert _words.empty_words(AssistantMsg("a", [], finished_reason=reason)) == words


@pytest.mark.parametrize(("given", "words"), WORDS["records"])
def test_decisions(given, words):
    progress = Progress()
    progress.decisions["c"] = Decision.model_validate(given)
    call = ToolCallBlock(id="c", name="f", input="{}", state="finished")
    html = to_html([AssistantMsg("a", [call])], progress, style=False)
    record = re.search(r'<p class="nbas-record".*?</p>', html)
    assert record is not None
    assert text_of(record[0]) == words


@pytest.mark.parametrize(("by", "words"), WORDS["edited"])
def test_edits(by, words):
    assert _words.edit_words(Decision(decision="approved", by=by)) == words


@pytest.mark.parametrize(("thinking", "start", "end", "words"), WORDS["thinking"])
def test_thinking(thinking, start, end, words):
    assert _words.thinking_words(ThinkingBlock(thinking=thinking, created_at=start, finished_at=end)) == words


@pytest.mark.parametrize(("source", "words"), WORDS["hints"])
def test_hints(source, words):
    html = to_html([AssistantMsg("a", [HintBlock(source=source, hint="x")])], Progress(), style=False)
    head = re.search(r'nbas-hint"><summary>.*?</summary>', html)
    assert head is not None
    assert text_of(head[0].partition(">")[2]) == words


@pytest.mark.parametrize(("usages", "progress", "words"), WORDS["stats"])
def test_the_footer(usages, progress, words):
    keys = ("input_tokens", "cache_input_tokens", "output_tokens")
    given = [None if usage is None else Usage(**dict(zip(keys, usage, strict=True))) for usage in usages]
    msgs = [SimpleNamespace(usage=usage) for usage in given]
    assert _words.stats(msgs, Progress.model_validate(progress)) == words


@pytest.mark.parametrize(
    ("call", "result", "ended", "name"),
    [
        ("pending", None, False, "writing"),
        ("asking", None, False, "asking"),
        ("submitted", "running", False, "submitted"),
        ("allowed", "running", False, "running"),
        ("finished", None, False, "success"),
        ("asking", None, True, "interrupted"),
        ("finished", "error", True, "error"),
        (None, "running", False, "running"),
    ],
)
def test_where_a_call_stands(call, result, ended, name):
    block = call and ToolCallBlock(id="c", name="f", input="{}", state=call)
    output = result and ToolResultBlock(id="c", name="f", output="", state=result)
    assert _words.call_state(block, output, None, ended=ended) == _words.CALL_STATES[name]
