"""The notebook about agents as a person runs it: Run All, and two clicks."""

from pathlib import Path

from tests.browser.harness import wait_until
from tests.browser.scene import Scene

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "02_agent.ipynb"
APPROVE = "Approve once: delete_file"


def test_run_all_with_two_clicks_leaves_what_the_last_cell_lists(scene: Scene):
    page = scene.open_existing(NOTEBOOK)
    code = [i for i, kind in enumerate(page.cell_types()) if kind == "code"]
    _, _, show, waited, _, by_code, _, _, nested, *_, disk = code
    page.run_all()
    page.output(show).get_by_role("button", name=APPROVE).click(timeout=90_000)
    wait_until(lambda: "success success success" in page.output_text(waited), "the waiting cell goes on", timeout_s=60)
    assert "export_2022" not in page.output_text(waited)
    wait_until(lambda: "checked by hand" in page.output_text(by_code), "code has decided twice", timeout_s=60)
    card = page.output(nested).get_by_role("group", name="Approval needed: Friday \u203a cleaner \u203a delete_file")
    card.get_by_role("button", name=APPROVE).click(timeout=60_000)
    wait_until(lambda: "['notes.md', 'run.jsonl', 'summary.md']" in page.output_text(disk), "the end", timeout_s=60)
    assert "decided by user" in page.output_text(disk)
