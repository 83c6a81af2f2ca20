"""The notebooks run from top to bottom without a front end and without a network."""

import json
import os
import re
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


def executed(name: str, kernel: str) -> list[nbformat.NotebookNode]:
    """The code cells of a notebook after a run in which nobody clicks."""
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, kernel_name=kernel, resources=resources).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.kernel
@pytest.mark.filterwarnings("default")  # nbclient's and zmq's own
def test_the_quickstart_runs_without_a_front_end_and_denies(kernel: str):
    show, waited, by_code, log, again, real = executed("01_quickstart.ipynb", kernel)
    assert "Summarise the sales of 2026" in outputs(show)
    assert "application/vnd.jupyter.widget-view+json" not in show.outputs[-1].data
    assert "interrupted" in outputs(waited)
    assert "asked for delete_file" in outputs(by_code)
    assert "nothing else was touched" in outputs(by_code)
    assert "'by': 'code'" in outputs(log)
    assert "nothing else was touched" in outputs(again)
    assert "draft_export_old.csv" in outputs(real) or "This cell needs AgentScope" in outputs(real)


@pytest.mark.kernel
@pytest.mark.filterwarnings("default")  # nbclient's and zmq's own
def test_the_agent_notebook_runs_without_a_front_end_and_deletes_only_what_code_approved(kernel: str):
    cells = executed("02_agent.ipynb", kernel)
    _, _, show, waited, _, by_code, rules, revoked, nested, structured, real, disk = cells
    assert "may go, I think" in outputs(show)
    assert "success success denied" in outputs(waited)
    assert "drafts/export_2022.csv" in outputs(waited)
    assert "'notes.md': 'Sales grew in December.\\n'" in outputs(by_code)
    assert "472 orders, checked by hand" in outputs(by_code)
    assert "allow delete_file(drafts/**)" in outputs(rules)
    assert re.search(
        r"\n  Approved and always allowed by code · waited .* delete_file\(drafts/\*\*\)\n", outputs(rules)
    )
    assert "allow" not in outputs(revoked)
    assert "deny delete_file(*.md)" in outputs(revoked)
    assert "drafts/export_2023.csv" not in outputs(nested)
    assert "drafts/export_2025.csv" in outputs(nested)
    assert "Report(title='Sales', orders=472)" in outputs(structured)
    assert "Pieces of eight!" in outputs(real)
    assert "decided by policy" in outputs(disk)


def test_committed_notebooks_have_no_outputs():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path
            assert cell.get("execution_count") is None, path
