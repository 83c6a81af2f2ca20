import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import nb_agentscope.analysis as analysis
from nb_agentscope.analysis import TABLES, read_parquet, to_parquet
from nb_agentscope.analysis import _parquet as module
from nb_agentscope.analysis import _parquet_turn as turn_module
from nb_agentscope.analysis._columns import LOG_TABLES
from nb_agentscope.stream import EventLog
from tests.analysis.recorded import NAMES, RECORDED, copy_logs

DESK = next(path for path in RECORDED if path.stem == "approval")


def table(name, log, **options):
    return getattr(analysis, f"{name}_df")(log, **options)


def in_order(frame):
    return frame.sort_values(["run", "seq"], kind="stable").reset_index(drop=True)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    copy_logs(folder)
    return folder


@pytest.fixture(scope="module")
def written(runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    to_parquet(runs, folder)
    return folder


@pytest.mark.parametrize("name", LOG_TABLES)
def test_each_table_comes_back_as_it_was(name, runs, written):
    expected, found = table(name, runs), read_parquet(written, name)
    pd.testing.assert_frame_equal(in_order(found), in_order(expected))
    for key in ("table", "schema_version", "n_events", "n_problems"):
        assert found.attrs[key] == expected.attrs[key], key
    assert sorted(map(repr, found.attrs["problems"])) == sorted(map(repr, expected.attrs["problems"]))


@pytest.mark.parametrize("name", LOG_TABLES)
def test_pandas_alone_reads_the_same_dtypes(name, runs, written):
    expected, found = table(name, runs), pd.read_parquet(written / name)
    plain = [column.name for column in TABLES[name].columns if column.dtype not in ("object", "cat")]
    plain = [column for column in plain if column in expected]
    pd.testing.assert_frame_equal(in_order(found)[plain], in_order(expected)[plain])
    for column in TABLES[name].columns:
        if column.dtype == "cat":
            if len(expected[column.name].cat.categories):  # pandas does not keep of what type no categories are
                assert found[column.name].dtype == expected[column.name].dtype  # the same, in whatever order
            assert found[column.name].astype("string").value_counts().to_dict() == (
                expected[column.name].astype("string").value_counts().to_dict()
            )


def test_a_part_for_each_log_and_one_schema_for_all(written):
    for name in LOG_TABLES:
        parts = sorted((written / name).iterdir())
        assert len(parts) == len(NAMES)
        assert len({str(pq.read_schema(part).remove_metadata()) for part in parts}) == 1


def test_objects_are_json(written):
    rules = [json.loads(text) for text in pd.read_parquet(written / "approvals")["rules"].dropna()]
    assert any(rule for rule in rules)
    assert rules == [rules for rules in read_parquet(written, "approvals")["rules"] if rules is not None]


def test_a_second_call_replaces_the_part_of_a_log_and_keeps_others(tmp_path):
    logs, out = tmp_path / "runs", tmp_path / "out"
    logs.mkdir()
    first, second = copy_logs(logs)[:2]
    to_parquet([first, second], out, ["events"])
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join(lines[:-3]))
    to_parquet(first, out, ["events"])
    found = read_parquet(out, "events")["run"].value_counts()
    assert found[first.stem] == len(lines) - 3
    assert found[second.stem] == len(second.read_text().splitlines())
    assert len(list((out / "events").iterdir())) == 2


def test_the_same_log_by_several_names_is_one(tmp_path):
    log = shutil.copy(DESK, tmp_path / "a.jsonl")
    (tmp_path / "folder").mkdir()
    to_parquet([log, tmp_path / "folder" / ".." / "a.jsonl", str(tmp_path / "*.jsonl")], tmp_path / "out", ["replies"])
    assert len(list((tmp_path / "out" / "replies").iterdir())) == 1


def test_logs_of_one_name_are_told_apart_also_by_later_calls(tmp_path):
    for place in ("x", "y", "z"):
        (tmp_path / place).mkdir()
        shutil.copy(DESK, tmp_path / place / "run.jsonl")
    out = tmp_path / "out"
    to_parquet(tmp_path / "y", out, ["replies"])
    to_parquet([tmp_path / "x", tmp_path / "z"], out, ["replies"])
    to_parquet(tmp_path / "z", out, ["replies"])
    names = {about["run"]: about for about in module.read_about(out / "replies")}
    assert set(names) == {"run", "run#2", "run#3"}
    assert set(read_parquet(out, "replies")["run"]) == set(names)


