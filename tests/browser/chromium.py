"""Chromium, without a window."""

import os
import shutil
from types import TracebackType
from typing import Literal, Self

from tests.browser.page import NotebookPage
from tests.browser.server import JupyterServer

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Path of the browser: NBAS_CHROMIUM if set, else the first known name on the PATH, else None."""
    names = (os.environ.get("NBAS_CHROMIUM", ""), *NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)


class Browser:
    """One Chromium process; each opened notebook has a context of its own.

    Raises:
        RuntimeError: On entering, if no Chromium is installed.
    """

    def __enter__(self) -> Self:
        # Here and not above: Playwright starts a loop of its own, and tests without a browser need none of it.
        from playwright.sync_api import sync_playwright

        path = find_chromium()
        if path is None:
            raise RuntimeError(
                "No Chromium found: install it (Debian: apt-get install -y chromium) or set NBAS_CHROMIUM."
            )
        self._playwright = sync_playwright().start()
        self._chromium = self._playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._chromium.close()
        self._playwright.stop()

    def open(
        self,
        server: JupyterServer,
        name: str,
        *,
        flavor: Literal["lab", "notebook"] = "lab",
        size: tuple[int, int] = (1280, 1600),
        scale: float = 1,
    ) -> NotebookPage:
        """Open a notebook and wait until its kernel is idle; `size` is in CSS pixels."""
        context = self._chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale, color_scheme="light"
        )
        page = NotebookPage(context.new_page(), server.url, name, flavor)
        page.goto()
        return page
