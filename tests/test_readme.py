"""What the README shows is Python, uses names that exist, and does what it says."""

import ast
import asyncio
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def parsed(snippet: str) -> ast.Module:
    """The syntax tree of a cell, in which `await` may stand at the top."""
    return compile(snippet, "README.md", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_what_a_snippet_imports_from_us_exists(snippet):
    for node in ast.walk(parsed(snippet)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nb_agentscope"):
            names = [alias.name for alias in node.names]
            home = __import__(node.module, fromlist=names)  # as the statement does: a name may be a module, too
            assert [name for name in names if not hasattr(home, name)] == []


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_the_agent_of_your_own_deletes_the_file_once_it_may(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [snippet] = [snippet for snippet in SNIPPETS if "@tool" in snippet]
    shown = []
    names = {"display": shown.append}
    exec(snippet, names)
    run = names["w"]
    assert shown == [run]
    async with asyncio.timeout(30):
        async for _ in run.log.follow():
            if run.pending:
                break
        assert names_in(tmp_path) == ["old.csv"]
        run.approve()
        reply = await run
    assert reply.get_text_content().endswith("Done.")
    assert names_in(tmp_path) == []


def measures() -> list[str]:
    section = README.split("## Measure")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@pytest.mark.parametrize(
    ("snippet", "needs"),
    list(zip(measures(), [("matplotlib",), ("pyarrow", "dask.dataframe")], strict=True)),
    ids=["numbers", "exports"],
)
def test_what_is_measured_is_measured(snippet, needs, tmp_path, monkeypatch):
    for module in needs:
        pytest.importorskip(module)
    (tmp_path / "notebooks").symlink_to(Path(__file__).parents[1] / "notebooks")
    monkeypatch.chdir(tmp_path)
    names, shown = {}, {}
    for line in parsed(snippet).body:
        if isinstance(line, ast.Expr):
            code = ast.unparse(line)
            shown[code.split("(")[0]] = eval(code, names)
        else:
            exec(ast.unparse(line), names)
    empty = [name for name, made in shown.items() if hasattr(made, "columns") and not len(made)]
    assert empty == (["problems_df"] if "problems_df" in shown else [])
    if "usage_df" in shown:  # prices of the models that are there
        assert shown["usage_df"].set_index("model").loc["cedar-large", "total_cost"] > 0
