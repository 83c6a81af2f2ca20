"""Messages, their helpers and factories."""

import pytest
from pydantic import ValidationError

from nb_agentscope.message import AssistantMsg, Msg, SystemMsg, TextBlock, ToolCallBlock, Usage, UserMsg

KEYS = "name content role id metadata created_at usage finished_at finished_reason structured_output error"
CALL = ToolCallBlock(id="c", name="n", input="")


def test_keys_in_order_and_nothing_left_out():
    assert list(AssistantMsg("a", "x").model_dump(mode="json")) == KEYS.split()


def test_a_str_becomes_one_text_block_even_an_empty_one():
    assert [block.text for block in UserMsg("u", "").content] == [""]
    with pytest.raises(ValidationError):
        Msg(name="u", content="x", role="user")


@pytest.mark.parametrize(("make", "words"), [(UserMsg, "user .* data and text"), (SystemMsg, "system .* text")])
def test_roles_allow_blocks(make, words):
    with pytest.raises(ValidationError, match=f"{words} blocks, got tool_call"):
        make("x", [CALL])
    assert AssistantMsg("x", [CALL]).content == [CALL]


def test_finished_at_of_the_factories():
    assert UserMsg("u", "x", created_at="t").finished_at == "t"
    assert SystemMsg("s", "x", created_at="t", finished_at="f").finished_at == "f"
    assert AssistantMsg("a", "x").finished_at is None
    assert UserMsg("u", "x", id="", metadata=None, created_at="").id


def test_text_and_blocks():
    msg = AssistantMsg("a", [TextBlock(text="a"), CALL, TextBlock(text="b")])
    assert msg.get_text_content() == "a\nb"
    assert msg.get_text_content("") == "ab"
    assert AssistantMsg("a", [CALL]).get_text_content() is None
    assert msg.get_content_blocks() is msg.content
    assert msg.get_content_blocks("tool_call") == [CALL]
    assert len(msg.get_content_blocks(["text", "tool_call"])) == 3
    assert msg.get_content_blocks([]) == msg.get_content_blocks("nonsense") == []
    assert msg.has_content_blocks()
    assert msg.has_content_blocks("text")
    assert not msg.has_content_blocks([])
    assert not AssistantMsg("a", []).has_content_blocks()


def test_usage_is_copied_then_added():
    msg, usage = AssistantMsg("a", []), Usage(input_tokens=1, output_tokens=2)
    assert msg.append_usage(usage) is msg
    msg.append_usage(usage)
    assert (msg.usage, usage) == (Usage(input_tokens=2, output_tokens=4), Usage(input_tokens=1, output_tokens=2))


def test_numbers_are_read_as_leniently_as_agentscope_does():
    usage = Usage.model_validate({"input_tokens": "5", "output_tokens": 2.0})
    assert (usage.input_tokens, usage.output_tokens) == (5, 2)
