"""One test's notebook with a gated agent in it, and what both wrote down."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.browser.fakes import Gates
from tests.browser.harness import Browser, JupyterServer, NotebookPage, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator

CELL = """\
from nb_agentscope import wrap
from tests.browser.fakes import GatedAgent

agent = GatedAgent("{folder}", then="{then}")
w = wrap(agent).widget("Tidy the folder", log_to="{folder}/run.jsonl")
w"""
VIEW = ".nbas-root"
PATIENCE_MS = 20_000


class Scene:
    """A notebook in the browser; its first cell shows the widget of a `GatedAgent`.

    Attributes:
        gates: Where the agent waits for the test.
    """

    def __init__(self, browser: Browser, server: JupyterServer, name: str) -> None:
        self.server = server
        self._browser = browser
        self._name = re.sub(r"\W+", "_", name)
        self.folder = server.root / "runs" / self._name
        self.gates = Gates(self.folder)
        self._pages: list[NotebookPage] = []

    @property
    def notebook(self) -> NotebookPage:
        """The page that was opened last."""
        return self._pages[-1]

    def begin(self, then: Literal["end", "ask", "fail"] = "end", *more: str, **options: Any) -> "Locator":
        """Open the notebook, run its first cell, and return the widget's view, which shows the first words."""
        self.open(CELL.format(folder=f"runs/{self._name}", then=then), *more, **options)
        self.notebook.run_cell(0)
        view = self.view(0)
        self.sees(view, "First words")
        return view

    def open(self, *cells: str, **options: Any) -> NotebookPage:
        """Open a new notebook with these cells."""
        name = f"{self._name}.ipynb"
        self.server.write_notebook(name, list(cells))
        self._pages.append(self._browser.open(self.server, name, **options))
        return self.notebook

    def open_existing(self, path: Path, **options: Any) -> NotebookPage:
        """Open a copy of a notebook."""
        self._pages.append(self._browser.open(self.server, self.server.copy_notebook(path).name, **options))
        return self.notebook

    def view(self, cell: int) -> "Locator":
        """The live widget, or the transcript that took its place, in a cell's output."""
        return self.notebook.output(cell).locator(VIEW)

    def button(self, view: "Locator", name: str) -> "Locator":
        """A button by its accessible name."""
        return view.get_by_role("button", name=name)

    def sees(self, view: "Locator", text: str) -> None:
        """Wait until the view shows a text."""
        view.get_by_text(text).first.wait_for(timeout=PATIENCE_MS)

    def until_asked(self, view: "Locator") -> None:
        """Let the agent go on to its question, and wait for the card."""
        self.gates.open("more")
        self.button(view, "Approve once: delete_file").wait_for(timeout=PATIENCE_MS)

    def until_over(self) -> list[dict[str, Any]]:
        """Wait for the end of the reply in the log on disk, and return the events of the log."""
        return wait_until(lambda: (events := self.events()) and _is_over(events) and events, "REPLY_END in the log")

    def events(self) -> list[dict[str, Any]]:
        """The log on disk as far as it is written; a line that is being written is not in it."""
        return read_lines(self.folder / "run.jsonl")

    def decisions(self) -> list[bool]:
        """Every decision the agent was given, in order."""
        lines = read_lines(self.folder / "inputs.jsonl")
        return [confirmed for line in lines for confirmed in line.get("confirmed", [])]

    def close(self) -> None:
        """Close all pages and their kernels."""
        for page in self._pages:
            page.close()


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The complete JSON lines of a file; none if it does not exist."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def types(events: list[dict[str, Any]]) -> list[str]:
    """The types of events, in order."""
    return [event["type"] for event in events]


def _is_over(events: list[dict[str, Any]]) -> bool:
    """Whether the agent's own reply has ended; those of sub-agents end before it."""
    return any(event["type"] == "REPLY_END" and "source" not in event.get("metadata", {}) for event in events)
