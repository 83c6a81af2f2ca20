"""Command patterns: an allow rule is one plain command, a deny rule finds the command wherever it hides."""

import itertools
import shutil
import subprocess

import pytest

from nb_agentscope.permission import match_prefix, suggest_commands


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("git commit:*", "git commit"),
        ("git commit:*", "git commit -m 'fix; rm $x'"),
        ("git commit:*", 'git commit -m "a && b"'),
        ("git commit:*", "  git   commit\t-a\n"),
        ("git commit:*", '"git" commit'),
        ("git commit:*", "git commit -m x#1 *.py"),
        ("git *", "git"),
        ("git *", "git push"),
        ("git * --dry-run", "git push --dry-run"),
        ("cat src/*", "cat src/a.py"),
        ("npm test", "npm test"),
        ("npm test", "npm  test"),
        (r"rm \*", "rm *"),
        ("*", "ls -la"),
        ("a | b > c", "a | b > c"),
        ("X=1 git push", "X=1 git push"),
    ],
)
def test_an_allow_rule_matches(pattern, command):
    assert match_prefix(pattern, command)


@pytest.mark.parametrize(
    "command",
    [
        "git commit; rm -rf /",
        "git commit;rm -rf /",
        "git commit && x",
        "git commit || x",
        "git commit | sh",
        "git commit & x",
        "git commit &",
        "git commit\nrm x",
        "git commit\rrm x",
        "git commit \\\n; rm x",
        "git commit -m $(rm x)",
        "git commit -m `rm x`",
        'git commit -m "$(rm x)"',
        'git commit -m "`rm x`"',
        'git commit -m "\\"; rm x"',
        "git commit -m $'a'",
        "git commit -m $HOME",
        "git commit <(rm x)",
        "git commit > .bashrc",
        "git commit >> f",
        "git commit 2>f",
        "git commit < f",
        "git commit <<< x",
        "X=1 git commit",
        "GIT_SSH=evil git commit",
        "(git commit)",
        "{ git commit; }",
        "! git commit",
        "git commit # x",
        "git commit 'a",
        'git commit "a',
        "git commit\x00",
        "git commit\x1b[2J",
        "git\u00a0commit",
        "git commit\u2028rm x",
        "git commit-tree",
        "git -c core.pager=x commit",
        "git push",
        "git",
        "sudo git commit",
        "./git commit",
        "/tmp/git commit",
        "GIT commit",
        "g\\it commit",
        "gi* commit",
        "{git,commit}",
        "",
        None,
        7,
        ["git", "commit"],
    ],
)
def test_an_allow_rule_does_not_match(command):
    assert not match_prefix("git commit:*", command)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        (":*", "ls"),
        ("npm test", "npm test --x"),
        ("npm test", "npm test; x"),
        ("npm", "xnpm"),
        ("cat src/*", "cat src/../../etc/passwd"),
        ("cat src/*", "cat src/.."),
        ("cat src/*", "cat src/{a,..}"),
        ("cat src/*", "cat src/a /etc/passwd"),
        ("rm *.tmp", "rm -rf / x.tmp"),
        ("*", "ls; rm x"),
        ("*", "X=1 ls"),
        (r"rm \*", "rm x"),
    ],
)
def test_an_allow_rule_reaches_no_further_than_it_reads(pattern, command):
    assert not match_prefix(pattern, command)


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push --force",
        "ls; git push",
        "ls && git push",
        "ls | git push",
        "ls\ngit push",
        "echo $(git push)",
        "echo `git push`",
        "(git push)",
        "X=1 git push",
        "sudo -u me git push",
        "env X=1 git push",
        "/usr/bin/git push",
        r"C:\bin\git.exe push",
        "git -C . push",
        "git --no-pager  push",
        "GIT Push",
        "g\"i\"t pu's'h",
        r"g\it p\ush",
        "git \\\n push",
        "git \\\r\n push",
        "git$IFS''push",
        "git${IFS}push",
        "{git,push}",
        "git pu$()sh",
        "git $x",
        "git `echo push`",
        "gi? push",
        "git p*",
        "bash -c 'git push'",
        "eval git push",
        "echo push | xargs git",
        "xargs git < push",
        "git push>f",
        "bash <<E\ngit push\nE",
        7,
        ["git", "push"],
    ],
)
def test_a_deny_rule_matches(command):
    assert match_prefix("git push:*", command, loose=True)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("rm -rf:*", "rm -fr x"),
        ("rm -rf", "rm -r -v -f x"),
        ("rm -rf", "ls; rm -Rf x"),
        ("git *", "sudo git"),
        ("curl * | sh", "curl x | sh"),
        ("cd x && rm y", "cd x;rm -f y"),
        (":*", "anything"),
        ("*", "anything"),
        ("> /dev/", "echo x > /dev/sda"),
        ("/usr/bin/git push:*", "git push"),
    ],
)
def test_other_deny_rules_match(pattern, command):
    assert match_prefix(pattern, command, loose=True)


@pytest.mark.parametrize(
    "command", ["git status", "docker push", "git status; docker push", "gitk push", "ls digit-push", "", None]
)
def test_a_deny_rule_leaves_others_alone(command):
    assert not match_prefix("git push:*", command, loose=True)
    assert not match_prefix("rm:*", "npm run charm", loose=True)


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_what_an_allow_rule_lets_through_runs_one_program_in_a_real_shell(tmp_path, shell):
    """Arguments of all kinds, whichever a shell could act on: those that match leave no mark."""
    shell = shutil.which(shell) or pytest.skip(f"there is no {shell}")
    pieces = [
        *(";", "&", "&&", "|", "||", "\n", ">mark", "$(touch mark)", "`touch mark`", "touch mark", "<(touch mark)"),
        *("'", '"', "\\", "#", "'; touch mark'", '"; touch mark"', '"$(touch mark)"', "{a,touch}", "x", "!", "~", "*"),
    ]
    allowed = ["true " + sep.join(some) for some in itertools.product(pieces, repeat=3) for sep in (" ", "")]
    allowed = [command for command in allowed if match_prefix("true:*", command)]
    assert len(allowed) > 300
    script = "\n".join(f"( {command}\n)" for command in allowed)
    done = subprocess.run([shell], input=script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr, list(tmp_path.iterdir())) == (0, "", "", [])


def test_on_windows_quotes_protect_nothing(monkeypatch):
    assert match_prefix("git commit:*", "git commit -m 'a & b'")
    monkeypatch.setattr("nb_agentscope.permission._prefix.os.name", "nt")
    try:
        matched = [match_prefix("git commit:*", f"git commit -m {text}") for text in ("'a & b'", '"%X%"', "x")]
    finally:
        monkeypatch.undo()
    assert matched == [False, False, True]


def test_a_long_hostile_command_takes_few_steps(monkeypatch):
    from nb_agentscope.permission import _prefix

    steps = []
    real = _prefix.fnmatchcase
    monkeypatch.setattr(_prefix, "fnmatchcase", lambda *args: steps.append(1) or real(*args))
    assert not match_prefix("git push now:*", "git " * 5000, loose=True)
    assert not match_prefix("git commit:*", "git commit " + "'a" * 5001)
    assert len(steps) < 5000 * 10
    assert [rule.rule_content for rule in suggest_commands("shell", "a " * 5000)] == ["a a:*"]
