"""What a tool that changes files says by itself: yes in the working directories, never silently to sensitive files."""

from __future__ import annotations

from collections.abc import Sequence

from nb_agentscope.permission._mode import PermissionMode
from nb_agentscope.permission._path import expand, folded, is_clear, is_inside, lexical, paths_of, real, start
from nb_agentscope.permission._rule import PermissionBehavior
from nb_agentscope.permission._verdict import Verdict

_EDITING = {PermissionMode.ACCEPT_EDITS, PermissionMode.DONT_ASK}

# Who writes there runs code later, or reads and changes keys: shells, version control, editors, notebooks, logins.
_FOLDERS = {
    *(".git", ".hg", ".svn", ".vscode", ".idea", ".devcontainer", ".github"),
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".jupyter", ".ipython"),
}
_FILES = {
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".xprofile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".cshrc", ".tcshrc", ".kshrc", ".inputrc"),
    *(".gitconfig", ".gitmodules", ".gitattributes", ".netrc", ".npmrc", ".yarnrc", ".pypirc", ".pgpass", ".envrc"),
    *(".vimrc", ".exrc", ".emacs", ".pythonrc", ".mcp.json", "authorized_keys"),
}


def path_verdict(
    path: object, mode: PermissionMode, working_dirs: Sequence[str], *, root: str | None = None
) -> Verdict | None:
    """The verdict of a tool that edits the file at `path`.

    A sensitive file (shell start-up, `.git`, `.ssh`, `.env` ...) asks whatever the allow rules say; in accept_edits
    and dont_ask a file beneath a working directory, links followed, is allowed; else None, the tool has no opinion.

    Args:
        path: The argument of the call: a str, a path, or a list of them, all of which must be inside.
        mode: The mode in force.
        working_dirs: The folders that may be edited in.
        root: The folder that relative paths start in; None is the current one.
    """
    paths = paths_of(path)
    if not paths:
        return None
    base = start(root)
    if sensitive := next((each for each in paths if is_sensitive(each, base)), None):
        return Verdict(PermissionBehavior.ASK, f"Permission required: {sensitive!r} is a sensitive file", final=True)
    folders = [folder for each in working_dirs if (folder := real(expand(each), base))]
    if mode in _EDITING and all(_in_any(each, folders, base) for each in paths):
        return Verdict(PermissionBehavior.ALLOW)
    return None


def is_sensitive(path: str, root: str) -> bool:
    """Whether any reading of the path is a file that a person should always be asked about."""
    readings = [path, path.strip(), expand(path.strip())]
    spellings = [lexical(each, root) for each in readings] + [real(each, root) or "" for each in readings]
    return any(_named_so(folded(spelling).split("/")) for spelling in spellings)


def _named_so(names: list[str]) -> bool:
    last = names[-1].rstrip(". ")
    return not _FOLDERS.isdisjoint(names) or last in _FILES or last == ".env" or last.startswith(".env.")


def _in_any(path: str, folders: Sequence[str], root: str) -> bool:
    """Whether the path is beneath a folder, with a leading `~` as the home folder and as a plain name."""
    targets = [real(each, root) for each in {path, expand(path)}]
    return is_clear(path) and all(
        target is not None and any(is_inside(target, folder) for folder in folders) for target in targets
    )
