"""The widget's side of the conversation, without a kernel."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from nb_agentscope.event import (
    DataBlockDeltaEvent,
    DataBlockEndEvent,
    DataBlockStartEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    RequireUserConfirmEvent,
    TextBlockDeltaEvent,
    TextBlockStartEvent,
    ToolCallDeltaEvent,
    ToolCallStartEvent,
)
from nb_agentscope.message import ErrorInfo, ToolCallBlock
from nb_agentscope.run._transcript import Transcript
from nb_agentscope.stream import EventLog
from nb_agentscope.widget import AgentWidget, LogView
from tests.widget.fakes import FakeRun, Wire, until

Ask = Callable[..., None]


def begin(run: FakeRun, text: str = "Hello") -> None:
    run.emit(
        ReplyStartEvent(session_id="s", reply_id="r", name="Ann"),
        TextBlockStartEvent(reply_id="r", block_id="b"),
        TextBlockDeltaEvent(reply_id="r", block_id="b", delta=text),
    )


def finish(run: FakeRun) -> None:
    run.emit(ReplyEndEvent(session_id="s", reply_id="r"))
    run.become("finished")


async def test_hello_then_sync_then_batches(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    begin(run)
    assert not run.frontend_seen
    ask(widget, "hello", view="v")
    ask(widget, "sync", have=0)
    await until(lambda: wire.messages)
    assert run.frontend_seen
    snapshot = wire.messages[0]
    assert (snapshot["type"], snapshot["seq"], snapshot["status"], snapshot["live"]) == ("snapshot", 3, "running", True)
    assert snapshot["msgs"] == [json.loads(run.msg.model_dump_json())]
    assert snapshot["progress"]["agent"] == "Ann"
    finish(run)
    await until(lambda: wire.of("batch") and wire.messages[-1]["status"] == "finished")
    assert wire.of("batch")[0]["seq0"] == 3
    assert wire.messages[-1]["seq1"] == 4
    assert [message["n"] for message in wire.messages] == list(range(1, len(wire.messages) + 1))


async def test_requests_reach_the_run_and_are_answered(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    call = {"reply_id": "r", "tool_call_id": "c", "digest": "d"}
    ask(widget, "decide", id="1", **call, approved=True, input=None, rules=None, note=None)
    ask(widget, "decide", id="2", **call, approved=False, note="no")
    ask(widget, "result", id="3", **call, output="42", state="success")
    ask(widget, "stop", id="4")
    await until(lambda: len(wire.messages) == 4)
    assert [(message["type"], message["id"]) for message in wire.messages] == [("ack", str(i)) for i in (1, 2, 3, 4)]
    bound = {"reply_id": "r", "digest": "d", "by": "user"}
    assert run.calls == [
        ("approve", "c", {"input": None, "rules": None, **bound}),
        ("deny", "c", {"note": "no", **bound}),
        ("submit_result", "c", "42", {"state": "success", **bound}),
        ("stop", {"by": "user"}),
    ]


async def test_a_repeated_request_is_answered_and_not_repeated(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    for _ in range(3):
        ask(widget, "stop", id="same")
    await until(lambda: len(wire.messages) == 3)
    assert len(run.calls) == 1
    assert {message["type"] for message in wire.messages} == {"ack"}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("Already decided."), "Already decided."),
        (RuntimeError("boom"), "RuntimeError: boom"),
        (KeyError("c"), "c"),
    ],
)
async def test_what_goes_wrong_is_the_answer(wire: Wire, ask: Ask, error: Exception, reason: str) -> None:
    run = FakeRun()
    run.refuse = error
    widget = AgentWidget(run)
    ask(widget, "stop", id="1")
    await until(lambda: wire.messages)
    assert wire.messages[0] == {"v": 1, "type": "refused", "n": 1, "id": "1", "reason": reason, "earlier": None}


async def test_a_bad_message_is_refused_in_one_sentence(wire: Wire, ask: Ask) -> None:
    widget = AgentWidget(FakeRun())
    ask(widget, "decide", id="7")
    ask(widget, "nonsense")
    await until(lambda: len(wire.messages) == 2)
    assert [(m["type"], m["id"]) for m in wire.messages] == [("refused", "7"), ("refused", "")]
    assert all("\n" not in message["reason"] for message in wire.messages)


async def test_callbacks_may_come_on_any_thread(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    threads: list[int] = []
    run.stop = lambda **_: threads.append(threading.get_ident())  # type: ignore[method-assign]
    widget = AgentWidget(run)
    others = [threading.Thread(target=ask, args=(widget, "stop"), kwargs={"id": str(i)}) for i in range(5)]
    for thread in others:
        thread.start()
    for thread in others:
        thread.join()
    await until(lambda: len(wire.messages) == 5)
    assert set(threads) == {threading.get_ident()}


def test_without_a_loop_answers_come_at_once(wire: Wire, ask: Ask) -> None:
    log = EventLog()
    log.append(ReplyStartEvent(session_id="s", reply_id="r", name="Ann"))
    widget = AgentWidget(LogView(log))
    ask(widget, "sync", have=0)
    ask(widget, "stop", id="1")
    assert [message["type"] for message in wire.messages] == ["snapshot", "refused"]
    assert wire.messages[0]["live"] is False
    assert "loaded log" in wire.messages[1]["reason"]


def test_a_loaded_log_tells_what_its_run_told() -> None:
    log = EventLog()
    run = Transcript(log)
    lost_start = [
        TextBlockDeltaEvent(reply_id="r", block_id="b", delta="Hi"),
        ReplyEndEvent(session_id="s", reply_id="r"),
    ]
    for event in lost_start:
        run.write(event)
    assert LogView(log).progress == run.progress
    assert run.progress.reply_id == "r"


async def test_pending_calls_travel_with_their_digest(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    ask(widget, "sync", have=0)
    await until(lambda: wire.messages)
    begin(run)
    call = ToolCallBlock(id="c", name="rm", input='{"path": "x"}')
    run.pending = [
        {"reply_id": "r", "tool_call_id": "c", "name": "rm", "input": call.input, "digest": "d", "kind": "confirm"}
    ]
    run.emit(RequireUserConfirmEvent(reply_id="r", tool_calls=[call]))
    run.become("waiting")
    await until(lambda: wire.of("batch") and wire.messages[-1]["status"] == "waiting")
    sent = [message["pending"] for message in wire.of("batch") if message["pending"]]
    assert [pending[0]["digest"] for pending in sent] == ["d"]


async def test_bytes_are_withheld_and_fetched(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    run.emit(
        ReplyStartEvent(session_id="s", reply_id="r", name="Ann"),
        DataBlockStartEvent(reply_id="r", block_id="d", media_type="image/png"),
        DataBlockDeltaEvent(reply_id="r", block_id="d", media_type="image/png", data="QUJD" * 8_192),
        DataBlockEndEvent(reply_id="r", block_id="d"),
    )
    ask(widget, "sync", have=0)
    ask(widget, "fetch", id="1", reply_id="r", block_id="d", tool_call_id=None)
    ask(widget, "fetch", id="2", reply_id="r", block_id="other", tool_call_id=None)
    await until(lambda: len(wire.messages) == 3)
    snapshot = wire.of("snapshot")[0]
    assert snapshot["msgs"][0]["content"][0]["source"] == {
        "type": "base64",
        "data": "",
        "media_type": "image/png",
        "withheld": 24_576,
    }
    ack, index = wire.of("ack")[0], wire.messages.index(wire.of("ack")[0])
    assert (ack["id"], ack["media_type"], wire.buffers[index]) == ("1", "image/png", [b"ABC" * 8_192])
    assert "no data block 'other'" in wire.of("refused")[0]["reason"]


async def test_the_end_sets_final_once(wire: Wire) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    begin(run)
    assert widget.final == ""
    changes: list[Any] = []
    widget.observe(changes.append, "final")
    finish(run)
    assert len(changes) == 1
    final = json.loads(widget.final)
    assert final["msgs"] == [json.loads(run.msg.model_dump_json())]
    assert (final["status"], final["seq"], final["elapsed_s"]) == ("finished", 4, 1.5)


async def test_final_and_transcript_stay_small(wire: Wire) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    begin(run, "word " * 200_000)
    for number in range(300):
        run.emit(
            ToolCallStartEvent(reply_id="r", tool_call_id=f"c{number}", tool_call_name="tool"),
            ToolCallDeltaEvent(reply_id="r", tool_call_id=f"c{number}", delta=json.dumps({"text": "é" * 2_000})),
        )
    finish(run)
    static = widget._repr_mimebundle_()
    static = static[0] if isinstance(static, tuple) else static
    size = len(widget.final.encode()) + sum(len(str(value).encode()) for value in static.values())
    assert 10_000 < size <= 256_000
    final = json.loads(widget.final)
    assert final["msgs"][0]["content"]


async def test_a_reply_that_failed_says_so_everywhere(wire: Wire, ask: Ask) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    ask(widget, "sync", have=0)
    await until(lambda: wire.messages)
    begin(run)
    error = ErrorInfo(type="internal", message="ZeroDivisionError: <b>division</b>")
    run.emit(ReplyEndEvent(session_id="s", reply_id="r", finished_reason="error", error=error))
    run.become("finished")
    await until(lambda: wire.of("batch") and wire.messages[-1]["status"] == "finished")
    events = [event for batch in wire.of("batch") for event in batch["events"]]
    assert events[-1]["error"] == {"type": "internal", "message": "ZeroDivisionError: <b>division</b>"}
    html = widget._static()["text/html"]
    assert "ZeroDivisionError: &lt;b&gt;division" in html
    assert "ZeroDivisionError" in widget._static()["text/plain"]


async def test_a_log_that_cannot_be_written_is_said_once(wire: Wire, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    ask(widget, "sync", have=0)
    await until(lambda: wire.messages)

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run.log, "flush", full)
    begin(run)
    finish(run)
    await until(lambda: wire.of("batch") and wire.messages[-1]["status"] == "finished")
    assert [("No space left" in message["reason"], message["id"]) for message in wire.of("refused")] == [(True, "")]


async def test_repr_is_short_however_long_the_run(wire: Wire) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    run.emit(ReplyStartEvent(session_id="s", reply_id="r", name="A" * 10_000))
    begin_text = repr(widget)
    assert len(begin_text) < 200
    assert "running" in begin_text


async def test_live_bundle_is_a_stub_and_finished_one_is_cached(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    begin(run, "secret words")
    live = _data(widget._repr_mimebundle_())
    assert set(live) >= {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert "secret words" not in live["text/html"]
    assert len(live["text/html"]) < 1_000
    finish(run)
    finished = _data(widget._repr_mimebundle_())
    assert "secret words" in finished["text/html"]
    assert _data(widget._repr_mimebundle_())["text/html"] is finished["text/html"]


async def test_colab_gives_metadata_and_keeps_it(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    import anywidget

    mime = "application/vnd.jupyter.widget-view+json"
    pair = ({mime: {"model_id": "m"}}, {mime: {"colab": {"custom_widget_manager": {"url": "u"}}}})
    monkeypatch.setattr(anywidget.AnyWidget, "_repr_mimebundle_", lambda self, **_: pair)
    data, metadata = AgentWidget(FakeRun())._repr_mimebundle_()
    assert metadata == pair[1]
    assert set(data) == {mime, "text/html", "text/plain"}


def _data(bundle: Any) -> dict[str, Any]:
    return bundle[0] if isinstance(bundle, tuple) else bundle


async def test_closing_the_view_leaves_the_run_alone(wire: Wire) -> None:
    run = FakeRun()
    widget = AgentWidget(run)
    widget.close()
    begin(run)
    finish(run)
    assert run.calls == []
    assert widget.final == ""


async def test_settings_are_checked(wire: Wire) -> None:
    assert AgentWidget(FakeRun(), theme="dark", max_height=300).theme == "dark"
    with pytest.raises(Exception, match="theme"):
        AgentWidget(FakeRun(), theme="pink")


def test_only_settings_and_final_are_traits() -> None:
    ours = set(AgentWidget.class_trait_names(sync=True)) - set(AgentWidget.__mro__[1].class_trait_names(sync=True))
    assert ours == {"final", "theme", "max_height"}


def test_a_script_prints_the_transcript(wire: Wire, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.delitem(sys.modules, "IPython")
    log = EventLog()
    run = FakeRun()
    run.log = log
    begin(run, "All done.")
    finish(run)
    AgentWidget(LogView(log))._ipython_display_()
    assert "All done." in capsys.readouterr().out
