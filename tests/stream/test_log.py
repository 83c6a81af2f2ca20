"""The log: append, follow, subscribe, save, load, continue."""

import asyncio
import gc
import json
import threading
import weakref

import pytest

from nb_agentscope.event import CustomEvent, ReplyEndEvent, ReplyStartEvent, TextBlockDeltaEvent, UserInterruptEvent
from nb_agentscope.stream import EventLog, fold, header_event, input_event
from tests import recorded
from tests.strategies import samples


def custom(name="n", **fields):
    return CustomEvent(name=name, **fields)


def filled(events, path=None):
    log = EventLog(path)
    for event in events:
        log.append(event)
    return log


def lines(path):
    return path.read_bytes().splitlines(keepends=True)


# -- append ------------------------------------------------------------------------------------------------------------------


def test_append_gives_a_record_with_place_time_direction_and_decider():
    log = EventLog()
    log.append(custom())
    event = UserInterruptEvent(reply_id="r")
    record = log.append(event, dir="in", by="user")
    assert (record.seq, record.dir, record.by, record.event) == (1, "in", "user", event)
    assert record.at.endswith("+00:00")
    assert record.mono >= log.records[0].mono
    assert list(log) == [log[0], event]
    assert log[-1] is event


def test_a_known_id_is_not_added_again():
    log = EventLog()
    assert log.append(custom(id="x")) is not None
    assert log.append(custom(id="x", name="other")) is None
    assert len(log) == 1


def test_a_closed_log_refuses_in_one_sentence():
    log = EventLog()
    log.close()
    log.close()
    with pytest.raises(ValueError, match=r"^This log is closed, so CUSTOM cannot be added; open EventLog\(path\)"):
        log.append(custom())


