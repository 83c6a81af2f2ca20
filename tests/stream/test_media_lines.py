"""Logs with media beside them: the same messages, whatever happens to the files."""

import base64
import json
import warnings

import pytest
from hypothesis import HealthCheck, given, settings

from nb_agentscope.event import CustomEvent, ExternalExecutionResultEvent, HintBlockEvent, parse_event
from nb_agentscope.message import Base64Source, DataBlock, ToolResultBlock, UserMsg
from nb_agentscope.stream import EventLog, input_event, verify
from nb_agentscope.stream import _media_lines as media_lines
from tests.killing import killed_after, needs_sigkill
from tests.strategies import any_streams
from tests.stream.checks import quiet
from tests.stream.making import event

BIG = base64.b64encode(bytes(range(256)) * 100).decode()
MORE = base64.b64encode(bytes(range(255, -1, -1)) * 80).decode()
SMALL = base64.b64encode(b"small").decode()
START = event("REPLY_START", session_id="s", name="a")


def block(data=BIG, media_type="image/png"):
    return DataBlock(source=Base64Source(data=data, media_type=media_type))


def data(payload, id, **fields):
    return event("DATA_BLOCK_DELTA", id=id, data=payload, **{"block_id": "d", "media_type": "image/png", **fields})


def logged(path, *events, media="files"):
    log = EventLog(path, media=media)
    for one in events:
        log.append(one)
    log.close()
    return log


def picture(*payloads):
    begin = event("DATA_BLOCK_START", id="b", block_id="d", media_type="image/png")
    return [START, begin, *[data(payload, f"p{i}") for i, payload in enumerate(payloads)]]


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def media(path):
    folder = path.parent / "media"
    return sorted(file.name for file in folder.iterdir()) if folder.exists() else []


def dump(log):
    return [one.model_dump_json() for one in log]


EVERYWHERE = {
    "delta": (data(BIG, "1"), [["data"]]),
    "result": (
        event("TOOL_RESULT_DATA_DELTA", tool_call_id="c", block_id="d", media_type="image/png", data=BIG),
        [["data"]],
    ),
    "input": (
        input_event(UserMsg("user", [block(), block(MORE)])),
        [["value", "messages", 0, "content", i, "source", "data"] for i in (0, 1)],
    ),
    "hint": (HintBlockEvent(reply_id="r", block_id="h", hint=[block()]), [["hint", 0, "source", "data"]]),
    "external": (
        ExternalExecutionResultEvent(
            reply_id="r", execution_results=[ToolResultBlock(id="c", name="t", output=[block()], state="success")]
        ),
        [["execution_results", 0, "output", 0, "source", "data"]],
    ),
}


@pytest.mark.parametrize(("one", "places"), EVERYWHERE.values(), ids=EVERYWHERE)
def test_media_go_beside_the_log_wherever_they_are(one, places, tmp_path):
    path = tmp_path / "run.jsonl"
    log = logged(path, one)
    assert path.stat().st_size < 2000 * len(places)
    [row] = rows(path)
    assert sorted(found["at"] for found in row["recorded"]["media"]) == sorted(places)
    assert parse_event(row).type == one.type
    assert sorted(found["sha256"] + found["ending"] for found in row["recorded"]["media"]) == media(path)
    assert dump(EventLog.load(path)) == dump(log)


@pytest.mark.parametrize(
    "payload", [SMALL, "!" * 40_000, BIG[:-3], BIG + "\n", "", " ".join(BIG[:30_000])], ids=lambda text: text[:8]
)
def test_what_is_small_or_no_plain_base64_stays(payload, tmp_path):
    path = tmp_path / "run.jsonl"
    log = logged(path, data(payload, "1"), CustomEvent(id="2", name="n", value={"type": "base64", "data": payload}))
    assert media(path) == []
    assert dump(EventLog.load(path)) == dump(log)


