"""Blocks are read as AgentScope reads them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from nb_agentscope.message import (
    ContentBlock,
    HintBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    URLSource,
)

ANY = TypeAdapter(ContentBlock)

KEYS = {
    "text": ({"text": "x"}, "type text id created_at finished_at"),
    "thinking": ({"thinking": "x"}, "type thinking id created_at finished_at"),
    "data": (
        {"source": {"type": "base64", "data": "", "media_type": "m"}},
        "type id source name created_at finished_at",
    ),
    "hint": ({"hint": "x"}, "type hint id source created_at finished_at"),
    "tool_call": (
        {"id": "c", "name": "n", "input": ""},
        "type id name input state suggested_rules created_at finished_at",
    ),
    "tool_result": (
        {"id": "c", "name": "n", "output": ""},
        "type id name output state metadata created_at finished_at",
    ),
}


@pytest.mark.parametrize("kind", KEYS)
def test_a_block_with_and_without_type_and_its_keys_in_order(kind):
    fields, keys = KEYS[kind]
    for given in (fields, {"type": kind, **fields, "unknown": 1}):
        block = ANY.validate_python(given)
        assert block.type == kind
        dropped = [key for key in block.model_dump(mode="json") if key != "unknown"]
        assert dropped == keys.split()
    assert ("unknown" in block.model_dump()) == (kind == "thinking")


def test_defaults():
    call, result = ToolCallBlock(id="c", name="n", input=""), ToolResultBlock(id="c", name="n", output="")
    assert (call.state, call.suggested_rules, result.state, result.metadata) == ("pending", [], "running", {})
    assert TextBlock(text="").finished_at is None
    assert HintBlock(hint="").finished_at is not None
    assert len(TextBlock(text="").id) == 32


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "video", "text": "x"},
        {"type": "text", "text": 1},
        {"type": "tool_call", "id": "c", "name": "n", "input": {"a": 1}},
        {"type": "tool_call", "name": "n", "input": ""},
        {"type": "tool_result", "id": "c", "name": "n", "output": "", "state": "no"},
    ],
)
def test_wrong_blocks_are_refused(wrong):
    with pytest.raises(ValidationError):
        ANY.validate_python(wrong)


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("https://example.org/a b", "https://example.org/a%20b"),
        ("data:,x", "data:,x"),
        ("file:///tmp/x", "file:///tmp/x"),
    ],
)
def test_urls_are_normalised(given, normal):
    assert URLSource(url=given, media_type="m").model_dump(mode="json")["url"] == normal


def test_thinking_keeps_further_fields_through_json():
    block = ThinkingBlock.model_validate({"thinking": "x", "signature": "s"})
    assert ThinkingBlock.model_validate_json(block.model_dump_json()) == block
