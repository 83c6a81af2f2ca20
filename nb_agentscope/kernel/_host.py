"""Where we run. IPython is only looked at when someone else has loaded it already."""

from __future__ import annotations

import os
import sys
from typing import Any, Literal

Host = Literal["script", "terminal", "marimo", "colab", "vscode", "jupyter"]


def shell() -> Any:
    """The running IPython shell, or None."""
    if "IPython" not in sys.modules:
        return None
    from IPython.core.getipython import get_ipython

    return get_ipython()


def has_kernel() -> bool:
    """Whether a Jupyter kernel runs this code, so that a front end may listen."""
    return getattr(shell(), "kernel", None) is not None


def host() -> Host:
    """The kind of place this code runs in.

    A kernel cannot see its front end: `jupyter` stands for all that say nothing (JupyterLab, Notebook, nbconvert, papermill).
    """
    if "marimo" in sys.modules and sys.modules["marimo"].running_in_notebook():
        return "marimo"
    if not has_kernel():
        return "script" if shell() is None else "terminal"
    if "google.colab" in sys.modules:
        return "colab"
    return "vscode" if "VSCODE_PID" in os.environ or "VSCODE_CWD" in os.environ else "jupyter"
