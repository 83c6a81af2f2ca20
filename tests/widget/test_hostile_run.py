"""Runs whose ids, texts and inputs are made to confuse a view."""

import json

import pytest

from nb_agentscope import ReplayAgent
from nb_agentscope.event import CustomEvent
from nb_agentscope.run import Run
from nb_agentscope.stream import EventLog
from nb_agentscope.widget import AgentWidget, LogView
from tests.run.fakes import Agent, ask, asking, call, end, model, model_end, parked, result, start, text, until

BAD_INPUTS = [
    5,
    "x",
    [5],
    [None],
    [{"role": "user", "content": 5}],
    [{}],
    [{"role": "user", "name": "x", "content": [{"type": "?"}]}],
]


async def test_the_decision_on_a_reused_id_stands_at_its_own_call():
    again = [*result("c1", state="denied"), model(), *call("c1"), model_end(), ask("c1")]
    run = Run(Agent(asking("c1"), again, [*result("c1"), end()]), "go")
    await parked(run)
    run.deny()
    await until(lambda: len(run.log) > 12 and run.status == "waiting")
    run.approve()
    await run
    for view in (run, LogView(run.log)):
        decided = {id: decision.decision for id, decision in view.progress.decisions.items()}
        assert decided == {"c1": "denied", "c1#2": "approved"}
    assert {block.id for block in run.msg.content} == {"c1", "c1#2"}


@pytest.mark.parametrize("messages", BAD_INPUTS, ids=str)
async def test_what_is_no_message_is_not_shown_as_one(messages, tmp_path):
    odd = CustomEvent(name="nb_agentscope.input", value={"messages": messages})
    run = Run(Agent([start(), odd, *text("hi"), end()]), "go")
    widget = AgentWidget(run)
    await run
    assert [item["role"] for item in json.loads(widget.final)["progress"]["inputs"]] == ["user"]
    assert "hi" in run._repr_mimebundle_()["text/html"]
    run.log.save(tmp_path / "run.jsonl")
    assert json.loads(EventLog.load(tmp_path / "run.jsonl").widget().final)["msgs"]
    assert len([e async for e in ReplayAgent(tmp_path / "run.jsonl", speed=float("inf")).reply_stream()]) > 3


@pytest.mark.parametrize("half", ["\ud83d", "\udfff\ud800"])
async def test_half_an_emoji_reaches_the_page_and_can_be_decided(half):
    odd = json.dumps({"x": half}, ensure_ascii=False)
    agent = Agent([start(), *call("c1", input=odd), ask("c1", name=f"rm{half}", input=odd)], [*result("c1"), end()])
    run = Run(agent, half)
    await parked(run)
    widget = AgentWidget(run)
    sent = []
    widget._outbox._send = lambda content, _buffers: sent.append(content)
    widget._handle({"v": 1, "type": "sync", "have": 0})
    decide = {
        "v": 1,
        "type": "decide",
        "id": "1",
        "reply_id": "r1",
        "tool_call_id": "c1",
        "digest": half,
        "approved": True,
    }
    widget._handle(decide)
    widget._handle(decide | {"id": "2", "tool_call_id": half})
    await until(lambda: len(sent) >= 2)
    [pending] = widget.snapshot().pending
    for content in [*sent, widget.snapshot().model_dump(mode="json")]:
        json.dumps(content, ensure_ascii=False).encode()
    widget._handle(decide | {"id": "3", "digest": pending.digest})
    await run
    [answer] = agent.answers
    assert answer.confirm_results[0].tool_call.input == pending.input
    widget.close()
