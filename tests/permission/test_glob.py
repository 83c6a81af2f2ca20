"""Path patterns: an allow rule never reaches further than it reads, a deny rule is not evaded by spelling."""

from pathlib import Path

import pytest

from nb_agentscope.permission import match_glob


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with a folder, a link out of it, a link into it, and a home beside it."""
    for name in ("project/src/deep", "project/secret", "outside", "home/notes"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "project/src/out").symlink_to(tmp_path / "outside")
    (tmp_path / "project/src/loop").symlink_to(tmp_path / "project/src/loop")
    (tmp_path / "project/alias").symlink_to(tmp_path / "project/src")
    (tmp_path / "project/file.txt").symlink_to(tmp_path / "outside/file.txt")
    (tmp_path / "project/lib").symlink_to(tmp_path / "project/secret")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return str(tmp_path / "project")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/**", "src/a.py"),
        ("src/**", "src/deep/er/a.py"),
        ("src/**", "./src//a.py"),
        ("src/**", "src/deep/../a.py"),
        ("src/**", "{root}/src/a.py"),
        ("{root}/src/**", "src/a.py"),
        ("src/**", "alias/a.py"),
        ("alias/**", "alias/a.py"),
        ("src/*.py", "src/a.py"),
        ("src/**/*.py", "src/a.py"),
        ("src/**/*.py", "src/x/y/a.py"),
        ("**/a.py", "x/y/a.py"),
        ("**/a.py", "a.py"),
        ("src/?.p[xy]", "src/a.py"),
        ("src/[!b].py", "src/a.py"),
        ("src/[*].py", "src/*.py"),
        ("src/a.py", "src/a.py"),
        ("./**", "a.py"),
        ("**", "deep/a.py"),
        ("~/notes/**", "~/notes/a.md"),
        ("~/notes/**", "{root}/../home/notes/a.md"),
        ("src/**", ["src/a", "src/b"]),
        ("src/**", Path("src/a.py")),
    ],
)
def test_an_allow_rule_matches(root, pattern, path):
    filled = path.format(root=root) if isinstance(path, str) else path
    assert match_glob(pattern.format(root=root), filled, root=root)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/**", "src/../etc/passwd"),
        ("src/**", "src/deep/../../secret/key"),
        ("src/**", "src/out/a.py"),
        ("src/**", "src/out/../project/secret/key"),
        ("**", "src/out/a.py"),
        ("**", "../a.py"),
        ("**", "/etc/passwd"),
        ("**", "file.txt"),
        ("file.txt", "file.txt"),
        ("src/**", "src"),
        ("src/**", "src/"),
        ("src/**", "srcs/a.py"),
        ("src/**", "SRC/a.py"),
        ("src/**", "other/src/a.py"),
        ("src/*", "src/deep/a.py"),
        ("src/*.py", "src/deep/a.py"),
        ("*.py", "src/a.py"),
        ("src/*/../**", "secret/key"),
        ("src/?", "src/.."),
        ("src/**", "~/a.py"),
        ("**", "~/a.py"),
        ("**", "~root/a.py"),
        ("~/**", "./~/a.py"),
        ("~/notes/**", "~/notes/../a.md"),
        ("src/**", " src/a.py"),
        ("src/**", "src/a.py\n"),
        ("src/**", "src/a\x00.py"),
        ("src/**", "src/a\u200b.py"),
        ("src/**", "src/\ud800"),
        ("src/**", ""),
        ("src/**", ["src/a", "secret/b"]),
        ("src/**", []),
        ("src/**", None),
        ("src/**", 3),
        ("src/**", ["src/a", None]),
        ("/**", "/"),
        ("src/**", "/proc/self/root/src/a"),
    ],
)
def test_an_allow_rule_does_not_match(root, pattern, path):
    assert not match_glob(pattern, path, root=root)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("secret/**", "secret/key"),
        ("secret/**", "secret"),
        ("secret/**", "secret/"),
        ("secret", "secret/deep/key"),
        ("secret/", "secret/key"),
        ("secret/**", "src/../secret/key"),
        ("secret/**", "./secret//key"),
        ("secret/**", "lib/key"),
        ("lib/**", "secret/key"),
        ("secret/**", "{root}/secret/key"),
        ("{root}/secret/**", "secret/key"),
        ("secret/**", "SECRET/Key"),
        ("secret/**", " secret/key "),
        ("secret/**", "/proc/self/root{root}/secret/key"),
        ("secret/**", "/another/root/secret/key"),
        ("secret/*", "secret/deep/key"),
        ("*.pem", "src/deep/a.pem"),
        ("*.pem", "src/a.PEM"),
        ("café/**", "cafe\u0301/x"),
        ("secret/**", "se\u200bcret/x"),
        ("~/notes/**", "{root}/../home/notes/a.md"),
        ("{root}/../home/notes/**", "~/notes/a.md"),
        ("outside/**", "src/out/a"),
        ("src/out/**", "../outside/a"),
        ("secret/**", ["src/a", "secret/b"]),
        ("secret/**", "secret/a\x00"),
        ("secret/**", {"path": "?"}),
        ("secret/**", ["src/a", None]),
        ("*", "anything/at/all"),
        ("/**", "/etc/passwd"),
    ],
)
def test_a_deny_rule_matches(root, pattern, path):
    filled = path.format(root=root) if isinstance(path, str) else path
    assert match_glob(pattern.format(root=root), filled, root=root, loose=True)


@pytest.mark.parametrize("path", ["src/a.py", "secrets/key", "secret.txt", "my-secret/x", None, []])
def test_a_deny_rule_leaves_others_alone(root, path):
    assert not match_glob("secret/**", path, root=root, loose=True)


def test_the_current_folder_is_the_root_unless_said(root, monkeypatch):
    monkeypatch.chdir(root)
    assert match_glob("src/**", f"{root}/src/a.py")
    monkeypatch.chdir("/")
    assert not match_glob("src/**", f"{root}/src/a.py")


def test_a_link_made_after_the_rule_opens_nothing(root):
    target = Path(root, "src/new")
    assert match_glob("src/**", "src/new/key", root=root)
    target.symlink_to(Path(root, "secret"))
    assert not match_glob("src/**", "src/new/key", root=root)


def test_a_tilde_must_fit_with_and_without_its_meaning(root):
    home = Path(root).parent / "home"
    assert match_glob(f"{home}/notes/**", f"{home}/notes/a.md", root=root)
    assert not match_glob(f"{home}/notes/**", "~/notes/a.md", root=root)
    Path(root, "~").symlink_to(Path(root, "secret"))
    assert not match_glob("~/notes/**", "~/notes/a.md", root=root)


def test_many_wildcards_and_a_long_path_take_few_steps(root, monkeypatch):
    from nb_agentscope.permission import _glob

    steps = []
    real = _glob.fnmatchcase
    monkeypatch.setattr(_glob, "fnmatchcase", lambda *args: steps.append(1) or real(*args))
    assert not match_glob("**/a/**/a/**/a/**/b", "/".join("a" * 500), root=root)
    assert len(steps) < 500 * 20