HOSTILE = [
    "../up",
    "a=b",
    "_hidden",
    ".dot",
    "réponse",
    "x" * 200,
    "a b'\"`$(id)",
    "CON",
    "%2e%2e",
    "-rf",
    "\udcff\udcfe",
    "a\nb",
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_log_may_have_any_name(name, tmp_path):
    path = tmp_path / f"{name.replace('/', ':')}.jsonl"
    shutil.copy(DESK, path)
    to_parquet(path, tmp_path / "out", ["replies"])
    (part,) = (tmp_path / "out" / "replies").iterdir()
    assert part.name.isascii()
    assert part.name[0].isalnum() or part.name[0] == "-"
    assert len(part.name) < 120
    assert part.name.removesuffix(".parquet").replace("_", "").replace("-", "").replace(".", "").isalnum()
    found = pd.read_parquet(tmp_path / "out" / "replies")
    assert len(found) > 0
    assert found["run"].iloc[0] == path.stem.encode(errors="surrogateescape").decode(errors="replace")


def test_events_are_written_some_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_BATCH", 10)
    to_parquet(DESK, tmp_path, ["events"])
    (part,) = (tmp_path / "events").iterdir()
    events = len(DESK.read_text().splitlines())
    assert pq.read_metadata(part).num_row_groups == -(-events // 10)
    pd.testing.assert_frame_equal(read_parquet(tmp_path, "events"), table("events", DESK))


def test_columns_are_as_asked_for_and_the_same_in_all_parts(tmp_path):
    columns = {"events": ["run", "seq", "metadata", "text"]}
    to_parquet(DESK, tmp_path, ["events"], columns=columns)
    expected = table("events", DESK, columns=columns["events"])
    pd.testing.assert_frame_equal(read_parquet(tmp_path, "events"), expected)
    pd.testing.assert_frame_equal(read_parquet(tmp_path, "events", columns=["text"]), expected[["text"]])
    with pytest.raises(ValueError, match="has the columns run, seq, metadata, text, not run"):
        to_parquet(DESK, tmp_path, ["events"])


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*.parquet")}


def test_the_same_logs_give_the_same_files(runs, written):
    before = contents(written)
    assert len(before) == len(NAMES) * len(LOG_TABLES)
    to_parquet(runs, written)
    assert contents(written) == before
    assert not [path for path in written.iterdir() if path.name not in (*LOG_TABLES, ".lock")]


def test_a_log_that_has_grown_replaces_its_own_part(tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "out"
    lines = DESK.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:40]))
    to_parquet(path, out)
    path.write_text("".join(lines))
    to_parquet(path, out)
    for name in LOG_TABLES:
        pd.testing.assert_frame_equal(read_parquet(out, name), table(name, path))


def test_what_goes_wrong_with_one_log_leaves_all_as_they_were(tmp_path):
    logs, out = tmp_path / "runs", tmp_path / "out"
    logs.mkdir()
    first, last = (Path(shutil.copy(DESK, logs / name)) for name in ("a.jsonl", "b.jsonl"))
    to_parquet(logs, out)
    before = contents(out)
    first.write_text("".join(first.read_text().splitlines(keepends=True)[:-3]))
    last.write_text(last.read_text() + "no event\n")
    with pytest.raises(ValueError, match="no JSON"):
        to_parquet(logs, out, strict=True)
    assert contents(out) == before
    to_parquet(logs, out)
    assert set(contents(out)) == set(before)
    assert contents(out) != before


def test_a_call_that_was_stopped_while_files_took_their_places_is_completed_by_the_next(tmp_path, monkeypatch):
    logs, out = tmp_path / "runs", tmp_path / "out"
    logs.mkdir()
    first, second = copy_logs(logs)[:2]
    moved, replace = [], Path.replace

    def fails_at_third(path, target):
        if len(moved) == 2:
            raise OSError(28, "No space left on device")
        moved.append(target)
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fails_at_third)
        with pytest.raises(OSError, match="No space left"):
            to_parquet(first, out)
    assert sorted(contents(out)) != sorted(moved)  # complete ones wait
    to_parquet(second, out)
    for name in LOG_TABLES:
        pd.testing.assert_frame_equal(in_order(read_parquet(out, name)), in_order(table(name, [first, second])))


