"""Decisions by button in a real JupyterLab: each reaches the agent exactly once."""

import pytest

from nb_agentscope.analysis import approvals_df
from nb_agentscope.stream import SHOWN_NAME
from tests.browser.harness import wait_until
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


def named(events: list[dict], name: str) -> list[dict]:
    return [event for event in events if event.get("name") == name]


def test_the_log_knows_when_the_question_was_seen(scene: Scene):
    view = scene.begin("ask", "w")
    scene.notebook.run_cell(1)  # two views of it are one page: it is told once
    scene.until_asked(view)
    wait_until(lambda: named(scene.events(), SHOWN_NAME), "the page has told that the card is seen")
    scene.notebook.reload()  # and another page changes nothing
    scene.notebook.execute("w.approve()")
    events = decided(scene)
    [shown] = named(events, SHOWN_NAME)
    assert shown["recorded"]["dir"] == "in"
    row = approvals_df(events).iloc[0]
    assert row["asked_at"] <= row["shown_at"] <= row["decided_at"]
    assert row["reaction_s"] <= row["wait_s"]


def test_a_card_out_of_sight_was_not_seen(scene: Scene):
    view = scene.begin("ask")
    view.evaluate("view => { view.style.display = 'none'; }")
    scene.gates.open("more")
    wait_until(lambda: "REQUIRE_USER_CONFIRM" in types(scene.events()), "it asks")
    scene.notebook.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    scene.notebook.execute("w.approve()")
    events = decided(scene)
    assert named(events, SHOWN_NAME) == []
    assert approvals_df(events)["shown_at"].isna().all()
