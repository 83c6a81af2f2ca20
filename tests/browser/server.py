"""A Jupyter server for one test session."""

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.browser.waiting import wait_until

REPO = Path(__file__).resolve().parents[2]
KERNEL = "nbas"
SETTINGS: dict[str, dict[str, Any]] = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}


class JupyterServer:
    """One JupyterLab server; its kernel is the Python that runs the tests, with this repository on its path.

    Args:
        base: Empty folder for everything the server writes; notebooks are in `base / "root"`.
        settings: More JupyterLab settings, by plugin id.
    """

    def __init__(self, base: Path, *, settings: dict[str, dict[str, Any]] | None = None) -> None:
        self.base = base
        self.root = base / "root"
        self.root.mkdir(parents=True)
        self._settings = {**SETTINGS, **(settings or {})}
        self._port = _free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._log = base / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        _write_kernelspec(self.base / "jupyter" / "kernels" / KERNEL)
        self.configure(self._settings)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(), env=self._environment(), stdout=log, stderr=subprocess.STDOUT, cwd=self.root
            )
        wait_until(self._answers, "the Jupyter server answers", timeout_s=90)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        for kernel in self.api("/api/kernels"):
            self.api(f"/api/kernels/{kernel['id']}", method="DELETE")
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def configure(self, settings: dict[str, dict[str, Any]]) -> None:
        """Write JupyterLab settings; a page that is loaded afterwards has them."""
        for plugin, values in settings.items():
            package, name = plugin.split(":")
            path = self.base / "settings" / package / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))

    def api(self, path: str, method: str = "GET") -> Any:
        """Call the server's REST interface and return the decoded answer (None if it is empty)."""
        request = urllib.request.Request(self.url + path, method=method)
        with urllib.request.urlopen(request, timeout=15) as answer:
            raw = answer.read()
        return json.loads(raw) if raw else None

    def write_notebook(self, name: str, cells: list[str]) -> Path:
        """Write a notebook with these code cells into the server's root."""
        code = [
            {
                "cell_type": "code",
                "id": f"c{i}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for i, source in enumerate(cells)
        ]
        kernelspec = {"name": KERNEL, "display_name": KERNEL, "language": "python"}
        metadata = {"kernelspec": kernelspec, "language_info": {"name": "python"}}
        path = self.root / name
        path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": code}))
        return path

    def copy_notebook(self, source: Path) -> Path:
        """Copy an existing notebook into the root; it will use the test kernel."""
        notebook = json.loads(source.read_text())
        notebook["metadata"]["kernelspec"] = {"name": KERNEL, "display_name": KERNEL, "language": "python"}
        path = self.root / source.name
        path.write_text(json.dumps(notebook))
        return path

    def copy_folder(self, source: Path) -> Path:
        """Copy a folder into the root, for notebooks that read files beside them."""
        return Path(shutil.copytree(source, self.root / source.name, dirs_exist_ok=True))

    def read_notebook(self, name: str) -> dict[str, Any]:
        """Read a notebook as it is saved now."""
        notebook: dict[str, Any] = json.loads((self.root / name).read_text())
        return notebook

    def log_tail(self, size: int = 4000) -> str:
        """The last characters of the server's log."""
        return self._log.read_bytes()[-size:].decode(errors="replace")

    def _answers(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            raise RuntimeError("The Jupyter server ended while starting:\n" + self.log_tail())
        try:
            self.api("/api/status")
        except OSError:
            return False
        return True

    def _command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
            *(f"--port={self._port}", "--ServerApp.port_retries=0", "--IdentityProvider.token="),
            *("--ServerApp.password=", "--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={self.root}"),
            *("--LabApp.expose_app_in_browser=True", "--LabApp.news_url=", "--ServerApp.terminals_enabled=False"),
        ]

    def _environment(self) -> dict[str, str]:
        folders = {
            "JUPYTER_PATH": "jupyter",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        }
        path = os.pathsep.join(part for part in (str(REPO), os.environ.get("PYTHONPATH")) if part)
        own = {name: str(self.base / folder) for name, folder in folders.items()}
        return {**os.environ, **own, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _write_kernelspec(folder: Path) -> None:
    folder.mkdir(parents=True)
    start = [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": start, "display_name": KERNEL, "language": "python", "interrupt_mode": "signal"}
    (folder / "kernel.json").write_text(json.dumps(spec))
