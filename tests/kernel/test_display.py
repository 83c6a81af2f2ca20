"""A widget in a real kernel: shown live, frozen at the end, and nothing happens by importing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.conftest import Kernel

pytestmark = pytest.mark.kernel
VIEW = "application/vnd.jupyter.widget-view+json"

AGENT = """
import asyncio
from nb_agentscope.event import *
from nb_agentscope.interop import wrap
from nb_agentscope.message import ToolCallBlock

class Talker:
    name = "Ann"
    def __init__(self, gate=None):
        self.gate = gate
    async def reply_stream(self, inputs):
        yield ReplyStartEvent(session_id="s", reply_id="r", name="Ann")
        yield TextBlockStartEvent(reply_id="r", block_id="b")
        yield TextBlockDeltaEvent(reply_id="r", block_id="b", delta="All **done**.")
        if self.gate is not None:
            await self.gate.wait()
        yield TextBlockEndEvent(reply_id="r", block_id="b")
        yield ReplyEndEvent(session_id="s", reply_id="r")
"""


@pytest.fixture(scope="module")
def ready(kernel: Kernel) -> Kernel:
    kernel.run(AGENT)
    return kernel


def frozen(output: dict[str, Any]) -> bool:
    return VIEW not in output["data"]


def test_importing_does_nothing(kernel: Kernel) -> None:
    code = """
import sys, threading, asyncio
before = (threading.active_count(), set(asyncio.all_tasks()))
import nb_agentscope
loaded = {"pandas", "anywidget", "nest_asyncio2"} & set(sys.modules)
assert (threading.active_count(), set(asyncio.all_tasks())) == before
assert not loaded, loaded
"""
    assert kernel.run(code) == []


def test_displayed_live_and_frozen_when_the_run_ends(ready: Kernel) -> None:
    outputs = ready.run("gate = asyncio.Event(); w = wrap(Talker(gate)).widget('go'); display(w)", cell_id="cell-1")
    assert [output["type"] for output in outputs] == ["display_data"]
    shown = outputs[0]
    assert {VIEW, "text/html", "text/plain"} <= set(shown["data"])
    assert "still going on" in shown["data"]["text/html"]
    ready.run("gate.set()")
    ready.listen(lambda: frozen(shown))
    assert set(shown["data"]) == {"text/html", "text/plain"}
    assert "<strong>done</strong>" in shown["data"]["text/html"]
    assert "<script" not in shown["data"]["text/html"]
    assert "All **done**." in shown["data"]["text/plain"]
    assert sum(len(text.encode()) for text in shown["data"].values()) < 256_000
    assert len(shown["updates"]) == 1


def test_the_updates_are_of_the_cells_that_displayed_and_that_waited(ready: Kernel) -> None:
    """A notebook that is executed without a page takes updates only from the cell that runs."""
    outputs = ready.run("gate = asyncio.Event(); w = wrap(Talker(gate)).widget('go'); display(w)")
    displaying = next(id for id, kept in ready.outputs.items() if kept is outputs)
    waiting = ready.start("gate.set(); msg = await w")
    ready.listen(lambda: ready.done(waiting) and frozen(outputs[0]))
    assert outputs[0]["updates"] == [displaying, waiting]


def test_last_expression_is_displayed_once(ready: Kernel) -> None:
    outputs = ready.run("w = wrap(Talker()).widget('go'); w")
    ready.listen(lambda: frozen(outputs[0]))
    assert len(outputs) == 1


def test_two_displays_are_both_frozen(ready: Kernel) -> None:
    outputs = ready.run("gate = asyncio.Event(); w = wrap(Talker(gate)).widget('go'); display(w); display(w)")
    assert len(outputs) == 2
    ready.run("gate.set(); await w")
    ready.listen(lambda: all(frozen(output) for output in outputs))
    assert all("<strong>done</strong>" in output["data"]["text/html"] for output in outputs)


def test_await_in_the_cell_freezes_before_the_cell_ends(ready: Kernel) -> None:
    outputs = ready.run("w = wrap(Talker()).widget('go'); display(w); msg = await w")
    assert frozen(outputs[0])
    assert ready.run("print(msg.get_text_content())")[0]["text"] == "All **done**.\n"


def test_freeze_can_be_switched_off(ready: Kernel) -> None:
    outputs = ready.run("w = wrap(Talker()).widget('go', freeze=False); display(w); msg = await w")
    assert not frozen(outputs[0])
    later = ready.run("display(w)")
    assert VIEW in later[0]["data"]
    assert "<strong>done</strong>" in later[0]["data"]["text/html"]


def test_a_finished_run_is_displayed_as_its_transcript(ready: Kernel) -> None:
    ready.run("w = wrap(Talker()).widget('go'); msg = await w")
    outputs = ready.run("w")
    assert set(outputs[0]["data"]) == {"text/html", "text/plain"}


def test_current_cell(ready: Kernel) -> None:
    code = "from nb_agentscope.kernel import current_cell, host; print(current_cell(), host())"
    assert ready.run(code, cell_id="abc")[0]["text"] == "abc jupyter\n"
    assert ready.run(code)[0]["text"] == "None jupyter\n"
    background = """
