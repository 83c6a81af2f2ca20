"""The quickstart as a person runs it: Run All, and a click when the card appears."""

from pathlib import Path

import pytest

from tests.browser.harness import wait_until
from tests.browser.scene import Scene

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
APPROVE = "Approve once: delete_file"


def test_run_all_with_a_click_approves_and_ends(scene: Scene):
    scene.server.copy_folder(NOTEBOOKS / "recordings")
    page = scene.open_existing(NOTEBOOKS / "01_quickstart.ipynb")
    show, waited, by_code, log, again, real = (i for i, kind in enumerate(page.cell_types()) if kind == "code")
    page.run_all()
    page.output(show).get_by_role("button", name=APPROVE).click(timeout=90_000)
    wait_until(lambda: "completed" in page.output_text(waited), "the waiting cell has the final message", timeout_s=60)
    assert "nothing else was touched" in page.output_text(waited)
    wait_until(lambda: "asked for delete_file" in page.output_text(by_code), "the run by code has asked", timeout_s=60)
    wait_until(lambda: "'by': 'code'" in page.output_text(log), "the log says who decided", timeout_s=60)
    page.output(again).get_by_text("nothing else was touched").first.wait_for(timeout=60_000)
    pytest.importorskip("agentscope")
    page.output(real).get_by_role("button", name=APPROVE).click(timeout=90_000)
    wait_until(
        lambda: "Files now: regions.csv sales_2026.csv" in page.output_text(real), "the file is gone", timeout_s=60
    )
