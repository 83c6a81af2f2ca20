"""The folder of media: each payload once, and nothing outside of it is read."""

import hashlib
import os

import pytest

from nb_agentscope.stream._media import MediaFolder, MediaReference, read_reference

DATA = bytes(range(256)) * 100
HASH = hashlib.sha256(DATA).hexdigest()
GOOD = {"at": ["data"], "sha256": HASH, "size": len(DATA), "ending": ".png"}


@pytest.fixture
def folder(tmp_path):
    return MediaFolder(tmp_path / "run.jsonl")


def stored(folder, data=DATA, media_type="image/png"):
    reference = folder.store(data, media_type, ("data",))
    assert reference is not None
    return reference


def names(folder):
    return sorted(path.name for path in folder.path.iterdir())


def test_a_payload_is_one_file_named_by_its_hash(folder):
    first, second = stored(folder), stored(folder)
    assert first == second == MediaReference(("data",), HASH, len(DATA), ".png")
    assert names(folder) == [f"{HASH}.png"]
    assert (folder.path / f"{HASH}.png").read_bytes() == DATA
    assert folder.load(first) == DATA


def test_two_logs_share_it(tmp_path):
    stored(MediaFolder(tmp_path / "a.jsonl"))
    before = (tmp_path / "media" / f"{HASH}.png").stat()
    stored(MediaFolder(tmp_path / "b.jsonl"))
    after = (tmp_path / "media" / f"{HASH}.png").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert len(list((tmp_path / "media").iterdir())) == 1


@pytest.mark.parametrize("broken", [b"", b"other", b"x" * len(DATA)])
def test_what_is_there_but_broken_is_written_again(broken, folder):
    folder.path.mkdir()
    (folder.path / f"{HASH}.png").write_bytes(broken)
    assert folder.load(stored(folder)) == DATA


@pytest.mark.parametrize(
    ("media_type", "ending"),
    [
        ("image/jpeg", ".jpg"),
        ("image/svg+xml", ".bin"),
        ("text/html", ".bin"),
        ("", ".bin"),
        ("image/../../x.png", ".bin"),
        ("IMAGE/PNG", ".bin"),
    ],
)
def test_only_kinds_that_nothing_runs_have_an_ending(media_type, ending, folder):
    assert stored(folder, media_type=media_type).ending == ending
    assert names(folder) == [HASH + ending]


def test_a_folder_that_takes_nothing_is_told_once(folder):
    folder.path.write_text("a file is in the way")
    with pytest.warns(UserWarning, match="'.*media' cannot be written.*stay in the log itself") as caught:
        assert [folder.store(DATA, "image/png", ("data",)) for _ in range(2)] == [None, None]
    assert len(caught) == 1


def test_a_disk_that_is_full_leaves_no_half_file(folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="No space left"):
        assert folder.store(DATA, "image/png", ("data",)) is None
    assert names(folder) == []


# -- reading -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "../../etc/passwd"},
        {"sha256": HASH.upper()},
        {"sha256": HASH + "\n"},
        {"sha256": HASH[:-1]},
        {"sha256": None},
        {"ending": "/../../../etc/passwd"},
        {"ending": ".png/x"},
        {"ending": "png"},
        {"ending": ".png\x00"},
        {"size": "5"},
        {"size": True},
        {"at": []},
        {"at": "data"},
        {"at": [None]},
        {"at": [["data"]]},
    ],
    ids=str,
)
def test_references_of_another_form_are_refused(change):
    assert read_reference(GOOD) == MediaReference(("data",), HASH, len(DATA), ".png")
    with pytest.raises(ValueError, match="its reference to media has a bad value at"):
        read_reference({**GOOD, **change})


@pytest.mark.parametrize("raw", [None, 5, "x", [], {}])
def test_what_is_no_reference(raw):
    with pytest.raises(ValueError, match="its reference to media"):
        read_reference(raw)


def test_missing_and_changed_files(folder):
    reference = stored(folder)
    path = folder.path / reference.name
    path.write_bytes(b"x" * len(DATA))
    with pytest.raises(ValueError, match=r"has changed$"):
        folder.load(reference)
    path.write_bytes(b"x")
    with pytest.raises(ValueError, match=r"has changed$"):
        folder.load(reference)
    path.unlink()
    with pytest.raises(ValueError, match="cannot be read"):
        folder.load(reference)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no links and pipes")
def test_links_and_pipes_are_not_read(folder, tmp_path):
    reference = stored(folder)
    path = folder.path / reference.name
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="is not a file"):
        folder.load(reference)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ValueError, match="is not a file"):
        folder.load(reference)
