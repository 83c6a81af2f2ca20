"""A widget on a real run: who decides first, what fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from nb_agentscope.event import (
    ReplyEndEvent,
    ReplyStartEvent,
    RequireUserConfirmEvent,
    TextBlockDeltaEvent,
    TextBlockEndEvent,
    TextBlockStartEvent,
    ToolCallDeltaEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
    ToolResultEndEvent,
    ToolResultStartEvent,
    UserConfirmResultEvent,
)
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.run import Run
from nb_agentscope.stream import SHOWN_NAME
from nb_agentscope.widget import AgentWidget
from nb_agentscope.widget._dump import dump
from tests.widget.fakes import Wire, until

Ask = Callable[..., None]
INPUT = '{"path": "a.txt"}'


class Asking:
    """Asks for one call, then ends; keeps what it was handed."""

    name = "Ann"

    def __init__(self) -> None:
        self.given: list[Any] = []

    async def reply_stream(self, inputs: Any) -> AsyncIterator[Any]:
        if not isinstance(inputs, UserConfirmResultEvent):
            yield ReplyStartEvent(session_id="s", reply_id="r", name="Ann")
            yield ToolCallStartEvent(reply_id="r", tool_call_id="c", tool_call_name="rm")
            yield ToolCallDeltaEvent(reply_id="r", tool_call_id="c", delta=INPUT)
            yield ToolCallEndEvent(reply_id="r", tool_call_id="c")
            yield RequireUserConfirmEvent(reply_id="r", tool_calls=[ToolCallBlock(id="c", name="rm", input=INPUT)])
            return
        self.given.append(inputs)
        state = "success" if inputs.confirm_results[0].confirmed else "denied"
        yield ToolResultStartEvent(reply_id="r", tool_call_id="c", tool_call_name="rm")
        yield ToolResultEndEvent(reply_id="r", tool_call_id="c", state=state)
        yield ReplyEndEvent(session_id="s", reply_id="r")


class Failing:
    name = "Ann"

    async def reply_stream(self, inputs: Any) -> AsyncIterator[Any]:
        yield ReplyStartEvent(session_id="s", reply_id="r", name="Ann")
        yield TextBlockStartEvent(reply_id="r", block_id="b")
        yield TextBlockDeltaEvent(reply_id="r", block_id="b", delta="so far")
        raise ZeroDivisionError("halfway")


async def asked(wire: Wire, ask: Ask) -> tuple[Asking, AgentWidget, dict[str, Any]]:
    agent = Asking()
    widget = AgentWidget(Run(agent, "go"))
    ask(widget, "hello", view="v")
    ask(widget, "sync", have=0)
    await until(lambda: widget.status == "waiting" and wire.messages and wire.messages[-1]["status"] == "waiting")
    pending = [message["pending"] for message in wire.messages if message["pending"]][-1][0]
    return agent, widget, {key: pending[key] for key in ("reply_id", "tool_call_id", "digest")}


async def test_two_views_decide_and_one_counts(wire: Wire, ask: Ask) -> None:
    agent, widget, call = await asked(wire, ask)
    ask(widget, "decide", id="view1-1", **call, approved=True)
    ask(widget, "decide", id="view2-1", **call, approved=False)
    msg = await widget
    await until(lambda: wire.messages[-1].get("status") == "finished")
    assert [result.confirmed for event in agent.given for result in event.confirm_results] == [True]
    assert [message["id"] for message in wire.of("ack")] == ["view1-1"]
    refused = wire.of("refused")
    assert [(m["id"], m["earlier"]["decision"], m["earlier"]["by"]) for m in refused] == [
        ("view2-1", "approved", "user")
    ]
    assert msg.finished_reason == "completed"
    decisions = [record for record in widget.log.records if record.event.type == "USER_CONFIRM_RESULT"]
    assert [(record.dir, record.by) for record in decisions] == [("in", "user")]


async def test_a_double_click_is_one_decision(wire: Wire, ask: Ask) -> None:
    agent, widget, call = await asked(wire, ask)
    for _ in range(2):
        ask(widget, "decide", id="same", **call, approved=False)
    await widget
    await until(lambda: len(wire.of("ack")) == 2)
    assert len(agent.given) == 1
    assert not wire.of("refused")


async def test_another_digest_is_refused_and_the_call_stays(wire: Wire, ask: Ask) -> None:
    agent, widget, call = await asked(wire, ask)
    ask(widget, "decide", id="1", **{**call, "digest": "0" * 64}, approved=True)
    await until(lambda: wire.of("refused"))
    assert wire.of("refused")[0]["id"] == "1"
    assert (len(widget.pending), agent.given) == (1, [])
    widget.deny()
    await widget


async def test_an_unknown_call_is_refused(wire: Wire, ask: Ask) -> None:
    _, widget, call = await asked(wire, ask)
    ask(widget, "decide", id="1", **{**call, "tool_call_id": "nope"}, approved=True)
    await until(lambda: wire.of("refused"))
    assert "nope" in wire.of("refused")[0]["reason"]
    widget.deny()
    await widget


def shown(widget: AgentWidget) -> list[Any]:
    return [(record.dir, record.event) for record in widget.log.records if record.event.type == "CUSTOM"
            and record.event.name == SHOWN_NAME]  # fmt: skip


async def test_that_a_card_was_seen_is_logged_once(wire: Wire, ask: Ask) -> None:
    _, widget, call = await asked(wire, ask)
    before = (widget.pending, widget.status, widget.msg.model_dump(), dump(widget.run.progress))
    for id in ("view1-1", "view1-1", "view2-1"):
        ask(widget, "shown", id=id, **call)
    await until(lambda: len(wire.of("ack")) == 3)
    assert [(dir, event.value) for dir, event in shown(widget)] == [("in", {"reply_id": "r", "tool_call_id": "c"})]
    assert (widget.pending, widget.status, widget.msg.model_dump(), dump(widget.run.progress)) == before
    ask(widget, "decide", id="view1-2", **call, approved=True)
    await widget
    names = [getattr(event, "name", event.type) for event in widget.log]
    assert names.index(SHOWN_NAME) < names.index("USER_CONFIRM_RESULT")


@pytest.mark.parametrize("wrong", [{"digest": "0" * 64}, {"tool_call_id": "nope"}, {"reply_id": "other"}])
async def test_only_what_waits_can_have_been_seen(wire: Wire, ask: Ask, wrong: dict[str, str]) -> None:
    _, widget, call = await asked(wire, ask)
    ask(widget, "shown", id="1", **{**call, **wrong})
    await until(lambda: wire.of("refused"))
    widget.deny()
    await widget
    ask(widget, "shown", id="2", **call)
    await until(lambda: len(wire.of("refused")) == 2)
    assert shown(widget) == []


async def test_a_loaded_log_takes_no_such_message(wire: Wire, ask: Ask) -> None:
    _, widget, call = await asked(wire, ask)
    loaded = widget.log.compact().widget()
    before = len(loaded.log)
    ask(loaded, "shown", id="1", **call)
    await until(lambda: wire.of("refused"))
    assert len(loaded.log) == before
    widget.deny()
    await widget


async def test_an_edited_input_runs(wire: Wire, ask: Ask) -> None:
    agent, widget, call = await asked(wire, ask)
    ask(widget, "decide", id="1", **call, approved=True, input='{"path": "b.txt"}')
    await widget
    assert agent.given[0].confirm_results[0].tool_call.input == '{"path": "b.txt"}'


async def test_a_failing_agent_shows_its_error_and_raises_at_await(wire: Wire, ask: Ask) -> None:
    widget = AgentWidget(Run(Failing(), "go"))
    ask(widget, "sync", have=0)
    with pytest.raises(ZeroDivisionError, match="halfway"):
        await widget
    await until(lambda: wire.messages and wire.messages[-1].get("status") == "finished")
    html = widget._static()["text/html"]
    assert "so far" in html
    assert "halfway" in html


async def test_stop_by_button_ends_the_reply(wire: Wire, ask: Ask) -> None:
    _, widget, _ = await asked(wire, ask)
    ask(widget, "stop", id="1")
    msg = await widget
    await until(lambda: wire.of("ack"))
    assert msg.finished_reason == "interrupted"
    assert [event.type for event in widget.log].count("REPLY_END") == 1


async def test_a_live_run_and_its_reloaded_log_show_the_same(wire: Wire, ask: Ask, tmp_path: Any) -> None:
    from nb_agentscope.stream import EventLog

    class Short:
        name = "Ann"

        async def reply_stream(self, inputs: Any) -> AsyncIterator[Any]:
            yield ReplyStartEvent(session_id="s", reply_id="r", name="Ann")
            yield TextBlockStartEvent(reply_id="r", block_id="b")
            yield TextBlockDeltaEvent(reply_id="r", block_id="b", delta="**Hi**")
            yield TextBlockEndEvent(reply_id="r", block_id="b")
            yield ReplyEndEvent(session_id="s", reply_id="r")

    widget = AgentWidget(Run(Short(), "go"))
    await widget
    widget.log.save(tmp_path / "run.jsonl")
    loaded = EventLog.load(tmp_path / "run.jsonl").widget()
    assert (await loaded).model_dump_json() == widget.msg.model_dump_json()
    assert loaded.status == "finished"
    assert "<strong>Hi</strong>" in loaded._static()["text/html"]
