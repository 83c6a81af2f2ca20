"""What events of tool calls and results do to a message."""

import pytest

from nb_agentscope.message import Base64Source, DataBlock, TextBlock, ToolCallBlock, ToolResultBlock, URLSource
from tests.stream.making import AT, after, event, message

CALL = event("TOOL_CALL_START", at="t0", tool_call_id="c", tool_call_name="tool")
RESULT = event("TOOL_RESULT_START", at="t1", tool_call_id="c", tool_call_name="tool")
END = event("TOOL_RESULT_END", at="t2", tool_call_id="c", state="success", metadata={"k": [1]})


def text(delta, id="e"):
    return event("TOOL_RESULT_TEXT_DELTA", id=id, tool_call_id="c", delta=delta)


def data(payload, block="d", media="image/png"):
    return event("TOOL_RESULT_DATA_DELTA", tool_call_id="c", block_id=block, media_type=media, data=payload)


def url(address="https://example.org/a", block="d"):
    return event("TOOL_RESULT_DATA_DELTA", tool_call_id="c", block_id=block, media_type="image/png", url=address)


def output(*events, msg=None):
    return after(*events, msg=msg or after(RESULT)).content[0].output


def b64(payload, block="d", media="image/png"):
    return DataBlock(id=block, source=Base64Source(data=payload, media_type=media), created_at=AT)


def test_a_call_streams_its_input():
    deltas = [event("TOOL_CALL_DELTA", tool_call_id="c", delta=delta) for delta in ('{"a":', "", "1}")]
    assert after(CALL).content == [ToolCallBlock(id="c", name="tool", input="", created_at="t0")]
    block = after(CALL, *deltas, event("TOOL_CALL_END", at="t1", tool_call_id="c")).content[0]
    assert block == ToolCallBlock(id="c", name="tool", input='{"a":1}', created_at="t0", finished_at="t1")
    assert block.state == "pending"


def test_a_result_starts_with_an_empty_list():
    assert after(RESULT).content == [ToolResultBlock(id="c", name="tool", output=[], created_at="t1")]
    assert after(RESULT).content[0].state == "running"


def test_text_joins_only_the_last_element():
    parts = output(text("a", "e1"), text("b", "e2"), data("YQ=="), text("", "e4"), text("c", "e5"))
    assert parts == [
        TextBlock(id="e1:text", text="ab", created_at=AT),
        b64("YQ=="),
        TextBlock(id="e4:text", text="c", created_at=AT),
    ]


def test_an_empty_delta_makes_an_empty_block():
    assert output(text("")) == [TextBlock(id="e:text", text="", created_at=AT)]


@pytest.mark.parametrize("delta", [text("!"), data("YQ==")])
def test_a_text_output_becomes_a_list(delta):
    msg = message([ToolResultBlock(id="c", name="tool", output="done", created_at="t1")])
    first = output(delta, msg=msg)[0]
    assert first == TextBlock(id="e:text", text="done!" if "TEXT" in delta.type else "done", created_at=AT)


def test_bytes_of_one_id_join_anywhere():
    parts = output(
        data("YQ=="), text("x"), data("Yg==", "other"), data("Yg==", media="image/gif"), data("Yw==", media="")
    )
    assert [part for part in parts if part.type == "data"] == [b64("YWJj", media="image/gif"), b64("Yg==", "other")]


def test_the_first_chunk_is_kept_as_it_is():
    assert output(data("Y Q==")) == [b64("Y Q==")]
    assert output(data("Y Q=="), data("Yg==")) == [b64("YWI=")]
    assert output(data("")) == [b64("")]


def test_a_bad_first_chunk_warns_at_the_second():
    msg = after(RESULT, data("YWJ"))
    with pytest.warns(UserWarning, match="TOOL_RESULT_DATA_DELTA 'e' not applied to data block 'd'.*not base64"):
        after(data("YQ==", media="image/gif"), msg=msg)
    assert msg.content[0].output == [b64("YWJ")]


def test_a_bad_second_chunk_warns_and_is_left_out():
    msg = after(RESULT, data("YQ=="))
    with pytest.warns(UserWarning, match="not base64"):
        after(data("YWJ", media="image/gif"), data("Yg=="), msg=msg)
    assert msg.content[0].output == [b64("YWI=")]


def test_a_url_is_always_a_new_element():
    link = DataBlock(id="d", source=URLSource(url="https://example.org/a", media_type="image/png"), created_at=AT)
    assert output(url(), url(), data("YQ=="), data("Yg=="), url()) == [link, link, b64("YWI="), link]


@pytest.mark.parametrize("address", ["", "not a url"])
def test_a_bad_url_warns_and_changes_nothing(address):
    msg = message([ToolResultBlock(id="c", name="tool", output="done", created_at="t1")])
    with pytest.warns(UserWarning, match="not an absolute URL"):
        after(url(address), msg=msg)
    assert msg.content[0].output == "done"


def test_edited_output_is_found_as_a_scan_would():
    msg = after(RESULT, data("YQ=="), data("Yg==", "other"))
    msg.content[0].output.reverse()
    after(data("YQ=="), data("Yg==", "other"), msg=msg)
    assert msg.content[0].output == [b64("YmI=", "other"), b64("YWE=")]
    msg.content[0].output = [b64("Yw==")]
    assert output(data("YQ=="), data("Yg==", "other"), msg=msg) == [b64("Y2E="), b64("Yg==", "other")]
    msg.content[0].output[0].source = URLSource(url="data:,", media_type="m")
    assert [part.source.type for part in output(data("YQ=="), msg=msg)] == ["url", "base64", "base64"]


def test_the_end_finishes_result_and_call():
    call, result = after(CALL, RESULT, END).content
    assert (call.state, call.finished_at) == ("finished", None)
    assert (result.state, result.finished_at, result.metadata) == ("success", "t2", {"k": [1]})
    result.metadata["k"].append(2)
    assert END.metadata == {"k": [1]}


def test_the_end_takes_any_state():
    end = event("TOOL_RESULT_END", tool_call_id="c", state="running")
    assert [block.state for block in after(CALL, RESULT, end).content] == ["finished", "running"]


def test_an_end_without_result_does_not_touch_the_call():
    assert after(CALL, END) == after(CALL)


def test_an_end_without_call():
    assert after(RESULT, END).content[0].state == "success"
