"""Growing fields look like plain strings to everyone."""

import base64
import copy
import pickle
import threading

import pytest
from pydantic import TypeAdapter

from nb_agentscope.message import Base64Source, TextBlock, ThinkingBlock, ToolCallBlock

TIME = {"created_at": "t"}


def grown():
    block = TextBlock(id="b", text="a", **TIME)
    block.grow("b")
    block.grow("c")
    return block


PLAIN = TextBlock(id="b", text="abc", **TIME)


@pytest.mark.parametrize(
    "view",
    [
        lambda block: block.text,
        lambda block: block.model_dump(),
        lambda block: block.model_dump_json(),
        lambda block: TypeAdapter(list[TextBlock]).dump_json([block]),
        lambda block: dict(block),
        repr,
        str,
        copy.copy,
        copy.deepcopy,
        lambda block: block.model_copy(),
        lambda block: block.model_copy(deep=True),
        lambda block: pickle.loads(pickle.dumps(block)),
        lambda block: TextBlock.model_validate(block.model_dump()),
    ],
)
def test_every_view_joins_the_chunks(view):
    assert view(grown()) == view(PLAIN)


def test_equal_both_ways():
    assert grown() == PLAIN
    assert grown() == PLAIN
    assert grown() != TextBlock(id="b", text="ab", **TIME)


@pytest.mark.parametrize("read_between", [True, False])
def test_an_assignment_forgets_pending_chunks(read_between):
    block = grown()
    if read_between:
        assert block.text == "abc"
    block.text = "new"
    assert block.text == "new"
    block.grow("er")
    block.text += "!"
    assert block.text == "newer!"
    assert "text" in block.model_fields_set


def test_the_other_growing_fields():
    thinking = ThinkingBlock(thinking="a", signature="s")
    thinking.grow("b")
    call = ToolCallBlock(id="c", name="n", input="{")
    call.grow("}")
    assert (thinking.thinking, thinking.model_dump()["signature"], call.input) == ("ab", "s", "{}")


@pytest.mark.parametrize("size", range(7))
def test_base64_grows_by_bytes(size):
    source = Base64Source(data=base64.b64encode(b"x" * size).decode(), media_type="m")
    for chunk in (b"a", b"", b"bc", b"defg"):
        source.grow(chunk)
        assert base64.b64decode(source.data, validate=True).endswith(chunk)
    assert base64.b64decode(source.data, validate=True) == b"x" * size + b"abcdefg"


def test_base64_refuses_to_grow_on_something_else():
    source = Base64Source(data="YWJ", media_type="m")
    with pytest.raises(ValueError, match="padding"):
        source.grow(b"a")
    assert source.data == "YWJ"


def test_readers_in_other_threads_lose_and_double_nothing():
    block = TextBlock(text="")
    done = threading.Event()

    def read():
        while not done.is_set():
            assert set(block.text) <= {"x"}

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(20_000):
        block.grow("x")
    done.set()
    for reader in readers:
        reader.join()
    assert len(block.text) == 20_000


def test_the_schema_shows_the_field():
    assert TextBlock.model_json_schema(mode="serialization")["properties"]["text"]["type"] == "string"
