"""When a question could first be seen: logged once, and nothing else changes by it."""

import threading

import pytest

from nb_agentscope.event import RequireUserConfirmEvent
from nb_agentscope.interop._recording import read_recording
from nb_agentscope.run import DecisionRefused, Run
from nb_agentscope.stream import IN_NAMES, INPUT_NAME, SHOWN_NAME, EventLog, View, fold, verify
from tests.run.fakes import Agent, ask, ask_outside, asking, calls, end, one_approval, parked, result
from tests.run.test_lanes import ONE, begun, finished, one, rest


def seen(run):
    """Value, direction, who and lane of what was logged."""
    events = [record for record in run.log.records if getattr(record.event, "name", "") == SHOWN_NAME]
    return [(record.event.value, record.dir, record.by, record.event.metadata) for record in events]


async def test_it_stands_in_the_log_once_and_changes_nothing_else(tmp_path):
    run = Run(one_approval(), "hi")
    await parked(run)
    run.mark_shown()
    run.mark_shown("c1", reply_id="r1", digest=run.pending[0].digest)
    assert seen(run) == [({"reply_id": "r1", "tool_call_id": "c1"}, "in", None, {})]
    assert (run.status, len(run.pending)) == ("waiting", 1)
    run.approve()
    await run
    without = [record for record in run.log.records if getattr(record.event, "name", "") != SHOWN_NAME]
    assert len(without) == len(run.log) - 1
    assert verify(list(run.log), complete=True) == []
    assert fold(run.log) == fold(record.event for record in without) == run.msg
    assert View.of(without).progress == run.progress == run.log.compact().view.progress
    run.log.save(tmp_path / "run.jsonl")
    assert [record.dir for record in EventLog.load(tmp_path / "run.jsonl").records] == [r.dir for r in run.log.records]


async def test_the_name_alone_tells_the_direction(tmp_path):
    run = Run(one_approval(), "hi")
    await parked(run)
    run.mark_shown()
    run.stop()
    await run
    plain = tmp_path / "plain.jsonl"
    plain.write_text("".join(event.model_dump_json() + "\n" for event in run.log))
    ins = [r.event.name for r in EventLog.load(plain).records if r.dir == "in" and r.event.type == "CUSTOM"]
    assert ins == [INPUT_NAME, SHOWN_NAME]
    assert set(ins) == IN_NAMES


async def test_the_same_call_asked_again_is_another_question():
    run = Run(Agent(asking("c1"), [ask("c1")], [*result("c1"), end()]), "hi")
    await parked(run)
    run.mark_shown()
    run.approve()
    await parked(run)
    run.mark_shown()
    assert len(seen(run)) == 2
    run.approve()
    await run


async def test_a_call_that_waits_outside_and_one_of_a_sub_agent():
    run = Run(Agent([*calls("c1"), *ask_outside("c1")], [*result("c1", started=False), end()]), "hi")
    await parked(run)
    run.mark_shown()
    run.submit_result(None, "x")
    await run
    assert len(seen(run)) == 1
    run = Run(Agent([*begun("c1"), *one(asking("c1"))], [*one(rest()), *finished("c1")]), "hi")
    await parked(run)
    run.mark_shown()
    run.approve()
    await run
    assert seen(run) == [({"reply_id": "n1-r1", "tool_call_id": "c1"}, "in", None, ONE.metadata)]


async def test_what_does_not_wait_cannot_be_seen():
    run = Run(one_approval(), "hi")
    await parked(run)
    for wrong in ({"tool_call_id": "c9"}, {"digest": "no"}, {"tool_call_id": "c1", "reply_id": "r9"}):
        with pytest.raises(DecisionRefused):
            run.mark_shown(**wrong)
    run.approve()
    with pytest.raises(DecisionRefused):
        run.mark_shown("c1")
    await run
    assert seen(run) == []


async def test_from_another_thread():
    run = Run(one_approval(), "hi")
    await parked(run)
    thread = threading.Thread(target=run.mark_shown)
    thread.start()
    thread.join()
    run.approve()
    await run
    assert len(seen(run)) == 1


async def test_a_replay_does_not_play_it():
    run = Run(one_approval(), "hi")
    await parked(run)
    run.mark_shown()
    run.approve()
    await run
    [reply] = read_recording(run.log)
    assert SHOWN_NAME not in [getattr(step.event, "name", "") for step in reply.steps]
    asked = next(i for i, step in enumerate(reply.steps) if isinstance(step.event, RequireUserConfirmEvent))
    records = {record.event.id: record.mono for record in run.log.records}
    first, then = (reply.steps[place].event.id for place in (asked, asked + 1))
    assert reply.steps[asked + 1].pause_s == pytest.approx(records[then] - records[first])


async def test_what_was_decided_while_it_was_looked_up_is_not_seen_any_more(monkeypatch):
    run = Run(one_approval(), "hi")
    await parked(run)
    found = run._pending.find

    def slow(*given):
        call = found(*given)
        run.approve()
        return call

    with monkeypatch.context() as patch:
        patch.setattr(run._pending, "find", lambda *given: (patch.undo(), slow(*given))[1])
        run.mark_shown()
    await run
    assert seen(run) == []


async def test_a_refusal_does_not_repeat_a_huge_id():
    run = Run(one_approval(), "hi")
    await parked(run)
    with pytest.raises(DecisionRefused) as caught:
        run.mark_shown("c" * 100_000, reply_id="r" * 100_000)
    assert len(str(caught.value)) < 400
    run.stop()
    await run
