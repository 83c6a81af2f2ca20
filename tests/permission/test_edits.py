"""A tool that edits files: yes in the working directories, never silently to sensitive files."""

import pytest

from nb_agentscope.permission import PermissionMode, Verdict, path_verdict
from tests.permission.tools import ALLOW, ASK

EDITING = ["accept_edits", "dont_ask"]


@pytest.fixture
def root(tmp_path, monkeypatch):
    for name in ("work/.git/hooks", "other", "home"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work/out").symlink_to(tmp_path / "other")
    (tmp_path / "work/plain").symlink_to(tmp_path / "work/.git/hooks")
    (tmp_path / "same").symlink_to(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return str(tmp_path)


def verdict(path, root, mode="accept_edits", dirs=("work",)):
    return path_verdict(path, PermissionMode(mode), dirs, root=root)


@pytest.mark.parametrize("path", ["work/a", "work/x/../a", "{root}/work/a", "same/a", ["work/a", "work/b"]])
def test_inside(root, path):
    path = path.format(root=root) if isinstance(path, str) else path
    assert [verdict(path, root, mode) for mode in EDITING] == [Verdict(ALLOW)] * 2
    assert [verdict(path, root, mode) for mode in PermissionMode if mode not in EDITING] == [None] * 3
    assert verdict(path, root, dirs=()) is None


@pytest.mark.parametrize("folder", ["same", "{root}/work", "./work/", "work/../work"])
def test_a_working_directory_by_any_name(root, folder):
    assert verdict("work/a", root, dirs=("other", folder.format(root=root))) == Verdict(ALLOW)
    assert verdict("a", root, dirs=(folder.format(root=root),)) is None


@pytest.mark.parametrize(
    "path",
    ["other/a", "work/../other/a", "work/out/a", "work", "work2/a", "WORK/a", "~/a", "work/~/../../other/a", "work/a ",
     "work/a\x00", ["work/a", "other/a"], [], None, 3, ""],
)  # fmt: skip
def test_not_inside(root, path):
    assert [verdict(path, root, mode) for mode in EDITING] == [None] * 2


@pytest.mark.parametrize(
    "path",
    ["work/.bashrc", "work/.git/hooks/pre-commit", "work/.git", ".ssh/authorized_keys", "work/.GIT/config", "~/.profile",
     "work/plain/pre-commit", "work/.env", "work/.env.local", "work/.bashrc ", "work/.bashrc.", "work/.g\u200bit/x",
     ["work/a", "work/.npmrc"], "work/x/../.git/config"],
)  # fmt: skip
def test_sensitive_in_every_mode(root, path):
    for mode in PermissionMode:
        got = verdict(path, root, mode)
        assert (got.behavior, got.final) == (ASK, True)
        assert "is a sensitive file" in got.message


@pytest.mark.parametrize("path", ["work/environment", "work/bashrc", "work/.gitignore", "work/git/x", "work/.envs"])
def test_not_sensitive(root, path):
    assert verdict(path, root) == Verdict(ALLOW)