def test_threads_that_append_get_different_places():
    log = EventLog()
    threads = [threading.Thread(target=lambda: [log.append(custom()) for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [record.seq for record in log.records] == list(range(2000))


def test_msg_and_msgs_grow_with_the_log():
    (events,) = samples(1)
    log = EventLog()
    assert log.msg is None
    for i, event in enumerate(events):
        log.append(event)
        if log.msg is not None:
            assert log.msg == fold(events[: i + 1])
    assert log.msgs[-1] is log.msg


def test_msg_is_tidied():
    log = filled([TextBlockDeltaEvent(reply_id="r", block_id="b", delta="orphan")])
    assert log.msg.get_text_content() == "orphan"


def test_repr_is_short_and_tells_place_and_length(tmp_path):
    assert repr(filled([custom()])) == "<EventLog in memory: 1 events>"
    log = EventLog(tmp_path / "a.jsonl")
    log.close()
    assert repr(log) == f"<EventLog on {str(tmp_path / 'a.jsonl')!r}: 0 events, closed>"


# -- follow and subscribe ------------------------------------------------------------------------------------------------------


async def collect(log, start=0):
    return [record.seq async for record in log.follow(start)]


async def test_followers_get_history_and_news_each_for_itself():
    log = filled([custom(), custom()])
    early = [asyncio.create_task(collect(log)), asyncio.create_task(collect(log, 1))]
    await asyncio.sleep(0)
    log.append(custom())
    late = asyncio.create_task(collect(log, 3))
    await asyncio.sleep(0)
    log.append(custom())
    log.close()
    assert await asyncio.gather(*early, late) == [[0, 1, 2, 3], [1, 2, 3], [3]]


async def test_a_follower_wakes_for_an_append_of_another_thread():
    log = EventLog()
    reader = log.follow()
    first = asyncio.ensure_future(anext(reader))
    await asyncio.sleep(0)
    assert not first.done()
    asyncio.get_running_loop().set_debug(True)  # then asyncio itself refuses calls that are not thread-safe
    await asyncio.to_thread(log.append, custom())
    assert (await asyncio.wait_for(first, 5)).seq == 0
    log.close()


async def test_a_cancelled_follower_leaves_nothing_behind():
    log = EventLog()
    task = asyncio.create_task(collect(log))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log._wakeup.waiting == []
    log.append(custom())


def test_a_follower_whose_loop_is_gone_does_not_disturb():
    log = EventLog()
    loop = asyncio.new_event_loop()
    reader = log.follow()
    task = loop.create_task(anext(reader))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    assert log.append(custom()).seq == 0
    task._log_destroy_pending = False


async def test_following_a_loaded_log_ends(tmp_path):
    filled([custom(), custom()]).save(tmp_path / "a.jsonl")
    assert await collect(EventLog.load(tmp_path / "a.jsonl")) == [0, 1]


def test_subscribers_get_each_record_until_they_leave():
    log, got = EventLog(), []
    leave = log.subscribe(got.append)
    first = log.append(custom(id="x"))
    log.append(custom(id="x"))
    leave()
    leave()
    log.append(custom())
    assert got == [first]


def test_a_failing_subscriber_is_reported_and_nobody_suffers(caplog):
    log, got = EventLog(), []

    def fail(record):
        raise RuntimeError("no view")

    log.subscribe(fail)
    log.subscribe(got.append)
    records = [log.append(custom()), log.append(custom())]
    assert got == records == list(log.records)
    assert [entry.exc_info[0] for entry in caplog.records] == [RuntimeError, RuntimeError]
    assert "failed at record 0 (CUSTOM)" in caplog.text


# -- on disk ------------------------------------------------------------------------------------------------------------------


def test_flush_writes_all_and_save_writes_the_same(tmp_path):
    (events,) = samples(1)
    log = filled(events, tmp_path / "live.jsonl")
    log.flush()
    on_disk = lines(tmp_path / "live.jsonl")
    assert len(on_disk) == len(events)
    log.save(tmp_path / "copy.jsonl")
    assert lines(tmp_path / "copy.jsonl") == on_disk
    log.close()
    assert lines(tmp_path / "live.jsonl") == on_disk
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.jsonl", "live.jsonl"]


def test_a_line_is_the_event_and_one_key_more(tmp_path):
    log = EventLog()
    record = log.append(UserInterruptEvent(reply_id="r"), dir="in", by="policy")
    log.save(tmp_path / "a.jsonl")
    (line,) = lines(tmp_path / "a.jsonl")
    value = json.loads(line)
    assert list(value) == ["id", "created_at", "metadata", "type", "reply_id", "recorded"]
    assert value["recorded"] == {"seq": 0, "at": record.at, "mono": record.mono, "dir": "in", "by": "policy"}


@pytest.mark.parametrize("events", samples(5))
def test_a_loaded_log_has_the_same_records(events, tmp_path):
    log = filled(events)
    log.save(tmp_path / "a.jsonl")
    loaded = EventLog.load(tmp_path / "a.jsonl")
    assert list(loaded.records) == list(log.records)
    assert loaded.msgs == log.msgs
    assert loaded.closed


def test_many_records_are_written_without_a_flush(tmp_path):
    log = filled([custom() for _ in range(1500)], tmp_path / "a.jsonl")
    assert 1000 <= len(lines(tmp_path / "a.jsonl")) <= 1500
    log.close()


def test_a_forgotten_log_is_flushed(tmp_path):
    log = filled([custom(), custom()], tmp_path / "a.jsonl")
    gone = weakref.ref(log)
    del log
    gc.collect()
    assert gone() is None
    assert len(lines(tmp_path / "a.jsonl")) == 2


def test_saving_a_live_log_to_its_own_path_goes_on(tmp_path):
    log = filled([custom()], tmp_path / "a.jsonl")
    log.save(tmp_path / "a.jsonl")
    log.append(custom())
    log.close()
    assert len(lines(tmp_path / "a.jsonl")) == 2


def test_a_directory_that_is_not_there_is_said_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        EventLog(tmp_path / "nowhere" / "a.jsonl")


def test_a_failed_write_keeps_all_and_the_next_flush_writes_it(tmp_path, monkeypatch):
    log = filled([custom(), custom()], tmp_path / "a.jsonl")
    log.flush()
    log.append(custom())

    def full(file, *_):
        file.write(b'{"half')
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("nb_agentscope.stream._disk.write_lines", full)
        with pytest.raises(OSError, match="No space left"):
            log.flush()
    assert len(lines(tmp_path / "a.jsonl")) == 2
    log.close()
    assert list(EventLog.load(tmp_path / "a.jsonl")) == list(log)


# -- continue a file -------------------------------------------------------------------------------------------------------------


def test_an_existing_log_is_continued(tmp_path):
    path = tmp_path / "a.jsonl"
    with_header = [header_event("a"), input_event([]), ReplyStartEvent(session_id="s", reply_id="r", name="a")]
    filled(with_header, path).close()
    log = EventLog(path)
    assert list(log) == with_header
    assert log.append(with_header[0]) is None
    assert log.append(ReplyEndEvent(session_id="s", reply_id="r")).seq == 3
    log.close()
    assert len(lines(path)) == 4
    assert EventLog.load(path).msg.finished_at is not None


def test_a_half_written_line_is_cut_before_the_log_goes_on(tmp_path):
    path = tmp_path / "a.jsonl"
    filled([custom(), custom()], path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.warns(UserWarning, match=r"a\.jsonl, line 2: dropped the last line, which was only half written\."):
        log = EventLog(path)
    log.append(custom())
    log.close()
    assert len(EventLog.load(path)) == 2
    assert whole.startswith(lines(path)[0])


def test_a_stream_without_a_last_newline_is_continued_on_a_new_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(custom().model_dump_json())
    log = EventLog(path)
    log.append(custom())
    log.close()
    assert len(EventLog.load(path)) == 2


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary\nToday\n")
    with pytest.raises(
        ValueError, match=r"notes\.txt, line 1: .*; give the log another path, or move this file away\.$"
    ):
        EventLog(path)
    assert path.read_text() == "Dear diary\nToday\n"


# -- recorded streams ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_streams_load_fold_and_save_unchanged(scenario, tmp_path):
    source = recorded.VECTORS / f"{scenario}.jsonl"
    log = EventLog.load(source)
    assert {(record.at, record.mono, record.by) for record in log.records} == {(None, None, None)}
    expected = recorded.messages(scenario)
    assert recorded.differences(expected, [json.loads(msg.model_dump_json()) for msg in log.msgs]) == []
    log.save(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == source.read_bytes()


def test_directions_of_a_plain_stream_come_from_the_types():
    log = EventLog.load(recorded.VECTORS / "hitl_confirm.jsonl")
    meta = json.loads((recorded.VECTORS / "hitl_confirm.meta.json").read_text())
    assert [record.seq for record in log.records if record.dir == "in"] == meta["input_lines"]


@pytest.mark.parametrize("content", [b"my only notes", b"\x00" * 100, b"\xff\xfe{\x00", b"PK\x03\x04", b"[1, 2"])
def test_a_file_that_is_no_log_is_never_cut(tmp_path, content):
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"notes, line 1: .*give the log another path, or move this file away\."):
        EventLog(path)
    assert path.read_bytes() == content


def test_a_device_is_not_read():
    with pytest.raises(OSError, match=r"/dev/full|Invalid argument"):
        EventLog("/dev/full")
