"""One Jupyter server and one browser for all tests of this folder."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.harness import Browser, JupyterServer, find_chromium
from tests.browser.scene import Scene

HERE = Path(__file__).parent
MISSING = "No Chromium found: install it (Debian: apt-get install -y chromium) or set NBAS_CHROMIUM to its path."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


# Scope "package": Playwright keeps a loop running in this thread, which the async tests after this folder cannot bear.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if find_chromium() is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    with JupyterServer(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture
def scene(browser: Browser, server: JupyterServer, request: pytest.FixtureRequest) -> Iterator[Scene]:
    scene = Scene(browser, server, request.node.name)
    yield scene
    scene.close()
