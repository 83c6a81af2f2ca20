"""Drives a real JupyterLab through Chromium, as a person would: run cells, click, reload, stop, look.

    with JupyterServer(tmp_path) as server, Browser() as browser:
        server.write_notebook("a.ipynb", ["1 + 1"])
        page = browser.open(server, "a.ipynb")
        page.run_cell(0)
        assert "2" in page.output_text(0)

The server listens on loopback only, without a token, and keeps everything it writes below the folder it is given.
"""

from tests.browser.chromium import Browser, find_chromium
from tests.browser.page import NotebookPage
from tests.browser.server import JupyterServer
from tests.browser.waiting import wait_until

__all__ = ["Browser", "JupyterServer", "NotebookPage", "find_chromium", "wait_until"]
