"""Processes that are killed at a moment that they did not choose."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
needs_sigkill = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")


def killed_after(lines: int, source: str, *arguments: object) -> str:
    """Run Python source until it has printed so many lines, kill it, and return the last of them."""
    command = [sys.executable, "-c", source, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        assert process.stdout is not None
        try:
            last = [process.stdout.readline() for _ in range(lines)][-1].decode()
        finally:
            process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL, "it ended by itself"
    return last
