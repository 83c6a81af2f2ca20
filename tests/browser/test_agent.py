"""Our own agent in a real JupyterLab: approved, denied, changed and stopped, with what it did to the disk."""

import json

import pytest

from tests.browser.harness import wait_until
from tests.browser.scene import Scene, read_lines, types
from tests.browser.workshop import AFTER, CHANGED, TEXT, sha256

CELL = """\
from tests.browser.workshop import make_agent

agent = make_agent("{folder}", "{what}")
w = agent.widget("Write a greeting", log_to="{folder}/run.jsonl")
w"""
AGAIN = 'again = agent.widget("And now?", log_to="{folder}/again.jsonl")\nagain'
EDIT = 'w.approve(input={{"file": {file!r}, "text": {text!r}}})'
APPROVE, DENY = "Approve once: write_file", "Deny: write_file"


def begin(scene: Scene, what: str, *more: str):
    """Open a notebook with the agent `what`, run its first cell, and return the view."""
    folder = f"runs/{scene.folder.name}"
    scene.open(CELL.format(folder=folder, what=what), *more, AGAIN.format(folder=folder))
    scene.notebook.run_cell(0)
    return scene.view(0)


def begin_asked(scene: Scene, what: str = "write", *more: str):
    """As `begin`, up to the card; so far nothing was called."""
    view = begin(scene, what, *more)
    scene.button(view, APPROVE).wait_for(timeout=30_000)
    assert calls(scene) == []
    return view


def calls(scene: Scene) -> list[str]:
    """Every call that a tool of the agent has written down, in order."""
    return [line["tool"] for line in read_lines(scene.folder / "calls.jsonl")]


def on_disk(scene: Scene, file: str) -> str:
    return sha256((scene.folder / file).read_bytes())


def result_states(events: list[dict]) -> list[str]:
    return [event["state"] for event in events if event["type"] == "TOOL_RESULT_END"]


def stopped(scene: Scene, view, gate: str) -> list[dict]:
    """Stop when the agent hangs at the gate, and return the events up to the end, which comes while it is still shut."""
    wait_until(lambda: scene.gates.reached(gate), f"the agent stands at the gate {gate!r}")
    scene.button(view, "Stop").click()
    events = scene.until_over()
    assert types(events).count("REPLY_END") == 1
    assert events[-1]["finished_reason"] == "interrupted"
    return events


def answers_again(scene: Scene) -> None:
    """A second message to the same agent is answered, though what hung in the first reply may still hang."""
    cell = len(scene.notebook.cell_types()) - 1
    scene.notebook.run_cell(cell)
    scene.sees(scene.view(cell), AFTER)
    ends = wait_until(
        lambda: [e for e in read_lines(scene.folder / "again.jsonl") if e["type"] == "REPLY_END"], "the second end"
    )
    assert [end["finished_reason"] for end in ends] == ["completed"]


def test_an_approved_call_runs_once_and_does_exactly_what_was_shown(scene: Scene):
    view = begin_asked(scene)
    assert "Grüße aus dem Notizbuch" in view.inner_text()
    assert not (scene.folder / "greeting.txt").exists()
    scene.button(view, APPROVE).dblclick()
    events = scene.until_over()
    scene.sees(view, "That is all.")
    assert on_disk(scene, "greeting.txt") == sha256(TEXT.encode())
    assert calls(scene) == ["write_file"]
    assert types(events).count("USER_CONFIRM_RESULT") == 1
    assert result_states(events) == ["success"]
    answers_again(scene)
    assert calls(scene) == ["write_file"]


def test_a_denied_call_never_runs(scene: Scene):
    view = begin_asked(scene)
    scene.button(view, DENY).click()
    events = scene.until_over()
    scene.sees(view, "That is all.")
    assert result_states(events) == ["denied"]
    answers_again(scene)
    assert calls(scene) == []
    assert not (scene.folder / "greeting.txt").exists()


