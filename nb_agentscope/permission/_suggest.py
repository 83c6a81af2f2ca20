"""Rules that a person may accept together with a call."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from glob import escape

from nb_agentscope.permission._edits import is_sensitive
from nb_agentscope.permission._glob import match_glob
from nb_agentscope.permission._path import expand, is_clear, is_inside, paths_of, real, start
from nb_agentscope.permission._prefix import literal, match_prefix, plain_words
from nb_agentscope.permission._rule import PermissionBehavior, PermissionRule

_MOST = 5
_LONGEST = 200
"""Characters of a rule that a person can still be expected to read."""

# With these "and any arguments" would mean anything at all, or nothing to be allowed by one click.
_NEVER_OPEN = set(
    """
    bash sh zsh fish dash ksh csh tcsh cmd powershell pwsh busybox
    python ipython node deno bun ruby perl php lua r rscript julia java awk
    sudo su doas env xargs nohup time timeout nice watch exec eval source .
    command builtin find ssh scp curl wget nc docker podman kubectl parallel tee
    rm rmdir mv cp dd mkfs chmod chown kill pkill killall shutdown reboot ln
    uv uvx npx pipx conda make sed vim vi emacs trap alias export unset
    """.split()  # noqa: SIM905 - a list of them fills forty lines
)
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9-]*")
_PROGRAM = re.compile(r"[A-Za-z0-9_.+-]+")


def suggest_tool(tool_name: str) -> list[PermissionRule]:
    """One rule: every call of the tool."""
    return [_allow(tool_name, None)]


def suggest_paths(tool_name: str, path: object, *, root: str | None = None) -> list[PermissionRule]:
    """The file, then its folder with all that is beneath, named by where links lead; nothing for sensitive files.

    Args:
        tool_name: The tool that is called.
        path: The argument of the call: a str, a path, or a list of them.
        root: The folder that relative paths start in; None is the current one.
    """
    paths = paths_of(path) or []
    base = start(root)
    if not all(is_clear(each) and not is_sensitive(each, base) for each in paths):
        return []
    files = [shown for each in paths if (shown := _shown(each, base)) is not None]
    contents = [escape(file) for file in files] + [_beneath(file) for file in files]
    return _allow_all(tool_name, (content for content in contents if match_glob(content, path, root=root)))


def suggest_commands(tool_name: str, command: object) -> list[PermissionRule]:
    """The command itself, then its program and subcommand with any arguments where that is sensible.

    Args:
        tool_name: The tool that is called.
        command: The argument of the call.
    """
    if not isinstance(command, str) or not command.strip():
        return []
    contents = [literal(command.strip()), *_open_ended(command.strip())]
    return _allow_all(tool_name, (content for content in contents if match_prefix(content, command)))


def _shown(path: str, root: str) -> str | None:
    """Where the path leads, in the style in which it was written: relative, `~` or absolute."""
    target, here, home = real(expand(path), root), real(".", root), real(expand("~"), root)
    if target is None or target == "/":
        return None
    if path.startswith("~") and home and is_inside(target, home):
        return "~" + target[len(home) :]
    if not os.path.isabs(path) and here and is_inside(target, here):  # noqa: PTH117 - text, as in _path
        inside = target[len(here) :].lstrip("/")
        return f"./{inside}" if inside.startswith("~") else inside
    return target


def _beneath(file: str) -> str:
    folder = file.rpartition("/")[0]
    return f"{escape(folder)}/**" if folder else "./**"


def _open_ended(command: str) -> list[str]:
    words = plain_words(command)
    if not words or not _PROGRAM.fullmatch(words[0]) or re.sub(r"[\d.]+$", "", words[0].lower()) in _NEVER_OPEN:
        return []
    has_subcommand = len(words) > 1 and _SUBCOMMAND.fullmatch(words[1])
    return [f"{' '.join(words[: 2 if has_subcommand else 1])}:*"]


def _allow_all(tool_name: str, contents: Iterable[str]) -> list[PermissionRule]:
    return [_allow(tool_name, content) for content in dict.fromkeys(contents) if len(content) <= _LONGEST][:_MOST]


def _allow(tool_name: str, content: str | None) -> PermissionRule:
    return PermissionRule(
        tool_name=tool_name, rule_content=content, behavior=PermissionBehavior.ALLOW, source="suggested"
    )
