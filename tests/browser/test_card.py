"""The approval card of a sub-agent's call in a real JupyterLab: what is pressed and typed reaches the agent as it was meant."""

import json

import pytest

from tests.browser.scene import PATIENCE_MS, Scene

CELL = """\
from nb_agentscope import wrap
from tests.browser.nesting import SCHEMA, NestingAgent

agent = NestingAgent()
w = wrap(agent).widget("Tidy the folder", tool_schemas={"assistant/researcher/delete_file": SCHEMA})
w"""
ANSWER = """\
[answer] = agent.answers
[result] = answer.confirm_results
import json
print(json.dumps({
    "reply": answer.reply_id, "confirmed": result.confirmed, "input": result.tool_call.input,
    "rules": [rule.rule_content for rule in result.rules or []], "note": answer.metadata.get("nb_agentscope.note"),
}))"""
ASKED = '{"file": "data/old.csv", "force": true}'


@pytest.fixture
def view(scene: Scene):
    scene.open(CELL, ANSWER)
    scene.notebook.run_cell(0)
    view = scene.view(0)
    scene.button(view, "Approve once: delete_file").wait_for(timeout=PATIENCE_MS)
    return view


def answer(scene: Scene) -> dict:
    return json.loads(scene.notebook.run_cell(1))


def expected(**changes: object) -> dict:
    return {"reply": "reply-nested", "confirmed": True, "input": ASKED, "rules": [], "note": None} | changes


def test_the_card_and_the_group_say_who_asks(view):
    assert "assistant \u203a researcher \u203a delete_file wants to run" in view.locator(".nbas-ask").inner_text()
    group = view.locator(".nbas-tool .nbas-lane")
    assert "old.csv is from 2019" in group.inner_text()
    assert "Waiting for you" in group.locator("summary").first.inner_text()


def test_a_note_goes_with_deny(scene: Scene, view):
    note = view.get_by_label("Why delete_file is denied")
    note.click()
    scene.notebook.page.keyboard.type("ddab x")  # in command mode, these would delete and add cells
    note.press("Enter")
    scene.sees(view, "I left it there.")
    assert scene.notebook.cell_types() == ["code", "code"]
    assert answer(scene) == expected(confirmed=False, note="ddab x")


def test_a_ticked_rule_goes_with_the_approval(scene: Scene, view):
    scene.button(view, "Approve and always allow…: delete_file").click()
    view.get_by_label("anything below data/").check()
    scene.button(view, "Approve and allow: delete_file").click()
    scene.sees(view, "All tidy now.")
    assert answer(scene) == expected(rules=["data/**"])


def test_a_refused_edit_stays_open_and_a_good_one_runs(scene: Scene, view):
    scene.button(view, "Edit…: delete_file").click()
    field = view.get_by_label("Arguments of delete_file, as JSON")
    field.fill('{"file": 7}')
    scene.button(view, "Run edited: delete_file").click()
    scene.sees(view, "do not fit its schema at $.file: 7 is not of type 'string'.")
    assert field.input_value() == '{"file": 7}'
    assert field.evaluate("field => field.getRootNode().activeElement === field")
    field.fill('{"file": "data/older.csv"}')
    scene.button(view, "Run edited: delete_file").dblclick()
    scene.sees(view, "All tidy now.")
    assert answer(scene) == expected(input='{"file": "data/older.csv"}')


def test_shift_enter_in_a_field_runs_no_cell(scene: Scene, view):
    scene.button(view, "Edit…: delete_file").click()
    view.get_by_label("Arguments of delete_file, as JSON").press("Shift+Enter")
    view.get_by_label("Arguments of delete_file, as JSON").press("Escape")
    scene.button(view, "Edit…: delete_file").wait_for(timeout=PATIENCE_MS)
    assert scene.button(view, "Edit…: delete_file").evaluate("b => b.getRootNode().activeElement === b")
    assert scene.notebook.js("return panel.content.widgets[0].model.executionCount;") == 1
