"""What events of data blocks do to a message."""

import pytest

from nb_agentscope.message import Base64Source, DataBlock, URLSource
from tests.stream.making import after, event, message

START = event("DATA_BLOCK_START", at="t0", block_id="b", media_type="image/png", name="a.png")
LINK = event("DATA_BLOCK_DELTA", block_id="b", media_type="image/webp", url="HTTPS://Example.org")
END = event("DATA_BLOCK_END", at="t1", block_id="b")


def data(payload):
    return event("DATA_BLOCK_DELTA", block_id="b", media_type="ignored/type", data=payload)


def test_start_and_end():
    source = Base64Source(data="", media_type="image/png")
    assert after(START, END).content == [
        DataBlock(id="b", source=source, name="a.png", created_at="t0", finished_at="t1")
    ]


def test_bytes_are_joined_not_text():
    msg = after(START, data("YQ=="), data("YmM="), data(""), data("ZGVm"))
    assert msg.content[0].source == Base64Source(data="YWJjZGVm", media_type="image/png")


def test_characters_outside_the_alphabet_are_skipped():
    assert after(START, data("Y Q\n=="), data("Yg==")).content[0].source.data == "YWI="


def test_a_url_replaces_the_source_and_the_name_stays():
    block = after(START, data("YQ=="), LINK).content[0]
    assert block.source == URLSource(url="https://example.org/", media_type="image/webp")
    assert block.name == "a.png"
    other = event("DATA_BLOCK_DELTA", block_id="b", media_type="m", url="data:,x")
    assert str(after(LINK, other, msg=after(START)).content[0].source.url) == "data:,x"


def test_an_empty_url_does_nothing():
    assert after(START, event("DATA_BLOCK_DELTA", block_id="b", media_type="m", url="")) == after(START)


@pytest.mark.parametrize(
    ("before", "bad", "reason"),
    [
        ([data("YQ==")], data("YWJ"), "not base64"),
        ([data("YQ==")], data("ü"), "not base64"),
        (
            [data("YQ==")],
            event("DATA_BLOCK_DELTA", block_id="b", media_type="m", url="no url"),
            "'no url' is not an absolute URL",
        ),
        ([LINK], data("YQ=="), "bytes cannot follow"),
    ],
)
def test_bad_data_warns_and_keeps_what_was_there(before, bad, reason):
    msg = after(START, *before)
    with pytest.warns(UserWarning, match=rf"DATA_BLOCK_DELTA 'e' not applied to data block 'b'.*{reason}"):
        after(bad, msg=msg)
    assert msg == after(START, *before)
    assert after(END, msg=msg).content[0].finished_at == "t1"


def test_a_payload_from_outside_is_made_canonical_when_it_grows():
    msg = message([DataBlock(id="b", source=Base64Source(data="YW\nJj", media_type="m"))])
    assert after(data("ZA=="), msg=msg).content[0].source.data == "YWJjZA=="


def test_a_bad_payload_from_outside_warns_and_stays():
    msg = message([DataBlock(id="b", source=Base64Source(data="YWJ", media_type="m"))])
    with pytest.warns(UserWarning, match="not base64"):
        after(data("ZA=="), msg=msg)
    assert msg.content[0].source.data == "YWJ"


def test_an_assigned_payload_goes_on():
    msg = after(START, data("YQ=="), data("Yg=="))
    msg.content[0].source.data = "Y w="
    msg.content[0].source.data += "="
    assert after(data("ZA=="), msg=msg).content[0].source.data == "Y2Q="
