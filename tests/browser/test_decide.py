"""Decisions by button in a real JupyterLab: each reaches the agent exactly once."""

import pytest

from tests.browser.scene import Scene, types

CLICK_ALL = "buttons => buttons.forEach(button => button.click())"


def decided(scene: Scene) -> list[dict]:
    """The events of the finished run; exactly one of them is a decision."""
    events = scene.until_over()
    assert types(events).count("USER_CONFIRM_RESULT") == 1
    return events


@pytest.mark.parametrize(
    ("label", "confirmed", "answer"),
    [("Approve once", True, "All tidy now."), ("Deny", False, "I left it there.")],
)
def test_a_button_sends_exactly_one_decision(scene: Scene, label: str, confirmed: bool, answer: str):
    view = scene.begin("ask")
    scene.until_asked(view)
    assert "old.csv" in view.inner_text()
    scene.button(view, f"{label}: delete_file").click()
    scene.sees(view, answer)
    decision = next(event for event in decided(scene) if event["type"] == "USER_CONFIRM_RESULT")
    assert decision["recorded"]["by"] == "user"
    assert scene.decisions() == [confirmed]


def test_a_double_click_is_one_decision(scene: Scene):
    view = scene.begin("ask")
    scene.until_asked(view)
    scene.button(view, "Approve once: delete_file").dblclick()
    decided(scene)
    assert scene.decisions() == [True]


def test_clicks_in_two_views_are_one_decision(scene: Scene):
    view = scene.begin("ask", "w")
    scene.notebook.run_cell(1)
    scene.until_asked(view)
    scene.until_asked(scene.view(1))
    scene.notebook.page.get_by_role("button", name="Approve once: delete_file").evaluate_all(CLICK_ALL)
    decided(scene)
    assert scene.decisions() == [True]


def test_opposite_clicks_in_two_views_leave_the_first(scene: Scene):
    view = scene.begin("ask", "w")
    scene.notebook.run_cell(1)
    scene.until_asked(view)
    scene.until_asked(scene.view(1))
    scene.notebook.page.locator(
        "button[aria-label='Deny: delete_file'], button[aria-label='Approve once: delete_file']"
    ).evaluate_all(CLICK_ALL)
    decided(scene)
    assert scene.decisions() == [False]  # Deny stands before Approve


def test_code_and_button_share_one_decision(scene: Scene):
    view = scene.begin("ask", "w.approve()")
    scene.until_asked(view)
    scene.notebook.run_cell(1)
    scene.sees(view, "All tidy now.")
    assert next(e for e in decided(scene) if e["type"] == "USER_CONFIRM_RESULT")["recorded"]["by"] == "code"
    assert scene.decisions() == [True]