def test_what_a_killed_process_had_not_finished_is_dropped(tmp_path):
    (tmp_path / ".writing" / "replies").mkdir(parents=True)
    (tmp_path / ".writing" / "replies" / "half.parquet").write_bytes(b"PAR1")
    to_parquet(DESK, tmp_path, ["replies"])
    assert len(contents(tmp_path)) == 1
    assert not (tmp_path / ".writing").exists()


def test_two_calls_at_once_give_two_logs_two_names(tmp_path, monkeypatch):
    """The first is in the middle of its work until the second one wants its turn."""
    for place in ("x", "y"):
        (tmp_path / place).mkdir()
        shutil.copy(DESK, tmp_path / place / "run.jsonl")
    first_writes, second_wants = threading.Event(), threading.Event()
    write, wait_for, turns = module.write_part, turn_module._wait_for, []

    def writing(*args):
        if not first_writes.is_set():
            first_writes.set()
            assert second_wants.wait(60)
        write(*args)

    def wanting(lock):
        turns.append(lock)
        if len(turns) == 2:
            second_wants.set()
        wait_for(lock)

    monkeypatch.setattr(module, "write_part", writing)
    monkeypatch.setattr(turn_module, "_wait_for", wanting)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(to_parquet, tmp_path / "x", tmp_path / "out", ["replies"])
        assert first_writes.wait(60)
        second = pool.submit(to_parquet, tmp_path / "y", tmp_path / "out", ["replies"])
        assert first.result(60) == second.result(60)
    assert {about["run"] for about in module.read_about(tmp_path / "out" / "replies")} == {"run", "run#2"}


def test_strict_tells_and_leaves_what_was_there(tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "out"
    shutil.copy(DESK, path)
    to_parquet(path, out)
    before = {part: part.read_bytes() for part in out.rglob("*") if part.is_file()}
    path.write_text(DESK.read_text() + "no event\n")
    for names in (LOG_TABLES, ["events"]):
        with pytest.raises(ValueError, match="no JSON"):
            to_parquet(path, out, names, strict=True)
    assert {part: part.read_bytes() for part in out.rglob("*") if part.is_file()} == before
    to_parquet(path, out)
    (problem,) = read_parquet(out, "replies").attrs["problems"]
    assert (problem["rule"], problem["run"]) == ("bad_line", "a")


def test_a_log_without_events_is_a_part_without_rows(tmp_path):
    (tmp_path / "empty.jsonl").touch()
    to_parquet(tmp_path / "empty.jsonl", tmp_path / "out")
    for name in LOG_TABLES:
        pd.testing.assert_frame_equal(read_parquet(tmp_path / "out", name), table(name, []))


def test_what_cannot_be_written_or_read_is_told(tmp_path):
    with pytest.raises(TypeError, match=r"to_parquet reads files: .* not EventLog; log.save\(path\) writes one"):
        to_parquet(EventLog(), tmp_path)
    with pytest.raises(ValueError, match="There is no table 'usage' of a log; there are events, replies"):
        to_parquet(DESK, tmp_path, ["usage"])
    with pytest.raises(FileNotFoundError, match="There is no log at"):
        to_parquet(tmp_path / "no.jsonl", tmp_path)
    one = to_parquet(DESK, tmp_path / "one", "replies", columns={"replies": "agent"})
    assert list(one) == ["replies"]
    assert list(read_parquet(tmp_path / "one", "replies", columns="agent")) == ["agent"]
    with pytest.raises(FileNotFoundError, match="There is no table 'replies' in"):
        read_parquet(tmp_path / "nothing", "replies")


@pytest.mark.parametrize("dropped", [[], ["agent"]], ids=["same columns", "others"])
def test_a_file_that_somebody_else_put_there_is_named(dropped, tmp_path):
    (tmp_path / "replies").mkdir()
    table("replies", DESK).drop(columns=dropped).to_parquet(tmp_path / "replies" / "mine.parquet")
    with pytest.raises(ValueError, match=r"mine\.parquet' was not written by to_parquet; give another folder"):
        to_parquet(DESK, tmp_path, ["replies"])
