"""Where the log of a run goes: memory, a file, a folder of logs."""

import base64
import os
import re
import sys
from glob import glob
from pathlib import Path

import pytest

from nb_agentscope import configure, wrap
from nb_agentscope import event as ev
from nb_agentscope.run import AlreadyRunningError, Run
from nb_agentscope.run._log_to import new_file
from nb_agentscope.stream import EventLog
from tests.run.fakes import REPLY, Agent, end, forever, one_approval, parked, start

NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z-(.+)-[0-9a-f]{6}\.jsonl")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    monkeypatch.delenv("NB_AGENTSCOPE_LOG_DIR", raising=False)
    configure(log_dir=None)
    yield
    configure(log_dir=None)


def short():
    return Agent([start(), end()])


def ran(**options):
    run = Run(short(), "hi", **options)
    run.wait()
    return run


def files(folder):
    return sorted(folder.glob("*.jsonl"))


def folder_is_full(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)


# -- a folder ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda folder: f"{folder}/", lambda folder: f"{folder}/deeper/"])
def test_a_folder_that_is_not_there_is_made(make, tmp_path):
    run = ran(log_to=make(tmp_path / "runs"))
    [file] = (tmp_path / "runs").rglob("*.jsonl")
    assert NAME.fullmatch(file.name).group(1) == "friday"
    assert run.log.path == file
    assert EventLog.load(file).records == run.log.records


@pytest.mark.parametrize("given", [str, Path])
def test_a_folder_that_is_there_needs_no_separator(given, tmp_path):
    first, second = ran(log_to=given(tmp_path)), ran(log_to=given(tmp_path))
    assert files(tmp_path) == [first.log.path, second.log.path]
    assert [Path(found) for found in sorted(glob(f"{tmp_path}/*.jsonl"))] == files(tmp_path)  # noqa: PTH207


def test_a_name_of_a_file_stays_one(tmp_path):
    assert ran(log_to=tmp_path / "run.jsonl").log.path == tmp_path / "run.jsonl"
    assert ran(log_to=tmp_path / "runs").log.path == tmp_path / "runs"
    assert (tmp_path / "runs").is_file()


def test_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    ran(log_to="~/runs/")
    ran(log_to="~/run.jsonl")
    assert len(files(tmp_path / "runs")) == len(files(tmp_path)) == 1


async def test_it_is_written_as_it_goes(tmp_path):
    run = Run(one_approval(), "hi", log_to=f"{tmp_path}/")
    await parked(run)
    run._transcript.flusher.now()
    [file] = files(tmp_path)
    assert EventLog.load(file).records == run.log.records
    run.approve()
    await run
    assert EventLog.load(file).records == run.log.records


def test_wrap_and_widget_take_it_too(tmp_path):
    wrap(short()).start("hi", log_to=f"{tmp_path}/").wait()
    wrap(short()).widget("hi", log_to=f"{tmp_path}/").wait()
    assert len(files(tmp_path)) == 2


async def test_a_run_that_is_refused_leaves_no_file(tmp_path):
    agent = Agent([start(), forever])
    run = Run(agent, "hi")
    with pytest.raises(AlreadyRunningError):
        Run(agent, "again", log_to=f"{tmp_path}/")
    assert files(tmp_path) == []
    with pytest.raises(AlreadyRunningError):
        Run(agent, "again", log_to=tmp_path / "mine.jsonl")
    assert files(tmp_path) == [tmp_path / "mine.jsonl"]
    run.stop()
    await run


# -- names -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Friday", "friday"),
        ("Dr. Who & co.", "dr-who-co"),
        ("../../etc/passwd", "etc-passwd"),
        ('a\\b:c*?"<>|\x00\n', "a-b-c"),
        ("", "agent"),
        ("...", "agent"),
        ("-rf", "rf"),
        ("助手", "助手"),
        ("Zoë", "zoë"),
        ("evil\u202egnp.exe", "evil-gnp-exe"),
        ("half \ud83d", "half"),
        ("🙂", "agent"),
        ("x" * 500, "x" * 40),
        ("x" * 39 + " y", "x" * 39),
    ],
)
def test_hostile_names_are_made_safe(name, safe, tmp_path):
    file = new_file(tmp_path, name)
    assert NAME.fullmatch(file.name).group(1) == safe
    assert file.parent == tmp_path
    assert file.is_file()


