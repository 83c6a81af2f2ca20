"""Takes the pictures in `screenshots/`: python -m tests.browser.screenshots [folder [name …]]

Four states of one recorded run, a sub-agent that asks, and what logs look like, in JupyterLab's light and dark theme, and in
a narrow window.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.browser.harness import Browser, JupyterServer, NotebookPage, wait_until

TARGET = Path(__file__).parent / "screenshots"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
CELL = """\
from nb_agentscope import wrap
from tests.browser.replaying import PausedReplay

friday = wrap(PausedReplay("gates", {options}))
w = friday.widget("Summarise the sales of 2026 and tidy the folder.")
w"""

NESTING = """\
from nb_agentscope import wrap
from tests.browser.nesting import SCHEMA, NestingAgent

w = wrap(NestingAgent()).widget("Tidy the folder.", tool_schemas={{"assistant/researcher/delete_file": SCHEMA}})
w"""

LOGS = """\
from IPython.display import display
from nb_agentscope.analysis import plots, summary

folder = "{options}"
runs, letter_3 = f"{{folder}}/*.jsonl", [f"{{folder}}/before-3.jsonl", f"{{folder}}/after-3.jsonl"]
large = {{"input": 3.0, "output": 15.0, "cache_read": 0.3, "accounting": "inclusive"}}
prices = {{"cedar-large": large, "cedar-small": {{"input": 0.25, "output": 1.25, "accounting": "inclusive"}}}}
"""
SUMMARY = LOGS + "summary(runs, prices=prices)"
CHARTS = (
    LOGS
    + """\
display(plots.time_split(runs), plots.timeline(letter_3[0]), plots.tool_latency(runs), plots.approvals(runs))
display(plots.tokens(runs, prices=prices), plots.latency(runs), plots.prefill(runs, prices=prices))
display(plots.cost(letter_3, prices=prices), plots.cost(f"{{folder}}/before-2.jsonl", prices=prices))"""
)
RUNS = str(Path(__file__).resolve().parents[2] / "notebooks" / "recordings" / "runs")
WIDTH, NARROW = 900, 420
EDIT = "Edit…"


@dataclass(frozen=True)
class Picture:
    """One state.

    Attributes:
        options: How the replay is told to reach it.
        sign: The text that says it is reached.
        approve: Whether to approve then, and wait for the end.
        cell: The code.
        press: Labels of buttons and boxes to press, in order.
        edit: What is written into the arguments.
    """

    name: str
    options: str
    sign: str
    approve: bool = False
    width: int = WIDTH
    height: int = 1400
    scale: float = 1.5
    cell: str = CELL
    press: tuple[str, ...] = ()
    edit: str = ""


PICTURES = (
    Picture("running", "180", "The last quarter"),
    Picture("waiting", "None", "Approve once"),
    Picture("finished", "None", "nothing else was touched", approve=True),
    Picture("failed", "150, fail=True", "529"),
    Picture("waiting-narrow", "None", "Approve once", width=NARROW),
    Picture("nested", "", "Approve once", cell=NESTING),
    Picture("nested-narrow", "", "Approve once", width=NARROW, cell=NESTING),
    Picture("rules", "", "Approve once", cell=NESTING, press=("Approve and always allow…", "anything below")),
    Picture("edit", "", "Approve once", cell=NESTING, press=(EDIT,), edit='{"file": "data/older.csv", "force": true}'),
    Picture("refused", "", "Approve once", cell=NESTING, press=(EDIT, "Run edited"), edit='{"file": 7}'),
    Picture("summary", RUNS, "did not tell", cell=SUMMARY),
    Picture("summary-narrow", RUNS, "did not tell", width=NARROW, height=1900, cell=SUMMARY),
    Picture("charts", RUNS, "together", height=3700, scale=1, cell=CHARTS),
    Picture("charts-narrow", RUNS, "together", width=NARROW, height=3700, scale=1, cell=CHARTS),
)


def main(target: Path, names: Sequence[str] = ()) -> None:
    """Take all pictures, or those of these names, and write them into `target`."""
    wanted = [picture for picture in PICTURES if not names or picture.name in names]
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as base, JupyterServer(Path(base) / "jupyter") as server, Browser() as browser:
        for theme in THEMES:
            server.configure({"@jupyterlab/apputils-extension:themes": {"theme": THEMES[theme]}})
            for picture in wanted:
                path = target / f"{picture.name}-{theme}.png"
                for page in _reached(server, browser, picture):
                    page.output(0).screenshot(path=str(path))
                print(path.name)


def _reached(server: JupyterServer, browser: Browser, picture: Picture) -> Iterator[NotebookPage]:
    server.write_notebook("picture.ipynb", [picture.cell.format(options=picture.options)])
    (server.root / "gates").mkdir(exist_ok=True)
    gate = server.root / "gates" / "more.open"
    gate.unlink(missing_ok=True)
    if "fail" in picture.options:
        gate.touch()
    page = browser.open(server, "picture.ipynb", size=(picture.width + 160, picture.height), scale=picture.scale)
    page.js("if (app.shell.leftCollapsed === false) app.shell.collapseLeft();")
    page.run_cell(0)
    if picture.approve:
        page.output(0).get_by_role("button", name="Approve once: delete_file").click(timeout=20_000)
    page.output(0).get_by_text(picture.sign).first.wait_for(timeout=20_000)
    if picture.approve:
        wait_until(
            lambda: "application/vnd.jupyter.widget-view+json" not in page.outputs(0)[0]["data"], "a frozen display"
        )
    _press(page, picture)
    yield page
    page.close()


def _press(page: NotebookPage, picture: Picture) -> None:
    for label in picture.press:
        page.output(0).get_by_label(label).first.click()
        if label == EDIT:
            page.output(0).get_by_label("as JSON").fill(picture.edit)
    page.page.wait_for_timeout(400)  # answers and transitions


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET, sys.argv[2:])