def test_a_call_that_code_changes_while_the_card_shows_runs_as_changed(scene: Scene):
    view = begin_asked(scene, "write", EDIT.format(file="greeting.txt", text=CHANGED))
    scene.notebook.run_cell(1)
    events = scene.until_over()
    scene.sees(view, "That is all.")
    scene.button(view, APPROVE).wait_for(state="detached")
    assert on_disk(scene, "greeting.txt") == sha256(CHANGED.encode())
    assert calls(scene) == ["write_file"]
    decision = next(event for event in events if event["type"] == "USER_CONFIRM_RESULT")
    assert decision["recorded"]["by"] == "code"


def test_a_change_that_a_rule_denies_is_refused_and_the_card_stays(scene: Scene):
    rule = {"tool_name": "write_file", "rule_content": "secrets/**", "behavior": "deny", "source": "test"}
    edit = EDIT.format(file="secrets/key.txt", text=CHANGED)
    view = begin_asked(scene, "write", f"agent.add_rule({json.dumps(rule)})\n{edit}")
    assert "a rule denies it" in scene.notebook.run_cell(1)
    assert calls(scene) == []
    scene.button(view, APPROVE).click()
    scene.until_over()
    assert on_disk(scene, "greeting.txt") == sha256(TEXT.encode())
    assert calls(scene) == ["write_file"]


def test_stop_ends_an_async_tool_where_it_stands(scene: Scene):
    view = begin(scene, "wait")
    assert result_states(stopped(scene, view, "tool")) == ["interrupted"]
    scene.gates.open("tool")
    answers_again(scene)
    assert calls(scene) == ["wait"]
    assert not (scene.folder / "late.txt").exists()


@pytest.mark.parametrize("what", ["hang", "swallow"])
def test_stop_ends_a_model_that_hangs(scene: Scene, what: str):
    view = begin(scene, what)
    scene.sees(view, "Let me think")
    events = stopped(scene, view, "model")
    assert (scene.folder / "swallowed").exists() == (what == "swallow")
    scene.sees(view, "Let me think")
    answers_again(scene)
    assert len(events) == len(scene.events())
    assert calls(scene) == []


def test_stop_ends_the_reply_while_a_thread_still_blocks(scene: Scene):
    view = begin(scene, "block")
    events = stopped(scene, view, "tool")
    assert result_states(events) == ["interrupted"]
    assert any("may still take effect" in event.get("delta", "") for event in events)
    answers_again(scene)
    assert not (scene.folder / "late.txt").exists()
    scene.gates.open("tool")
    wait_until((scene.folder / "late.txt").exists, "the thread goes on")
    assert on_disk(scene, "late.txt") == sha256(TEXT.encode())
    assert calls(scene) == ["block"]
    scene.notebook.execute("pass")
    assert len(events) == len(scene.events())


def test_a_sub_agents_call_is_approved_by_button(scene: Scene):
    view = begin(scene, "lead")
    card = view.get_by_role("group", name="Approval needed: Friday \u203a scribe \u203a write_file")
    scene.button(card, APPROVE).wait_for(timeout=30_000)
    assert calls(scene) == []
    scene.button(card, APPROVE).click()
    events = scene.until_over()
    scene.sees(view, "The scribe is done.")
    assert on_disk(scene, "greeting.txt") == sha256(TEXT.encode())
    assert calls(scene) == ["write_file"]
    assert types(events).count("REPLY_END") == 2
    assert types(events)[-1] == "REPLY_END"


def test_a_note_in_the_card_changes_what_the_agent_does(scene: Scene):
    view = begin_asked(scene, "lead")
    view.get_by_role("textbox", name="Why write_file is denied").fill("Write it to letter.txt, please.")
    scene.button(view, DENY).click()
    scene.sees(view, "Then a letter.")
    card = view.get_by_role("group", name="Approval needed: Friday \u203a scribe \u203a write_file")
    scene.button(card.filter(has_text="letter.txt"), APPROVE).click()
    events = scene.until_over()
    scene.sees(view, "The scribe is done.")
    assert result_states([e for e in events if "source" in e["metadata"]]) == ["denied", "success"]
    assert not (scene.folder / "greeting.txt").exists()
    assert on_disk(scene, "letter.txt") == sha256(TEXT.encode())
    assert calls(scene) == ["write_file"]