def test_names_sort_by_time_and_none_is_taken_twice(tmp_path, monkeypatch):
    made = [new_file(tmp_path, name) for name in "zya"]
    assert files(tmp_path) == made
    tokens = iter(["aaaaaa", "aaaaaa", "aaaaaa", "bbbbbb"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(tokens))

    class Still:
        @staticmethod
        def now(_zone):
            return Still()

        @staticmethod
        def strftime(_format):
            return "20261130T044512.000000Z"

    monkeypatch.setattr("nb_agentscope.run._log_to.datetime", Still)
    one, two = new_file(tmp_path, "a"), new_file(tmp_path, "a")
    assert (one.name, two.name) == ("20261130T044512.000000Z-a-aaaaaa.jsonl", "20261130T044512.000000Z-a-bbbbbb.jsonl")


# -- what is configured ------------------------------------------------------------------------------------------------------


def test_argument_beats_code_beats_environment(tmp_path, monkeypatch):
    argument, code, environment = (tmp_path / name for name in ("argument", "code", "environment"))
    monkeypatch.setenv("NB_AGENTSCOPE_LOG_DIR", str(environment))
    assert ran().log.path.parent == environment
    configure(log_dir=code)
    assert ran().log.path.parent == code
    assert ran(log_to=None).log.path.parent == code
    assert ran(log_to=f"{argument}/").log.path.parent == argument
    assert ran(log_to=False).log.path is None
    configure(log_dir=False)
    assert ran().log.path is None
    assert ran(log_to=f"{argument}/").log.path.parent == argument


def test_a_log_that_is_given_goes_nowhere_else(tmp_path):
    configure(log_dir=tmp_path)
    assert ran(log=EventLog()).log.path is None
    assert files(tmp_path) == []


@pytest.mark.parametrize("options", [{"log_to": "x"}, {"log_to": False}, {"media": "files"}])
def test_a_log_and_where_to(options):
    with pytest.raises(ValueError, match="either log or log_to"):
        Run(short(), "hi", log=EventLog(), **options)


@pytest.mark.parametrize("given", [5, True, b"x"])
def test_what_is_no_path(given):
    with pytest.raises(TypeError, match=re.escape(f"log_to must be a path, False or None, got {given!r}.")):
        Run(short(), "hi", log_to=given)


# -- what cannot be written --------------------------------------------------------------------------------------------------


def test_a_folder_that_was_asked_for_refuses_the_run(tmp_path, monkeypatch):
    folder_is_full(monkeypatch)
    agent = short()
    says = re.escape(f"The folder {str(tmp_path)!r} cannot take the log of a run (Permission denied).")
    with pytest.raises(PermissionError, match=says):
        Run(agent, "hi", log_to=tmp_path)
    Run(agent, "hi").wait()


def test_a_folder_that_is_only_configured_gives_a_warning(tmp_path, monkeypatch):
    folder_is_full(monkeypatch)
    configure(log_dir=tmp_path / "runs")
    with pytest.warns(
        UserWarning, match=r"cannot take the log of a run \(Permission denied\)\. The run goes on; "
    ) as said:
        run = Run(short(), "hi")
    assert len(said) == 1
    assert said[0].filename == __file__
    run.wait()
    assert (run.log.path, run.msg.finished_reason) == (None, "completed")


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(OSError, match=r"The folder .*runs.* cannot take the log of a run \(it is a file\)"):
        Run(short(), "hi", log_to=f"{tmp_path}/runs/")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="cannot take the log"):
        Run(short(), "hi", log_to=tmp_path)


def test_the_process_may_go_to_another_folder_while_it_runs(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    data = base64.b64encode(bytes(50_000)).decode()
    block = [
        ev.DataBlockStartEvent(reply_id=REPLY, block_id="b", media_type="image/png"),
        ev.DataBlockDeltaEvent(reply_id=REPLY, block_id="b", media_type="image/png", data=data),
        ev.DataBlockEndEvent(reply_id=REPLY, block_id="b"),
    ]
    run = Run(Agent([start(), *block, end()]), "hi", log_to="runs/")
    monkeypatch.chdir(tmp_path / "elsewhere")
    run.wait()
    [file] = files(tmp_path / "runs")
    assert run.log.path == file
    assert [path.parent for path in tmp_path.rglob("*.png")] == [tmp_path / "runs" / "media"]
    assert EventLog.load(file).msg == run.msg


# -- media -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "options", "beside"),
    [
        ("", {}, True),
        ("run.jsonl", {}, False),
        ("", {"media": "inline"}, False),
        ("run.jsonl", {"media": "files"}, True),
    ],
)
def test_a_folder_keeps_media_beside_its_logs_and_a_file_keeps_all(where, options, beside, tmp_path):
    payload = base64.b64encode(b"x" * 30_000).decode()
    fields = {"reply_id": REPLY, "block_id": "d", "media_type": "image/png"}
    picture = [ev.DataBlockStartEvent(**fields), ev.DataBlockDeltaEvent(**fields, data=payload)]
    steps = [start(), ev.ModelCallStartEvent(reply_id=REPLY, model_name="m"), *picture]
    for _ in range(2):
        run = Run(Agent([*steps, end()]), "hi", log_to=tmp_path / where, **options)
        run.wait()
        assert EventLog.load(run.log.path).msgs == run.log.msgs
        if where:
            break
    assert len(list(tmp_path.glob("media/*.png"))) == beside
    assert all((payload in file.read_text()) is not beside for file in files(tmp_path))


def test_an_unknown_value_for_media(tmp_path):
    with pytest.raises(ValueError, match="got 'beside'"):
        Run(short(), "hi", log_to=tmp_path / "run.jsonl", media="beside")
