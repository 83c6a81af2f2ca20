"""Where logs go by default: code beats the environment."""

import os
from pathlib import Path

import pytest

import nb_agentscope
from nb_agentscope._settings import LOG_DIR_VARIABLE, configure, default_log_dir


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    monkeypatch.delenv(LOG_DIR_VARIABLE, raising=False)
    configure(log_dir=None)
    yield
    configure(log_dir=None)


def test_nothing_is_written_unless_someone_says_so():
    assert default_log_dir() is None


def test_code_beats_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("NB_AGENTSCOPE_LOG_DIR", str(tmp_path / "environment"))
    assert default_log_dir() == tmp_path / "environment"
    nb_agentscope.configure(log_dir=tmp_path / "code")
    assert default_log_dir() == tmp_path / "code"
    configure()
    assert default_log_dir() == tmp_path / "code"
    configure(log_dir=False)
    assert default_log_dir() is None
    configure(log_dir=None)
    assert default_log_dir() == tmp_path / "environment"
    monkeypatch.setenv("NB_AGENTSCOPE_LOG_DIR", "")
    assert default_log_dir() is None


def test_a_relative_folder_is_meant_from_where_it_was_said(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    configure(log_dir="runs/")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert default_log_dir() == tmp_path / "runs"
    assert not (tmp_path / "runs").exists()


def test_a_relative_folder_of_the_environment_stays_the_same_for_the_process(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(LOG_DIR_VARIABLE, f"runs-of-{tmp_path.name}")
    first = default_log_dir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert default_log_dir() == first == tmp_path / f"runs-of-{tmp_path.name}"


def test_the_home_folder(monkeypatch):
    monkeypatch.setenv(LOG_DIR_VARIABLE, "~/runs")
    assert default_log_dir() == Path(os.environ["HOME"]) / "runs"


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [(5, TypeError, "got 5"), (True, TypeError, "got True"), (b"x", TypeError, "got b'x'"), ("", ValueError, "empty")],
)
def test_wrong_values(given, error, says):
    with pytest.raises(error, match=f"log_dir must .*{says}"):
        configure(log_dir=given)
    assert default_log_dir() is None
