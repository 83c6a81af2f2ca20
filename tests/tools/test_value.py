"""What a function may give, and what becomes of it."""

import base64
import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from nb_agentscope.message import Base64Source, DataBlock, TextBlock, ToolResultState
from nb_agentscope.tools import ToolChunk, ToolOutputError
from nb_agentscope.tools._value import to_chunk

PNG = b"\x89PNG\r\n\x1a\n rest"
JPEG = b"\xff\xd8\xff\xe0 rest"
TEXT = TextBlock(text="a block")
DATA = DataBlock(source=Base64Source(data="AAAA", media_type="audio/pcm"))


class Point(BaseModel):
    x: float


@dataclass
class Pair:
    a: int
    b: str


class Colour(StrEnum):
    RED = "red"


class Picture:
    def __init__(self, png=None, jpeg=None):
        self._png, self._jpeg = png, jpeg

    def _repr_png_(self):
        return self._png

    def _repr_jpeg_(self):
        return self._jpeg


def text(value):
    (block,) = to_chunk(value).content
    assert block.type == "text"
    return block.text


def image(value):
    (block,) = to_chunk(value).content
    return block.source.media_type, base64.b64decode(block.source.data)


def test_none_is_nothing():
    assert to_chunk(None) == ToolChunk()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", ""),
        ("ä\n🎈", "ä\n🎈"),
        ("bad \udcff name", "bad \ufffd name"),
        (Colour.RED, "red"),
        (True, "true"),
        (3, "3"),
        (0.1 + 0.2, "0.30000000000000004"),
        (float("nan"), "NaN"),
        (10**40, "1" + "0" * 40),
        ({"ä": [1, 0.1, None, True]}, '{"ä": [1, 0.1, null, true]}'),
        ([], "[]"),
        (["a.txt", "b.txt"], '["a.txt", "b.txt"]'),
        ((1, "b"), '[1, "b"]'),
        (["bad \udcff"], '["bad \ufffd"]'),
        (Point(x=0.1), '{"x": 0.1}'),
        ([Point(x=1)], '[{"x": 1.0}]'),
        ({"when": date(2026, 3, 1), "how": Decimal("1.10")}, '{"when": "2026-03-01", "how": "1.10"}'),
        (Pair(1, "x"), '{"a": 1, "b": "x"}'),
        ({"raw": b"\xff\x00"}, '{"raw": "_wA="}'),
    ],
)
def test_text_and_json(value, said):
    assert text(value) == said


@settings(max_examples=50)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False), st.lists) | st.floats())
def test_numbers_are_exact(value):
    if value is not None:
        assert repr(json.loads(text(value))) == repr(value)


@pytest.mark.parametrize("block", [TEXT, DATA])
def test_a_block_is_itself(block):
    assert to_chunk(block).content[0] is block
    assert to_chunk([block]).content[0] is block


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (JPEG, "image/jpeg"),
        (b"GIF89a.", "image/gif"),
        (b"GIF87a.", "image/gif"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"BM.....", "image/bmp"),
        (bytearray(PNG), "image/png"),
        (memoryview(PNG), "image/png"),
    ],
)
def test_bytes_of_an_image(data, kind):
    assert image(data) == (kind, bytes(data))


@pytest.mark.parametrize(
    ("picture", "found"),
    [
        (Picture(png=PNG), ("image/png", PNG)),
        (Picture(jpeg=JPEG), ("image/jpeg", JPEG)),
        (Picture(PNG, JPEG), ("image/png", PNG)),
        (Picture(png=(PNG, {"width": 4})), ("image/png", PNG)),
        (Picture(png=base64.b64encode(PNG).decode()), ("image/png", PNG)),
    ],
)
def test_an_object_that_a_notebook_shows(picture, found):
    assert image(picture) == found


def test_a_list_with_content_is_content():
    chunk = to_chunk(["Here:", TEXT, PNG, Picture(png=PNG), {"n": 1}])
    assert [block.type for block in chunk.content] == ["text", "text", "data", "data", "text"]
    assert [block.text for block in chunk.content if block.type == "text"] == ["Here:", "a block", '{"n": 1}']


def test_a_chunk_is_itself():
    chunk = ToolChunk([TEXT], ToolResultState.ERROR, {"k": 1})
    assert to_chunk(chunk) is chunk


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (object, "A tool gave <class 'object'> of type type, which is no result: give str"),
        (Picture(), "of type Picture, which is no result: give str"),
        ([Picture()], "which is no result"),
        ({(1, 2): 3}, "A tool gave {(1, 2): 3} of type dict, which is no result"),
        (b"plain", "A tool gave 5 bytes that are no PNG, JPEG, GIF, WebP or BMP image: give a DataBlock"),
        (ToolChunk("text"), "The content of a ToolChunk is a list of blocks, got 'text': write [TextBlock(text=...)]."),
        (ToolChunk([5]), "The content of a ToolChunk is text and data blocks, got 5 of type int."),
    ],
)
def test_what_is_no_result(value, says):
    with pytest.raises(ToolOutputError) as caught:
        to_chunk(value)
    assert says in str(caught.value)


def test_what_contains_itself_is_no_result():
    endless = []
    endless.append(endless)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for value in ({"a": endless}, endless, deep):
        with pytest.raises(ToolOutputError, match="which is no result"):
            to_chunk(value)
