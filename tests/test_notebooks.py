"""The notebooks run from top to bottom without a front end and without a network."""

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
REPO = NOTEBOOKS.parent


def outputs(cell: nbformat.NotebookNode) -> str:
    """Everything that a cell has put out, as text."""
    return "\n".join(
        "".join(output.get("text", "")) + "\n".join(map(str, output.get("data", {}).values()))
        for output in cell.outputs
    )


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a kernel that is this Python, with this repository on its path."""
    folder = tmp_path / "kernels" / "nbas"
    folder.mkdir(parents=True)
    start = [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(json.dumps({"argv": start, "display_name": "nbas", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(REPO), os.environ.get("PYTHONPATH")])))
    return "nbas"


@pytest.mark.kernel
@pytest.mark.filterwarnings("default")  # nbclient's and zmq's own
def test_the_quickstart_runs_without_a_front_end_and_denies(kernel: str):
    notebook = nbformat.read(NOTEBOOKS / "01_quickstart.ipynb", as_version=4)
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, kernel_name=kernel, resources=resources).execute()
    show, waited, by_code, log, again, real = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "Summarise the sales of 2026" in outputs(show)
    assert "application/vnd.jupyter.widget-view+json" not in show.outputs[-1].data
    assert "interrupted" in outputs(waited)
    assert "asked for delete_file" in outputs(by_code)
    assert "nothing else was touched" in outputs(by_code)
    assert "'by': 'code'" in outputs(log)
    assert "nothing else was touched" in outputs(again)
    assert "draft_export_old.csv" in outputs(real) or "This cell needs AgentScope" in outputs(real)


def test_committed_notebooks_have_no_outputs():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path
            assert cell.get("execution_count") is None, path
