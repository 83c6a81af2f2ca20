"""A real AgentScope agent in a real JupyterLab: a tool that writes a file, approved and denied by button."""

import hashlib
import json

import pytest

from tests.browser.scene import Scene, types

pytest.importorskip("agentscope")

TEXT = "Grüße aus dem Notizbuch\n"
CELL = """\
from nb_agentscope import wrap
from tests.agentscope_fixture import make_agent, says, uses

call = uses("write_file", {arguments!r})
agent = make_agent("{folder}", call, says("That is ", "all."))
w = wrap(agent).widget("Write a greeting", log_to="{folder}/run.jsonl")
w"""


def begin(scene: Scene):
    arguments = json.dumps({"path": "greeting.txt", "text": TEXT})
    scene.open(CELL.format(folder=f"runs/{scene.folder.name}", arguments=arguments))
    scene.notebook.run_cell(0)
    view = scene.view(0)
    scene.button(view, "Approve once: write_file").wait_for(timeout=30_000)
    assert not (scene.folder / "greeting.txt").exists()
    return view


def test_an_approved_tool_has_written_exactly_what_was_shown(scene: Scene):
    view = begin(scene)
    assert "Grüße aus dem Notizbuch" in view.inner_text()
    scene.button(view, "Approve once: write_file").click()
    scene.sees(view, "That is all.")
    written = (scene.folder / "greeting.txt").read_bytes()
    assert hashlib.sha256(written).hexdigest() == hashlib.sha256(TEXT.encode()).hexdigest()
    events = scene.until_over()
    assert types(events).count("USER_CONFIRM_RESULT") == 1
    assert events[-1]["finished_reason"] == "completed"


def test_a_denied_tool_has_written_nothing(scene: Scene):
    view = begin(scene)
    scene.button(view, "Deny: write_file").click()
    scene.sees(view, "That is all.")
    events = scene.until_over()
    assert not (scene.folder / "greeting.txt").exists()
    assert [event["state"] for event in events if event["type"] == "TOOL_RESULT_END"] == ["denied"]
