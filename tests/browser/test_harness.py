"""The harness itself: a cell runs, its output is read, the page survives a reload."""

from tests.browser.harness import Browser, JupyterServer


def test_a_cell_runs_and_the_package_is_the_one_of_this_repository(browser: Browser, server: JupyterServer):
    server.write_notebook("harness.ipynb", ["import nb_agentscope, sys; print(nb_agentscope.__file__)", "6 * 7"])
    page = browser.open(server, "harness.ipynb")
    assert "nb_agentscope/__init__.py" in page.run_cell(0)
    assert "42" in page.run_cell(1)
    page.reload()
    page.execute("kept = 1")
    page.wait_idle()
    page.save()
    assert server.read_notebook("harness.ipynb")["cells"][0]["cell_type"] == "code"
    page.close()
