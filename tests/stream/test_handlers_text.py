"""What events of text, thinking and hints do to a message."""

import pytest

from nb_agentscope.message import HintBlock, TextBlock, ThinkingBlock
from tests.stream.making import after, event

DELTA = event("TEXT_BLOCK_DELTA", block_id="b", delta="hi")
START = event("TEXT_BLOCK_START", at="t0", block_id="b")


def test_text_grows_and_ends():
    msg = after(START)
    assert msg.content == [TextBlock(id="b", text="", created_at="t0")]
    after(DELTA, event("TEXT_BLOCK_DELTA", block_id="b", delta=""), DELTA, msg=msg)
    after(event("TEXT_BLOCK_END", at="t1", block_id="b"), msg=msg)
    assert msg.content == [TextBlock(id="b", text="hihi", created_at="t0", finished_at="t1")]


@pytest.mark.parametrize("final", ["", "final"])
def test_the_end_may_bring_the_text(final):
    end = event("TEXT_BLOCK_END", block_id="b", text=final)
    assert after(START, DELTA, end).content[0].text == final
    assert after(START, DELTA, end, DELTA).content[0].text == f"{final}hi"


def test_a_second_end_overwrites():
    ends = [event("TEXT_BLOCK_END", at=at, block_id="b", text=at) for at in ("t1", "t2")]
    assert after(START, *ends).content == [TextBlock(id="b", text="t2", created_at="t0", finished_at="t2")]


def test_thinking_grows_and_ends():
    delta = event("THINKING_BLOCK_DELTA", block_id="b", delta="hm")
    end = event("THINKING_BLOCK_END", at="t1", block_id="b")
    msg = after(event("THINKING_BLOCK_START", at="t0", block_id="b"), delta, end, delta)
    assert msg.content == [ThinkingBlock(id="b", thinking="hmhm", created_at="t0", finished_at="t1")]


def test_blocks_of_different_kinds_may_share_an_id():
    msg = after(START, event("THINKING_BLOCK_START", block_id="b"), DELTA)
    assert (msg.content[0].text, msg.content[1].thinking) == ("hi", "")


def test_a_hint_is_complete_and_copied():
    inner = {"type": "text", "text": "x", "id": "i", "created_at": "t"}
    hint = event("HINT_BLOCK", at="t0", block_id="h", source="s", hint=[inner])
    msg = after(hint)
    block = HintBlock(id="h", source="s", hint=[TextBlock(**inner)], created_at="t0", finished_at="t0")
    assert msg.content == [block]
    assert msg.content[0].hint[0] is not hint.hint[0]
    assert after(event("HINT_BLOCK", block_id="h", hint="plain")).content[0].hint == "plain"
