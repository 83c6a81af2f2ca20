"""What `coalesce` joins and what it leaves apart."""

import pytest

from nb_agentscope.stream import coalesce
from tests.strategies import samples
from tests.stream.making import event


def text(delta, id, **fields):
    return event("TEXT_BLOCK_DELTA", id=id, delta=delta, **{"block_id": "b", **fields})


def data(payload, id, **fields):
    fields = {"block_id": "b", "media_type": "image/png", **fields}
    return event("DATA_BLOCK_DELTA", id=id, data=payload, **fields)


def result(payload, id, **fields):
    fields = {"tool_call_id": "c", "block_id": "b", "media_type": "image/png", **fields}
    return event("TOOL_RESULT_DATA_DELTA", id=id, data=payload, **fields)


@pytest.mark.parametrize(
    ("kind", "block", "payload"),
    [
        ("TEXT_BLOCK_DELTA", "block_id", "delta"),
        ("THINKING_BLOCK_DELTA", "block_id", "delta"),
        ("TOOL_CALL_DELTA", "tool_call_id", "delta"),
        ("TOOL_RESULT_TEXT_DELTA", "tool_call_id", "delta"),
    ],
)
def test_text_of_one_block_is_joined(kind, block, payload):
    deltas = [event(kind, id=str(i), at=f"t{i}", **{block: "b", payload: str(i)}) for i in range(3)]
    assert coalesce(deltas) == [event(kind, id="0", at="t0", **{block: "b", payload: "012"})]


def test_bytes_of_one_block_are_joined():
    assert coalesce([data("YQ==", "1"), data("YmM=", "2")]) == [data("YWJj", "1")]
    assert coalesce([result("YQ==", "1"), result("YmM=", "2")]) == [result("YWJj", "1")]


@pytest.mark.parametrize(
    "apart",
    [
        [text("a", "1"), text("b", "2", block_id="other")],
        [text("", "1"), text("b", "2")],
        [text("a", "1"), text("b", "2", reply_id="other")],
        [text("a", "1"), text("b", "2", metadata={"k": 1})],
        [text("a", "1"), event("TEXT_BLOCK_END", id="2", block_id="b"), text("b", "3")],
        [text("a", "1"), event("THINKING_BLOCK_DELTA", id="2", block_id="b", delta="b")],
        [data("YQ==", "1"), data("YWJ", "2"), data("YQ==", "3")],
        [data("YQ==", "1"), data("YQ==", "2", media_type="image/gif")],
        [data(None, "1", url="data:,a"), data(None, "2", url="data:,a")],
        [result("YQ==", "1"), result("YQ==", "2", block_id="other")],
        [result("YQ==", "1"), result("YQ==", "2", tool_call_id="other")],
        [event("TEXT_BLOCK_START", id="1", block_id="b"), event("TEXT_BLOCK_START", id="2", block_id="b")],
    ],
)
def test_the_rest_stays_apart(apart):
    assert [item.id for item in coalesce(apart)] == [item.id for item in apart]


def test_the_input_is_not_changed():
    deltas = [text("a", "1"), text("b", "2")]
    coalesce(deltas)
    assert [item.delta for item in deltas] == ["a", "b"]


def test_a_second_pass_finds_nothing():
    for stream in samples(30):
        once = coalesce(stream)
        assert coalesce(once) == once


def test_nothing_to_join():
    assert coalesce([]) == []
    only = text("a", "1")
    assert coalesce(iter([only]))[0] is only


@pytest.mark.parametrize("odd", ["!!!!", "YQ", "Y Q==", "YQ==\n", "YQ==YQ==", "é"])
def test_what_is_not_base64_throughout_stays_apart(odd):
    deltas = [data("YQ==", "1"), data(odd, "2"), data("Yg==", "3")]
    assert coalesce(deltas) == deltas
