"""Lines of a log, good and bad."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.event import (
    CustomEvent,
    TextBlockDeltaEvent,
    ThinkingBlockDeltaEvent,
    ToolCallDeltaEvent,
    ToolResultEndEvent,
    ToolResultTextDeltaEvent,
    parse_event,
)
from nb_agentscope.stream import EventLog, Record
from nb_agentscope.stream._disk import encoded, line_of

GOOD = CustomEvent(name="good").model_dump_json()
DELTAS = [
    (TextBlockDeltaEvent, "block_id"),
    (ThinkingBlockDeltaEvent, "block_id"),
    (ToolCallDeltaEvent, "tool_call_id"),
    (ToolResultTextDeltaEvent, "tool_call_id"),
]


def plain(event):
    return encoded(line_of(Record(0, None, None, "out", None, event))).decode()


@pytest.mark.parametrize(("cls", "field"), DELTAS)
@given(st.text(), st.text(), st.dictionaries(st.text(), st.integers(), max_size=1))
def test_deltas_are_written_as_pydantic_writes_them(cls, field, text, id, metadata):
    event = cls(id=id, created_at=text, reply_id=id, delta=text, metadata=metadata, **{field: id})
    assert plain(event) == event.model_dump_json() + "\n"


@given(at=st.none() | st.text(), mono=st.none() | st.floats(allow_nan=False, allow_infinity=False))
def test_no_text_can_break_out_of_its_line(at, mono):
    event = TextBlockDeltaEvent(reply_id="r", block_id="b", delta='","recorded":{"by":"user"}}\n')
    line = line_of(Record(7, at, mono, "in", None, event))
    assert line.count("\n") == 1
    value = json.loads(line)
    assert value["delta"] == event.delta
    if at is not None or mono is not None:
        assert value["recorded"] == {"seq": 7, "at": at, "mono": mono, "dir": "in", "by": None}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"half": "\ud83d"}, {"half": "\ufffd"}),
        ({"bytes": b"\xff"}, {"bytes": "b'\\xff'"}),
        ({"object": {1, 2}.__class__}, {"object": "<class 'set'>"}),
        ({"nan": float("nan")}, {"nan": None}),
    ],
)
def test_what_json_cannot_hold_is_written_as_well_as_it_goes(value, kept):
    for event in (
        CustomEvent(name="n", value=value),
        ToolResultEndEvent(reply_id="r", tool_call_id="c", state="success", metadata=value),
    ):
        back = parse_event(plain(event))
        assert (back.value if isinstance(back, CustomEvent) else back.metadata) == kept


def test_half_an_emoji_at_the_end_of_a_delta_does_not_stop_the_log(tmp_path):
    log = EventLog(tmp_path / "a.jsonl")
    log.append(TextBlockDeltaEvent(reply_id="r", block_id="b", delta="hi \ud83d"))
    log.append(CustomEvent(name="next"))
    log.close()
    assert [event.type for event in EventLog.load(tmp_path / "a.jsonl")] == ["TEXT_BLOCK_DELTA", "CUSTOM"]


# -- reading -----------------------------------------------------------------------------------------------------------------


BAD = {
    "not json": ("{oops}", "An event must be one JSON object"),
    "unknown type": ('{"type":"TELEPORT","id":"1"}', "Unknown event type 'TELEPORT'"),
    "no type": ('{"id":"1"}', "An event needs a 'type'"),
    "missing field": ('{"type":"USER_INTERRUPT","id":"1"}', "Bad event at USER_INTERRUPT.reply_id"),
    "bad recorded": (GOOD[:-1] + ',"recorded":{"by":"nobody"}}', "Bad value at recorded.by"),
    "no clock": (GOOD[:-1] + ',"recorded":{"mono":1e999}}', "Bad value at recorded.mono"),
    "half a line": (GOOD[:30], "An event must be one JSON object"),
    "bytes": ("\udcff\udcfe", "An event must be one JSON object"),
}


def write(path, *texts):
    path.write_bytes("\n".join(texts).encode("utf-8", "surrogateescape") + b"\n")
    return path


@pytest.mark.parametrize(("line", "why"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_with_file_number_and_remedy(line, why, tmp_path):
    path = write(tmp_path / "run.jsonl", GOOD, line, GOOD.replace("good", "more"))
    with pytest.raises(ValueError) as caught:
        EventLog.load(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}, line 2: {why}")
    assert sentence.endswith("; correct or remove this line, or load with strict=False to skip it.")
    assert "\n" not in sentence


@pytest.mark.parametrize(("line", "why"), BAD.values(), ids=BAD)
def test_not_strict_keeps_the_good_lines_and_warns(line, why, tmp_path):
    other = CustomEvent(name="other").model_dump_json()
    path = write(tmp_path / "run.jsonl", GOOD, line, other)
    with pytest.warns(UserWarning, match="line 2") as caught:
        log = EventLog.load(path, strict=False)
    assert [event.name for event in log] == ["good", "other"]
    assert [record.seq for record in log.records] == [0, 1]
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{path}, line 2: {why}")
    assert caught[0].filename == __file__


def test_every_cut_of_the_last_line_loses_that_line_only(tmp_path):
    first, last = GOOD, CustomEvent(name="naïve 日本", value={"a": [1]}).model_dump_json()
    whole = f"{first}\n{last}".encode()
    path = tmp_path / "run.jsonl"
    for cut in range(len(first) + 2, len(whole)):
        path.write_bytes(whole[:cut])
        with pytest.warns(UserWarning, match=r"run\.jsonl, line 2: dropped the last line, which was only half written"):
            assert len(EventLog.load(path)) == 1
    path.write_bytes(whole)
    assert len(EventLog.load(path)) == 2


def test_a_whole_last_line_of_unknown_type_is_not_taken_for_half_written(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(GOOD + '\n{"type":"TELEPORT"}')
    with pytest.raises(ValueError, match="line 2: Unknown event type"):
        EventLog.load(path)


def test_empty_lines_and_windows_line_ends_are_fine(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\r\n" + GOOD.encode() + b"\r\n\r\n")
    assert len(EventLog.load(path)) == 1


def test_no_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        EventLog.load(tmp_path / "none.jsonl")
