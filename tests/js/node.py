"""The TypeScript reducer as a process: a stream of events in, messages out, one JSON line each."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nb_agentscope.event import AgentEvent

JS = Path(__file__).parents[2] / "js"
MISSING = "Node.js or its packages are missing: install Node.js 20 and run `npm ci` in js/."


class NodeFold:
    """Folds in node; it sees events alone, never what is expected."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def __call__(self, stream: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(stream) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def events(self, events: Sequence[AgentEvent]) -> Any:
        return self([json.loads(event.model_dump_json()) for event in events])


@contextmanager
def node_fold(*arguments: str) -> Iterator[NodeFold]:
    node = shutil.which("node")
    if node is None or not (JS / "node_modules").is_dir():
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    command = [node, str(JS / "scripts" / "fold.mjs"), *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield NodeFold(process)
        assert process.stdin is not None
        process.stdin.close()