async def later():
    await go.wait()
    seen.append(current_cell())
go = asyncio.Event(); seen = []; task = asyncio.get_running_loop().create_task(later())
"""
    ready.run(background, cell_id="first")
    assert ready.run("go.set(); await task; print(seen)", cell_id="second")[0]["text"] == "['first']\n"


def test_buttons_work_while_the_cell_waits(ready: Kernel) -> None:
    """Stock ipykernel >= 7.4: a message of the page reaches the run while `await w` keeps the cell busy."""
    ready.run("""
class Asking(Talker):
    async def reply_stream(self, inputs):
        if isinstance(inputs, UserConfirmResultEvent):
            yield ReplyEndEvent(session_id="s", reply_id="r")
            return
        yield ReplyStartEvent(session_id="s", reply_id="r", name="Ann")
        yield ToolCallStartEvent(reply_id="r", tool_call_id="c", tool_call_name="rm")
        yield ToolCallEndEvent(reply_id="r", tool_call_id="c")
        yield RequireUserConfirmEvent(reply_id="r", tool_calls=[ToolCallBlock(id="c", name="rm", input="")])
""")
    ready.comm_messages.clear()
    cell = ready.start("w = wrap(Asking()).widget('go'); display(w); msg = await w")
    ready.listen(lambda: [m for m in ready.comm_messages if m["kind"] == "comm_open" and "final" in m["data"]["state"]])
    comm_id = next(
        m["comm_id"] for m in ready.comm_messages if m["kind"] == "comm_open" and "final" in m["data"]["state"]
    )
    for content in ({"type": "hello", "view": "v"}, {"type": "sync", "have": 0}):
        ready.tell(comm_id, {"v": 1, **content})

    def asked() -> list[Any]:
        contents = [m["data"].get("content") or {} for m in ready.comm_messages if m["kind"] == "comm_msg"]
        return [content["pending"][0] for content in contents if content.get("pending")]

    ready.listen(asked)
    call = {key: asked()[-1][key] for key in ("reply_id", "tool_call_id", "digest")}
    ready.tell(comm_id, {"v": 1, "type": "decide", "id": "1", **call, "approved": True})
    ready.listen(lambda: ready.done(cell))
    assert ready.run("print(msg.finished_reason, w.log.records[-2].by)")[0]["text"] == "completed user\n"


def test_an_interrupt_while_the_cell_waits_stops_the_run(ready: Kernel) -> None:
    """Nothing else wakes the loop here, so without a heartbeat the kernel would not notice."""
    cell = ready.start("run = wrap(Talker(asyncio.Event())).start('go'); print('waiting'); await run")
    ready.listen(lambda: any(output.get("text") == "waiting\n" for output in ready.outputs.get(cell, [])))
    ready.interrupt()
    ready.listen(lambda: ready.done(cell))
    assert ready.outputs[cell][-1]["type"] == "error"
    assert ready.run("print(run.status, run.msg.finished_reason)")[0]["text"] == "finished interrupted\n"
    assert ready.run("await wrap(Talker()).start('next')")[0]["type"] == "execute_result"
