"""What a tool that changes files says by itself: yes inside the working directories, never silently to sensitive files."""

from __future__ import annotations

from collections.abc import Sequence

from nb_agentscope.permission._mode import PermissionMode
from nb_agentscope.permission._verdict import Verdict


def path_verdict(
    path: object, mode: PermissionMode, working_dirs: Sequence[str], *, root: str | None = None
) -> Verdict | None:
    """The verdict of a tool that edits the file at `path`."""
    raise NotImplementedError
