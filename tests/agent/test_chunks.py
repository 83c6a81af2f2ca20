"""Chunks become events: what begins, grows and ends with each, in AgentScope's order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.agent._chunks import ChunkEvents
from nb_agentscope.event import ModelCallEndEvent, ModelCallStartEvent, ReplyStartEvent
from nb_agentscope.message import Base64Source, DataBlock, URLSource
from nb_agentscope.model import CallDelta, ChatChunk
from nb_agentscope.stream import fold, verify

SOUND = DataBlock(id="d", source=Base64Source(data="AAAA", media_type="audio/wav"))


def events_of(*chunks, known=()):
    made = ChunkEvents("r", known)
    return [event for chunk in chunks for event in made.push(chunk)] + list(made.close())


def brief(events):
    return [str(event.type).replace("_BLOCK", "").replace("TOOL_CALL", "CALL") for event in events]


def calls(*deltas):
    return ChatChunk(calls=tuple(CallDelta(id, "f", text) for id, text in deltas))


def test_no_chunks_no_events():
    assert events_of() == []
    assert events_of(ChatChunk(), ChatChunk(finish="stop")) == []


def test_text_in_several_chunks_is_one_block():
    events = events_of(ChatChunk(text="a"), ChatChunk(text="b"))
    assert brief(events) == ["TEXT_START", "TEXT_DELTA", "TEXT_DELTA", "TEXT_END"]
    assert len({event.block_id for event in events}) == 1


def test_text_that_was_interrupted_goes_on_in_a_new_block():
    events = events_of(ChatChunk(text="a"), ChatChunk(thinking="t"), ChatChunk(text="b"))
    assert brief(events) == [
        *("TEXT_START", "TEXT_DELTA"),
        *("THINKING_START", "THINKING_DELTA", "TEXT_END"),
        *("THINKING_END", "TEXT_START", "TEXT_DELTA", "TEXT_END"),
    ]
    assert len({event.block_id for event in events}) == 3


def test_thinking_comes_before_text_and_both_may_be_open():
    events = events_of(ChatChunk(thinking="t", text="a"), ChatChunk(text="b"))
    assert brief(events) == [
        *("THINKING_START", "THINKING_DELTA", "TEXT_START", "TEXT_DELTA"),
        *("THINKING_END", "TEXT_DELTA", "TEXT_END"),
    ]


def test_empty_text_is_a_block_and_none_is_not():
    assert brief(events_of(ChatChunk(text=""))) == ["TEXT_START", "TEXT_DELTA", "TEXT_END"]
    assert brief(events_of(ChatChunk(text=None))) == []


def test_calls_grow_side_by_side_and_end_when_a_chunk_leaves_them_out():
    events = events_of(calls(("1", "a"), ("2", "b")), calls(("2", "c")), ChatChunk(text="x"))
    assert [(str(event.type)[10:], event.tool_call_id) for event in events if hasattr(event, "tool_call_id")] == [
        ("START", "1"),
        ("DELTA", "1"),
        ("START", "2"),
        ("DELTA", "2"),
        ("DELTA", "2"),
        ("END", "1"),
        ("END", "2"),
    ]
    assert brief(events)[-4:] == ["TEXT_START", "TEXT_DELTA", "CALL_END", "TEXT_END"]


def test_a_call_that_goes_on_after_its_end_is_refused():
    with pytest.raises(
        ValueError, match=r"^The model continued its tool call '1', which had ended; ids .* must differ\.$"
    ):
        events_of(calls(("1", "a")), ChatChunk(), calls(("1", "b")))


def test_an_id_of_an_earlier_round_is_another_call():
    """AgentScope keeps the id, and then a result of round one hides the call of round two; here each call has its own."""
    events = events_of(calls(("c", "{"), ("e", "{}")), calls(("c", "}")), known={"c", "c#2"})
    assert [event.tool_call_id for event in events] == ["c#3", "c#3", "e", "e", "c#3", "e", "c#3"]


def test_sound_beside_its_text_keeps_the_text_open():
    events = events_of(ChatChunk(text="a", data=(SOUND,)), ChatChunk(data=(SOUND,)), ChatChunk(text="b"))
    assert brief(events) == [
        *("TEXT_START", "TEXT_DELTA", "DATA_START", "DATA_DELTA"),
        *("DATA_DELTA", "TEXT_DELTA", "TEXT_END", "DATA_END"),
    ]


def test_data_with_an_id_of_an_earlier_round_is_another_block():
    events = events_of(ChatChunk(data=(SOUND, SOUND)), known={"d"})
    assert [event.block_id for event in events] == ["d#2"] * 4


def test_data_by_url():
    block = DataBlock(source=URLSource(url="https://example.org/a.png", media_type="image/png"))
    _, delta, _ = events_of(ChatChunk(data=(block,)))
    assert (delta.url, delta.data) == ("https://example.org/a.png", None)


def test_half_a_letter_does_not_spoil_the_log():
    """Some providers cut an emoji in two; what UTF-8 cannot carry could be neither saved nor sent."""
    chunks = [ChatChunk(thinking="\ud83d", text="\ude00"), calls(("\udc80", "\udc80")), ChatChunk(text="\ud83d\ude00")]
    events = events_of(*chunks)
    assert [event.delta for event in events if brief([event])[0].endswith("DELTA")] == ["�", "�", "�", "😀"]
    assert all(event.model_dump_json() for event in events)


CHUNKS = st.lists(
    st.builds(
        ChatChunk,
        thinking=st.none() | st.text(max_size=3),
        text=st.none() | st.text(max_size=3),
        calls=st.lists(st.sampled_from("xyz"), max_size=3, unique=True).map(
            lambda ids: tuple(CallDelta(id, "f", "1") for id in ids)
        ),
        data=st.lists(st.just(SOUND), max_size=2).map(tuple),
    ),
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(CHUNKS)
def test_every_answer_is_well_formed_and_loses_nothing(chunks):
    for number, chunk in enumerate(chunks):  # ids of calls that went on after a gap would be refused
        chunks[number] = ChatChunk(
            thinking=chunk.thinking,
            text=chunk.text,
            data=chunk.data,
            calls=tuple(CallDelta(f"{delta.id}{number // 2}", "f", "1") for delta in chunk.calls),
        )
    before = [
        ReplyStartEvent(session_id="s", reply_id="r", name="a"),
        ModelCallStartEvent(reply_id="r", model_name="m"),
    ]
    after = ModelCallEndEvent(reply_id="r", input_tokens=0, output_tokens=0)
    events = [*before, *events_of(*chunks), after]
    assert verify(events) == []
    blocks = fold(events).content
    assert all(block.finished_at for block in blocks if block.type != "tool_call")
    for kind, field in (("text", "text"), ("thinking", "thinking")):
        got = "".join(getattr(block, field) for block in blocks if block.type == kind)
        assert got == "".join(getattr(chunk, field) or "" for chunk in chunks)
    got = sum(len(block.input) for block in blocks if block.type == "tool_call")
    assert got == sum(len(chunk.calls) for chunk in chunks)
