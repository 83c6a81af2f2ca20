"""One open notebook page."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.browser.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PANEL = """
  const app = window.jupyterapp;
  const panel = [...app.shell.widgets('main')].find(w => w.content && w.content.model && w.content.widgets);
"""
STATUS = "return panel?.sessionContext?.session?.kernel?.status ?? 'none';"


class NotebookPage:
    """Runs cells, reads outputs and presses keys in one notebook.

    Attributes:
        page: The Playwright page, for everything that is not here.
        console: What the page wrote to the browser's console, uncaught errors included.
    """

    def __init__(self, page: "Page", server_url: str, name: str, flavor: Literal["lab", "notebook"]) -> None:
        self.page = page
        self.console: list[str] = []
        self._url = server_url + (f"/lab/tree/{name}?reset" if flavor == "lab" else f"/notebooks/{name}")
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"pageerror: {error}"))
        page.on("dialog", lambda dialog: dialog.accept())

    def goto(self) -> None:
        """Load the page and wait until notebook and kernel are there."""
        self.page.goto(self._url)
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
        wait_until(lambda: self.kernel_status() in ("idle", "busy"), "a kernel is connected", timeout_s=90)

    def reload(self) -> None:
        """Load the page again, as F5 does; the kernel goes on."""
        self.goto()

    def js(self, body: str, argument: Any = None) -> Any:
        """Evaluate JavaScript in the page; `app` and `panel` are JupyterLab and this notebook, `arg` the argument."""
        return self.page.evaluate("async (arg) => {" + PANEL + body + "}", argument)

    def kernel_status(self) -> str:
        """The kernel's status as JupyterLab knows it, "none" while there is no kernel."""
        return str(self.js(STATUS))

    def wait_idle(self, timeout_s: float = 60.0) -> None:
        """Wait until the kernel has nothing to do."""
        wait_until(lambda: self.kernel_status() == "idle", "the kernel is idle", timeout_s=timeout_s)

    def cell_types(self) -> list[str]:
        """The type of each cell: code, markdown or raw."""
        types: list[str] = self.js("return panel.content.widgets.map(cell => cell.model.type);")
        return types

    def cell(self, index: int) -> "Locator":
        """The cell with this number, from 0."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def output(self, index: int) -> "Locator":
        """All outputs of a cell."""
        return self.cell(index).locator(".jp-Cell-outputWrapper")

    def output_text(self, index: int) -> str:
        """The visible text of a cell's outputs."""
        return self.output(index).inner_text()

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """The outputs of a cell as they would be saved."""
        outputs: list[dict[str, Any]] = self.js("return panel.content.widgets[arg].model.outputs.toJSON();", index)
        return outputs

    def start_cell(self, index: int) -> None:
        """Run a cell as Shift+Enter does; returns at once."""
        self.js(
            "panel.content.activeCellIndex = arg; panel.content.mode = 'command';"
            "void app.commands.execute('notebook:run-cell');",
            index,
        )

    def run_cell(self, index: int, timeout_s: float = 60.0) -> str:
        """Run a cell, wait for its end and return the text of its outputs."""
        before = self._execution_count(index)
        self.start_cell(index)
        wait_until(
            lambda: self._execution_count(index) not in (None, before), f"cell {index} runs", timeout_s=timeout_s
        )
        self.wait_idle(timeout_s)
        return self.output_text(index)

    def run_all(self) -> None:
        """Run all cells, one after the other; returns at once."""
        self.js("void app.commands.execute('notebook:run-all-cells');")

    def execute(self, code: str) -> None:
        """Let the kernel execute code that no cell shows, and wait for its end."""
        self.js("await panel.sessionContext.session.kernel.requestExecute({code: arg}).done;", code)

    def interrupt(self) -> None:
        """Kernel > Interrupt."""
        self.js("await panel.sessionContext.session.kernel.interrupt();")

    def restart(self) -> None:
        """Kernel > Restart."""
        self.js("await panel.sessionContext.session.kernel.restart();")
        self.wait_idle()

    def save(self) -> None:
        """File > Save."""
        self.js("await panel.context.save();")

    def screenshot(self, path: Path) -> None:
        """Write a picture of what is visible."""
        self.page.screenshot(path=str(path))

    def close(self) -> None:
        """Shut the kernel down and close the page."""
        self.js("await panel.sessionContext.shutdown();")
        self.page.context.close()

    def _execution_count(self, index: int) -> int | None:
        count: int | None = self.js("return panel.content.widgets[arg].model.executionCount;", index)
        return count
