"""A live run in a real JupyterLab: what is seen while it runs, after a reload, after Stop, after a failure."""

from tests.browser.harness import wait_until
from tests.browser.scene import Scene, types


def test_text_appears_while_the_stream_runs(scene: Scene):
    view = scene.begin()
    assert "last words" not in view.inner_text()
    assert "REPLY_END" not in types(scene.events())
    scene.gates.open("more")
    scene.sees(view, "and the last words.")
    assert types(scene.until_over())[-1] == "REPLY_END"


def test_a_reload_in_mid_run_shows_everything_and_goes_on(scene: Scene):
    scene.begin("ask")
    scene.notebook.save()
    scene.notebook.page.goto("about:blank")
    scene.gates.open("more")
    wait_until(lambda: "REQUIRE_USER_CONFIRM" in types(scene.events()), "the agent asks while no page is there")
    scene.notebook.reload()
    view = scene.view(0)
    scene.sees(view, "First words and the last words.")
    scene.button(view, "Approve once: delete_file").click()
    scene.sees(view, "All tidy now.")
    scene.until_over()
    assert scene.decisions() == [True]


def test_stop_ends_with_an_interrupted_reply(scene: Scene):
    view = scene.begin()
    scene.button(view, "Stop").click()
    end = scene.until_over()[-1]
    assert (end["type"], end["finished_reason"]) == ("REPLY_END", "interrupted")
    scene.sees(view, "First words")
    assert scene.gates.reached("more")


def test_a_failing_stream_shows_its_error_and_keeps_its_text(scene: Scene):
    view = scene.begin("fail")
    scene.gates.open("more")
    scene.sees(view, "The model service closed the connection after 18 tokens.")
    scene.sees(view, "First words and the last words.")
    end = scene.until_over()[-1]
    assert end["finished_reason"] == "error"
    assert end["error"]["message"] == "ConnectionError: The model service closed the connection after 18 tokens."


def test_the_saved_notebook_holds_the_transcript_and_no_widget(scene: Scene):
    live = scene.begin().bounding_box()
    scene.gates.open("more")
    scene.until_over()
    page = scene.notebook
    wait_until(
        lambda: "application/vnd.jupyter.widget-view+json" not in page.outputs(0)[0]["data"], "the display is frozen"
    )
    frozen = scene.view(0).bounding_box()
    assert live is not None
    assert frozen is not None
    assert (frozen["x"], frozen["y"], frozen["width"]) == (live["x"], live["y"], live["width"])
    page.save()
    (output,) = scene.server.read_notebook(f"{scene.folder.name}.ipynb")["cells"][0]["outputs"]
    html = "".join(output["data"]["text/html"])
    assert "First words and the last words." in html
    assert "<script" not in html
    assert "application/vnd.jupyter.widget-view+json" not in output["data"]


def test_a_cell_that_waits_can_be_answered_by_a_click(scene: Scene):
    view = scene.begin("ask", "reply = await w\nprint(reply.get_text_content())")
    scene.notebook.start_cell(1)
    scene.until_asked(view)
    scene.button(view, "Approve once: delete_file").click()
    wait_until(lambda: "All tidy now." in scene.notebook.output_text(1), "the waiting cell prints the answer")
    assert scene.decisions() == [True]
