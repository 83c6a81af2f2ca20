"""The notebooks run from top to bottom without a front end and without a network."""

import json
import os
import re
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

from nb_agentscope.analysis import approvals_df, model_calls_df, replies_df, tool_calls_df

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


@pytest.mark.kernel
@pytest.mark.filterwarnings("default")  # nbclient's and zmq's own
def test_the_analysis_notebook_says_what_the_logs_say(kernel: str):
    cells = executed("05_analysis.ipynb", kernel)
    (
        total,
        split,
        timeline,
        tools,
        failing,
        clerk,
        asked,
        decided,
        questions,
        by_rule,
        saved,
        cost,
        steps,
        tokens,
        latency,
        medians,
        prefill,
        own,
        words,
    ) = cells
    runs = str(NOTEBOOKS / "recordings/runs/*.jsonl")
    calls, replies = model_calls_df(runs), replies_df(runs)

    assert f"{replies['run'].nunique()} runs" in outputs(total)
    assert f"{len(calls)} model calls · {len(tool_calls_df(runs))} tool calls · 1 failed" in outputs(total)
    for chart in (split, timeline, tools, questions, steps, tokens, latency, prefill):
        assert "<svg" in outputs(chart)
    assert outputs(failing).count("error") == 2 * (tool_calls_df(runs)["state"] == "error").sum()  # as text and as HTML
    assert re.search(r"(?s)I ask the carrier\..*did not answer.*once more.*In the depot", outputs(clerk))
    assert "half of it at most" in outputs(asked)
    waits = approvals_df(runs).groupby("decision", observed=True)["wait_s"]
    assert re.search(rf"denied +{waits.size()['denied']} +{waits.median()['denied']:.1f} ", outputs(decided))
    assert re.findall(r"send_mail +(\w+) +send_mail", outputs(by_rule)) == ["user", "rule"] * 2

    costs = [letters_cost(calls, group) for group in ("before", "after")]
    assert re.search(rf"total_cost +{costs[0]:.3f} +{costs[1]:.3f} ", outputs(saved))
    assert f"${costs[1]:.4f} instead of ${costs[0]:.4f}" in outputs(cost)  # the same calls but for the cache
    ttft = calls[calls["model"] == "cedar-large"].groupby(calls["run"].str.split("-").str[0])["ttft_s"].median()
    assert re.search(rf"cedar-large before +{ttft['before']:.3f}", outputs(medians))
    assert ttft["after"] < ttft["before"]
    assert outputs(own).count("Good morning!") == 2 * 2  # as text and as HTML
    assert "ttft_s (s): " in outputs(words)


def letters_cost(calls: pd.DataFrame, group: str) -> float:
    """USD for the letters 1 to 3 by the notebook's prices, from the tokens alone."""
    calls = calls[calls["run"].isin([f"{group}-{number}" for number in (1, 2, 3)])]
    cached = calls["cache_read_input_tokens"]
    large = (calls["input_tokens"] - cached) * 3.0 + cached * 0.3 + calls["output_tokens"] * 15.0
    small = calls["input_tokens"] * 0.25 + calls["output_tokens"] * 1.25
    return float(large.where(calls["model"] == "cedar-large", small).sum() / 1e6)


def test_committed_notebooks_have_no_outputs():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path
            assert cell.get("execution_count") is None, path
