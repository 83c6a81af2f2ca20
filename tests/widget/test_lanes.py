"""Sub-agents on the wire: snapshots, fetched bytes, the finished trait, and clicks on calls with equal ids."""

from __future__ import annotations

import json
from typing import Any

from nb_agentscope.event import (
    DataBlockDeltaEvent,
    DataBlockStartEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    TextBlockDeltaEvent,
)
from nb_agentscope.run import Run
from nb_agentscope.stream import Lane, View, lane_of
from nb_agentscope.widget import AgentWidget, LogView
from nb_agentscope.widget._final import FINAL_BYTES, final_json
from nb_agentscope.widget._protocol import LaneState
from nb_agentscope.widget._view import fetch, read_snapshot
from tests.dump_progress import records
from tests.lanes import lanes_json, nested
from tests.run.fakes import Agent, asking, parked
from tests.run.test_lanes import ONE, TWO, begun, finished, one, rest, two
from tests.widget.fakes import FakeRun, Wire, until
from tests.widget.test_widget import Ask


def nested_run() -> FakeRun:
    run = FakeRun()
    run.emit(*(record.event for record in records("nested")))
    return run


async def test_a_snapshot_holds_each_sub_agent_in_order(wire: Wire, ask: Ask) -> None:
    run = nested_run()
    ask(AgentWidget(run), "sync", have=0)
    await until(lambda: wire.of("snapshot"))
    lanes = wire.of("snapshot")[0]["lanes"]
    assert [list(lane) for lane in lanes] == [list(LaneState.model_fields)] * 2
    assert [(lane["source"], lane["parent_tool_call_id"]) for lane in lanes] == [
        ("Friday/researcher", "call_a"),
        ("Friday/researcher", "call_b"),
    ]
    assert len(lanes[0]["msgs"]) == 1
    assert lanes[0]["progress"]["model_calls"] == 2


def test_a_loaded_log_and_the_trait_hold_them_too() -> None:
    run = nested_run()
    view = View.of(run.log.records)
    snapshot = read_snapshot(LogView(run.log), live=False).model_dump(mode="json")
    assert snapshot["lanes"] == lanes_json(view)
    assert json.loads(final_json(LogView(run.log)))["lanes"] == lanes_json(view)


def test_bytes_of_a_sub_agent_are_withheld_and_fetched() -> None:
    run = FakeRun()
    events = [
        ReplyStartEvent(session_id="s", reply_id="n", name="Ann"),
        DataBlockStartEvent(reply_id="n", block_id="d", media_type="image/png"),
        DataBlockDeltaEvent(reply_id="n", block_id="d", media_type="image/png", data="QUJD" * 8_192),
    ]
    run.emit(*nested(events, Lane("a/b", "r", "c"), ""))
    [lane] = read_snapshot(run, live=True).lanes
    assert lane.msgs[0]["content"][0]["source"]["withheld"] == 24_576
    assert fetch(run, "n", "d", None) == (b"ABC" * 8_192, "image/png")


def test_the_trait_stays_small_however_much_they_say() -> None:
    run = FakeRun()
    run.emit(ReplyStartEvent(session_id="s", reply_id="r", name="Ann"))
    for i in range(40):
        lane = Lane(f"a/{i}", "r", "c")
        parts = [TextBlockDeltaEvent(reply_id="n", block_id=f"b{k}", delta="word " * 200) for k in range(40)]
        run.emit(*nested([ReplyStartEvent(session_id="s", reply_id="n", name="x"), *parts], lane, f"{i}-"))
    run.emit(TextBlockDeltaEvent(reply_id="r", block_id="b", delta="kept"), ReplyEndEvent(session_id="s", reply_id="r"))
    text = final_json(run)
    assert len(text) <= FINAL_BYTES
    final = json.loads(text)
    assert final["msgs"][0]["content"][0]["text"] == "kept"
    assert final["lanes"]
    assert final["lanes"][-1]["source"] == "a/39"


async def test_clicks_reach_the_call_of_their_reply(wire: Wire, ask: Ask) -> None:
    agent = Agent(
        [*begun("c1", "c2"), *one(asking("c1")), *two(asking("c1"))],
        [],
        [*one(rest()), *two(rest()), *finished("c1", "c2")],
    )
    run = Run(agent, "hi", stop_grace_s=0.01)
    widget = AgentWidget(run)
    await parked(run)
    ask(widget, "sync", have=0)
    await until(lambda: wire.of("snapshot"))
    pending: list[dict[str, Any]] = wire.of("snapshot")[0]["pending"]
    assert [(call["reply_id"], call["source"]) for call in pending] == [("n1-r1", ONE.source), ("n2-r1", TWO.source)]
    for i, call in enumerate(reversed(pending)):
        named = {key: call[key] for key in ("reply_id", "tool_call_id", "digest")}
        ask(widget, "decide", id=str(i), **named, approved=i == 0, input=None, rules=None, note=None)
    await run
    decided = {event.reply_id: event.confirm_results[0].confirmed for event in agent.answers}
    assert decided == {"n2-r1": True, "n1-r1": False}
    assert {lane_of(event) for event in agent.answers} == {ONE, TWO}