def test_inline_is_the_default_and_keeps_all_in_one_file(tmp_path):
    path = tmp_path / "run.jsonl"
    log = EventLog(path)
    log.append(data(BIG, "1"))
    log.close()
    assert media(path) == []
    assert rows(path)[0]["data"] == BIG
    with pytest.raises(ValueError, match='media must be "inline" or "files", got \'beside\''):
        EventLog(media="beside")
    with pytest.raises(ValueError, match="got 'beside'"):
        log.save(path, media="beside")


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(any_streams())
def test_law_a_log_with_files_comes_back_as_it_was(tmp_path_factory, events):
    folder = tmp_path_factory.mktemp("logs")
    log = EventLog()
    for one in events:
        log.append(one)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(media_lines, "_BASE64_LIMIT", 0)
        log.save(folder / "files.jsonl", media="files")
    back = EventLog.load(folder / "files.jsonl")
    assert back.records == log.records
    back.save(folder / "whole.jsonl")
    log.save(folder / "inline.jsonl")
    assert (folder / "whole.jsonl").read_bytes() == (folder / "inline.jsonl").read_bytes()
    with quiet():
        assert back.msgs == log.msgs
    assert all("recorded" in row for row in rows(folder / "files.jsonl"))


def test_plain_and_compacted_logs_have_files_too(tmp_path):
    plain = EventLog.load(logged_plain(tmp_path / "plain.jsonl", picture(BIG, SMALL, MORE)))
    plain.save(tmp_path / "files.jsonl", media="files")
    assert rows(tmp_path / "files.jsonl")[2]["recorded"].keys() == {"media"}
    assert EventLog.load(tmp_path / "files.jsonl").records == plain.records
    plain.save(tmp_path / "small.jsonl", media="files", compact=True)
    small = EventLog.load(tmp_path / "small.jsonl")
    assert (len(small), small.records[2].compacted.n) == (4, 2)  # where the log breaks off stands by itself
    assert small.msgs == plain.msgs


def logged_plain(path, events):
    path.write_text("".join(one.model_dump_json() + "\n" for one in events))
    return path


# -- what may happen to the files --------------------------------------------------------------------------------------------


def lost(tmp_path, spoil):
    """A log of a picture whose first file was spoilt, and another one."""
    path = tmp_path / "run.jsonl"
    whole = logged(path, *picture(BIG, SMALL, MORE))
    [first] = [r["recorded"]["media"][0] for r in rows(path) if r["id"] == "p0"]
    spoil(path.parent / "media" / (first["sha256"] + first["ending"]))
    with pytest.warns(UserWarning, match=r"run\.jsonl, line 3: .*; the payload is left empty\.$") as caught:
        log = EventLog.load(path)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    return whole, log


@pytest.mark.parametrize(
    "spoil",
    [lambda file: file.unlink(), lambda file: file.write_bytes(b"x" * 25_600), lambda file: file.write_text("")],
)
def test_a_file_that_is_gone_or_changed_costs_its_payload_only(spoil, tmp_path):
    whole, log = lost(tmp_path, spoil)
    assert [one.data for one in list(log)[2:]] == ["", SMALL, MORE]
    assert [one.id for one in log] == [one.id for one in whole]
    joined = base64.b64decode(SMALL) + base64.b64decode(MORE)
    assert base64.b64decode(log.msg.content[0].source.data) == joined
    assert log.msg.content[0].source.media_type == "image/png"


@pytest.mark.parametrize("compact", [False, True])
def test_a_log_that_is_saved_without_a_file_still_knows_it(compact, tmp_path):
    kept = []

    def hide(file):
        kept.append((file, file.read_bytes()))
        file.unlink()

    whole, log = lost(tmp_path, hide)
    log.save(tmp_path / "again.jsonl", media="files", compact=compact)
    with pytest.warns(UserWarning, match="left empty"):
        assert EventLog.load(tmp_path / "again.jsonl").records == (log.compact() if compact else log).records
    file, content = kept[0]
    file.write_bytes(content)
    assert EventLog.load(tmp_path / "again.jsonl").msgs == whole.msgs


