import base64

import pytest

from nb_agentscope.event import DataBlockDeltaEvent
from nb_agentscope.stream import EventLog, unused_media


def log_with(path, payload):
    log = EventLog(path, media="files")
    data = base64.b64encode(payload).decode()
    log.append(DataBlockDeltaEvent(reply_id="r", block_id="b", media_type="image/png", data=data))
    log.close()


def test_what_no_log_mentions_is_listed_and_stays(tmp_path):
    log_with(tmp_path / "a.jsonl", b"a" * 50_000)
    log_with(tmp_path / "b.jsonl", b"b" * 50_000)
    media = tmp_path / "media"
    (media / "notes.png").write_bytes(b"of somebody else")
    assert unused_media(tmp_path) == []
    kept = {path.name for path in media.iterdir()}
    (tmp_path / "b.jsonl").unlink()
    (unused,) = unused_media(tmp_path)
    assert unused.read_bytes() == b"b" * 50_000
    assert {path.name for path in media.iterdir()} == kept
    unused.unlink()
    (event,) = EventLog.load(tmp_path / "a.jsonl")
    assert base64.b64decode(event.data) == b"a" * 50_000


def test_a_torn_log_of_any_name_still_needs_its_media(tmp_path):
    log_with(tmp_path / "a.txt", b"a" * 50_000)
    whole = (tmp_path / "a.txt").read_bytes()
    (tmp_path / "a.txt").write_bytes(whole[:-4])
    assert unused_media(tmp_path) == []


def test_without_media_and_without_a_folder(tmp_path):
    assert unused_media(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        unused_media(tmp_path / "nowhere")