HASH = "0" * 64
HOSTILE = {
    "outside": {"at": ["data"], "sha256": "../../secret", "size": 6, "ending": ".txt"},
    "nowhere": {"at": ["no", "where"], "sha256": HASH, "size": 6, "ending": ".txt"},
    "not a payload": {"at": ["block_id"], "sha256": HASH, "size": 6, "ending": ".txt"},
    "through text": {"at": ["block_id", 0], "sha256": HASH, "size": 6, "ending": ".txt"},
    "no list": 7,
    "no object": [None],
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_hostile_references_give_a_warning(raw, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "logs"
    folder.mkdir()
    row = {**data("", "1").model_dump(mode="json"), "recorded": {"media": raw if raw == 7 else [raw]}}
    (folder / "a.jsonl").write_text(json.dumps(row) + "\n" + CustomEvent(name="n").model_dump_json() + "\n")
    with pytest.warns(UserWarning, match=r"a\.jsonl, line 1: .*; the payload is left empty\.$"):
        log = EventLog.load(folder / "a.jsonl")
    assert [one.type for one in log] == ["DATA_BLOCK_DELTA", "CUSTOM"]
    assert log[0].data == ""


def test_where_no_folder_can_be_made_media_stay_in_the_log(tmp_path):
    (tmp_path / "media").write_text("a file is in the way")
    with pytest.warns(UserWarning, match="stay in the log itself"):
        log = logged(tmp_path / "run.jsonl", *picture(BIG, MORE))
    assert dump(EventLog.load(tmp_path / "run.jsonl")) == dump(log)


def test_a_log_that_grows_is_not_rewritten_in_another_form(tmp_path):
    log = EventLog(tmp_path / "run.jsonl", media="files")
    log.append(data(BIG, "1"))
    with pytest.raises(ValueError, match="still grows"):
        log.save(tmp_path / "run.jsonl")
    log.save(tmp_path / "run.jsonl", media="files")
    log.append(data(BIG, "2"))
    log.close()
    assert len(EventLog.load(tmp_path / "run.jsonl")) == 2
    again = EventLog(tmp_path / "run.jsonl", media="files")
    assert again.records == log.records
    again.close()


def test_what_is_nested_too_deeply_to_look_through_stays(tmp_path, monkeypatch):
    def too_deep(_line):
        raise RecursionError

    monkeypatch.setattr(media_lines.json, "loads", too_deep)
    line = data(BIG, "1").model_dump_json() + "\n"
    assert media_lines.with_media_beside(line, None) is line


# -- killed ------------------------------------------------------------------------------------------------------------------

WRITER = """
import base64, sys
from nb_agentscope.event import DataBlockDeltaEvent, DataBlockStartEvent, ReplyStartEvent
from nb_agentscope.stream import EventLog
log = EventLog(sys.argv[1], media="files")
log.append(ReplyStartEvent(session_id="s", reply_id="r", name="writer"))
log.append(DataBlockStartEvent(reply_id="r", block_id="b", media_type="image/png"))
while True:
    payload = base64.b64encode(len(log).to_bytes(4, "big") * 5000).decode()
    record = log.append(DataBlockDeltaEvent(reply_id="r", block_id="b", media_type="image/png", data=payload))
    log.flush()
    print(record.seq, flush=True)  # shown
"""


@needs_sigkill
@pytest.mark.parametrize("batches", [1, 60])
def test_a_killed_process_leaves_all_media_that_were_shown(batches, tmp_path):
    path = tmp_path / "run.jsonl"
    shown = int(killed_after(batches, WRITER, path))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*only half written", UserWarning)
        log = EventLog.load(path)
    assert len(log) > shown
    assert not any(record.missing for record in log.records)
    found = base64.b64decode(log.msg.content[0].source.data)
    assert found == b"".join(seq.to_bytes(4, "big") * 5000 for seq in range(2, len(log)))
    assert {problem.rule for problem in verify(log)} == {"outside_model_call"}


# -- AgentScope --------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_agentscope_reads_each_line_as_an_event_and_folds_them(tmp_path):
    pytest.importorskip("agentscope")
    from agentscope import event as event_module
    from agentscope import message as message_module

    from tests.stream.test_agentscope_reads_logs import folded_by_agentscope

    path = tmp_path / "run.jsonl"
    result = event("TOOL_RESULT_START", id="r1", tool_call_id="c", tool_call_name="t")
    parts = [
        event(
            "TOOL_RESULT_DATA_DELTA", id=f"o{i}", tool_call_id="c", block_id="o", media_type="image/png", data=payload
        )
        for i, payload in enumerate([BIG, SMALL])
    ]
    rest = [one for one, _ in EVERYWHERE.values() if one.type in ("CUSTOM", "HINT_BLOCK")]
    logged(path, *picture(BIG, SMALL, MORE), result, *parts, *rest)
    [message] = folded_by_agentscope(path, (event_module, message_module))
    picture_block, result_block, hint = message["content"]
    assert picture_block["source"] == {"type": "base64", "data": SMALL, "media_type": "image/png"}
    assert result_block["output"][0]["source"]["data"] == SMALL
    assert hint["hint"][0]["source"]["data"] == ""
