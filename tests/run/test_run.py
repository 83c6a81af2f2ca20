"""The life of a run: start, park, decide, end."""

import asyncio
import gc
import threading
import weakref

import pytest

from nb_agentscope.event import CustomEvent
from nb_agentscope.message import UserMsg
from nb_agentscope.run import DecisionRefused, Run, StreamBrokenError
from nb_agentscope.stream import EventLog, fold
from tests.run.fakes import (
    Agent,
    ask,
    ask_outside,
    asking,
    assert_ended_well,
    calls,
    end,
    ends,
    gate,
    model,
    model_end,
    one_approval,
    parked,
    result,
    start,
    text,
    types,
    until,
)


async def test_a_plain_reply():
    agent = Agent([start(), model(), *text("Hel", "lo"), model_end(), end()])
    run = Run(agent, "hi")
    msg = await run
    assert msg is run.msg
    assert msg.get_text_content() == "Hello"
    assert_ended_well(run, "completed")
    assert types(run)[:3] == ["CUSTOM", "CUSTOM", "REPLY_START"]
    header, given = list(run.log)[:2]
    assert (header.name, header.value["agent"]) == ("nb_agentscope.header", "Friday")
    assert given.value["messages"][0]["content"][0]["text"] == "hi"
    assert agent.received[0].get_text_content() == "hi"
    assert run.log.closed
    assert run.elapsed_s == run.elapsed_s


async def test_it_starts_when_it_is_created_and_nobody_need_hold_it():
    agent = one_approval()
    seen = []
    run = Run(agent, "hi")
    run.subscribe(lambda kind, record, events: seen.append(kind))
    await parked(run)
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is not None, "the task holds it"
    gone().approve()
    await until(lambda: gone() is None or gone().done)


async def test_approve_resumes_the_parked_reply():
    agent = one_approval()
    run = Run(agent, UserMsg("me", "delete"))
    await parked(run)
    [call] = run.pending
    assert (call.name, call.input, call.kind, call.repaired) == ("rm", '{"x": "a.txt"}', "confirm", False)
    assert call.asked_at == run.log.records[-1].at
    run.approve(by="user")
    assert run.log.records[-1].event.type == "USER_CONFIRM_RESULT"
    assert run.log.records[-1].dir == "in"
    assert run.log.records[-1].by == "user"
    assert run.status == "running"
    await run
    assert_ended_well(run, "completed")
    [answer] = agent.answers
    assert answer is run.log[[str(e.type) for e in run.log].index("USER_CONFIRM_RESULT")]
    assert answer.confirm_results[0].confirmed
    assert answer.confirm_results[0].tool_call.input == '{"x": "a.txt"}'
    assert answer.confirm_results[0].rules is None


async def test_deny_keeps_the_note():
    agent = Agent(asking("c1"), [*result("c1", state="denied"), end()])
    run = Run(agent, "hi")
    await parked(run)
    run.deny(note="not today")
    await run
    [answer] = agent.answers
    assert not answer.confirm_results[0].confirmed
    assert answer.metadata["nb_agentscope.note"] == "not today"
    assert run.progress.decisions["c1"].note == "not today"
    assert_ended_well(run, "completed")


async def test_partial_decisions_come_one_by_one():
    agent = Agent(asking("a", "b", "c"), [*result("b")], [*result("a", state="denied")], [*result("c"), end()])
    run = Run(agent, "hi")
    await parked(run)
    assert [call.tool_call_id for call in run.pending] == ["a", "b", "c"]
    run.approve("b")
    await until(lambda: len(agent.received) == 2 and run.status == "waiting")
    assert [call.tool_call_id for call in run.pending] == ["a", "c"]
    run.deny("a")
    run.approve("c")
    await run
    assert [a.confirm_results[0].tool_call.id for a in agent.answers] == ["b", "a", "c"]
    assert_ended_well(run, "completed")


async def test_a_decision_waits_until_the_agent_is_parked():
    step, event = gate()
    agent = Agent([*calls("a", "b"), ask("a"), step, *result("b")], [*result("a"), end()])
    run = Run(agent, "hi")
    await until(lambda: run.pending)
    assert run.status == "running"
    run.approve("a")
    assert types(run)[-1] == "USER_CONFIRM_RESULT"
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(agent.received) == 1
    event.set()
    await run
    assert_ended_well(run, "completed")


async def test_confirm_then_external():
    agent = Agent(
        [*asking("c1")],
        [*ask_outside("c1")],
        [*result("c1", started=False), end()],
    )
    run = Run(agent, "hi")
    await parked(run)
    run.approve("c1")
    await until(lambda: run.pending and run.pending[0].kind == "external")
    await parked(run)
    with pytest.raises(DecisionRefused, match="submit_result"):
        run.approve("c1")
    run.submit_result("c1", "42", metadata={"k": 1})
    await run
    got = agent.answers[1].execution_results[0]
    assert (got.output, got.state, got.metadata) == ("42", "success", {"k": 1})


async def test_confirm_and_external_mixed():
    agent = Agent(
        [*calls("c2", "c3"), ask("c2"), *ask_outside("c3")], [*result("c3", started=False)], [*result("c2"), end()]
    )
    run = Run(agent, "hi")
    await parked(run)
    run.submit_result("c3", "x")
    run.approve("c2")
    await run
    assert [a.type for a in agent.answers] == ["EXTERNAL_EXECUTION_RESULT", "USER_CONFIRM_RESULT"]
    assert_ended_well(run, "completed")


async def test_an_external_call_can_be_denied():
    agent = Agent([*calls("c1"), *ask_outside("c1")], [*result("c1", started=False, state="denied"), end()])
    run = Run(agent, "hi")
    await parked(run)
    run.deny(note="no")
    await run
    assert agent.answers[0].execution_results[0].state == "denied"
    assert agent.answers[0].metadata["nb_agentscope.note"] == "no"


async def test_an_echo_of_a_decision_is_dropped():
    async def noop(_agent):
        pass

    class Echo(Agent):
        async def reply_stream(self, inputs):
            if getattr(inputs, "type", None) == "USER_CONFIRM_RESULT":
                yield inputs
                yield start()  # as the service does
            async for event in super().reply_stream(inputs):
                yield event

    agent = Echo(asking("c1"), [*result("c1"), end()])
    run = Run(agent, "hi")
    await parked(run)
    run.approve()
    await run
    assert types(run).count("USER_CONFIRM_RESULT") == 1
    assert len(ends(run)) == 1


async def test_a_decision_that_someone_else_sent_shows_in_the_stream():
    other = one_approval()
    first = Run(other, "x")
    await parked(first)
    first.approve()
    confirm = next(e for e in first.log if e.type == "USER_CONFIRM_RESULT")
    await first
    step, event = gate()
    agent = Agent([*asking("c1"), confirm, step, *result("c1"), end()])
    run = Run(agent, "hi")
    await until(lambda: "USER_CONFIRM_RESULT" in types(run))
    assert run.pending == []
    with pytest.raises(DecisionRefused, match="was approved"):
        run.approve("c1")
    event.set()
    await run


async def test_two_threads_decide_and_one_wins():
    agent = one_approval()
    run = Run(agent, "hi")
    await parked(run)
    barrier = threading.Barrier(4)
    outcomes = []

    def decide(number):
        barrier.wait()
        try:
            (run.approve if number % 2 else run.deny)("c1", by="user")
            outcomes.append("taken")
        except DecisionRefused as error:
            outcomes.append(f"refused: {error.earlier['by']}")

    await asyncio.gather(*(asyncio.to_thread(decide, number) for number in range(4)))
    await run
    assert sorted(outcomes) == ["refused: user"] * 3 + ["taken"]
    assert types(run).count("USER_CONFIRM_RESULT") == 1
    assert len(agent.answers) == 1


async def test_a_stream_that_raises_keeps_what_came():
    agent = Agent([start(), model(), *text("Hel", done=False), ValueError("boom")])
    run = Run(agent, "hi")
    with pytest.raises(ValueError, match="boom"):
        await run
    assert_ended_well(run, "error")
    assert run.msg.get_text_content() == "Hel"
    assert run.msg.error.message == "ValueError: boom"
    assert isinstance(run.error, ValueError)
    with pytest.raises(ValueError, match="boom"):
        await run


async def test_a_stream_that_raises_before_its_first_event():
    run = Run(Agent([ConnectionError("no route")]), "hi")
    with pytest.raises(ConnectionError):
        await run
    assert_ended_well(run, "error")
    assert types(run)[-2:] == ["REPLY_START", "REPLY_END"]
    assert run.msg.error.type == "connection"
    assert run.msg.name == "Friday"


async def test_an_agent_that_exits_does_not_take_the_loop_with_it():
    run = Run(Agent([start(), SystemExit(3)]), "hi")
    with pytest.raises(RuntimeError, match=r"sys\.exit\(3\)"):
        await run
    assert_ended_well(run, "error")


async def test_a_stray_event_of_an_unknown_reply_does_not_end_the_reply():
    begin, hel, lo, *rest = text("Hel", "lo")
    strays = [hel.model_copy(update={"id": "stray", "reply_id": "elsewhere"}), end("elsewhere")]
    run = Run(Agent([start(), model(), begin, hel, *strays, lo, *rest, model_end(), end()]), "hi")
    msg = await run
    assert (msg.get_text_content(), msg.finished_reason) == ("Hello", "completed")
    assert len(run.msgs) == 1
    assert [event for event in run.log if getattr(event, "reply_id", None) == "elsewhere"] == strays


async def test_an_exception_after_the_end_is_noted_and_raised():
    run = Run(Agent([start(), end(), RuntimeError("late")]), "hi")
    with pytest.raises(RuntimeError, match="late"):
        await run
    assert_ended_well(run, "completed")
    assert run.log[-1].name == "nb_agentscope.note"
    assert "late" in run.log[-1].value["text"]


@pytest.mark.parametrize("leg", [[], [start()], [start(), model(), *text("a", done=False)]])
async def test_a_stream_that_breaks_off_is_an_error(leg):
    run = Run(Agent(leg), "hi")
    with pytest.raises(StreamBrokenError, match="without REPLY_END"):
        await run
    assert_ended_well(run, "error")


async def test_a_parked_reply_that_never_answers_its_call_does_not_hang():
    run = Run(Agent(asking("c1"), []), "hi")
    await parked(run)
    run.approve()
    with pytest.raises(StreamBrokenError):
        await run
    assert_ended_well(run, "error")


async def test_a_reply_that_another_one_cuts_off_is_ended():
    run = Run(Agent([start("r0"), start("r1"), *text("x"), end("r1")]), "hi")
    await run
    assert [(e.reply_id, e.finished_reason) for e in ends(run)] == [("r0", "interrupted"), ("r1", "completed")]
    assert [m.id for m in run.msgs] == ["r0", "r1"]


async def test_what_is_no_event_is_kept():
    run = Run(Agent([start(), {"type": "TEXT"}, model(), *text("x"), model_end(), end()]), "hi")
    await run
    assert_ended_well(run, "completed")
    [kept] = [e for e in run.log if isinstance(e, CustomEvent) and e.name == "nb_agentscope.unknown"]
    assert kept.value["raw"] == {"type": "TEXT"}
    assert "wrap(agent)" in kept.value["problem"]


async def test_the_reader_sees_what_is_no_event():
    run = Run(Agent([start(), {"type": "NEWER_EVENT"}, model(), *text("x"), model_end(), end()]), "hi")
    await run
    sentence = "A run takes events, got dict; use wrap(agent) to adapt others."
    assert run.progress.notes == [sentence]
    shown = run._repr_mimebundle_()
    assert f"<span>{sentence}</span></p></div>" in shown["text/html"].partition("nbas-item nbas-notes")[2]
    assert f"Note: {sentence}" in shown["text/plain"].splitlines()


async def test_the_log_grows_on_disk_and_reloads(tmp_path):
    run = Run(one_approval(), "hi", log_to=tmp_path / "run.jsonl")
    await parked(run)
    await until(lambda: (tmp_path / "run.jsonl").exists())
    run.approve(by="user")
    await run
    loaded = EventLog.load(tmp_path / "run.jsonl")
    assert fold(loaded).model_dump_json() == run.msg.model_dump_json()
    assert [r.by for r in loaded.records if r.event.type == "USER_CONFIRM_RESULT"] == ["user"]


async def test_one_log_for_several_replies():
    log = EventLog()
    agent = Agent([start("r0"), end("r0")], [start("r1"), end("r1")])
    await Run(agent, "one", log=log)
    assert not log.closed
    second = Run(agent, "two", log=log)
    await second
    assert [m.id for m in second.msgs] == ["r0", "r1"]
    assert second.msg.id == "r1"


async def test_a_broken_subscriber_harms_nobody(caplog):
    run = Run(Agent([start(), end()]), "hi")
    seen = []

    def broken(kind, record, events):
        raise RuntimeError("view")

    run.subscribe(broken)
    unsubscribe = run.subscribe(lambda kind, record, events: seen.append((kind, record and record.seq)))
    unsubscribe_twice = run.subscribe(lambda *args: seen.append("never"))
    unsubscribe_twice()
    unsubscribe_twice()
    await run
    assert ("record", 2) in seen
    assert seen[-1] == ("status", None)
    assert "never" not in seen
    assert "view" in caplog.text
    unsubscribe()


async def test_subscribers_get_the_tidied_events():
    double = [*text("x")]
    run = Run(Agent([start(), double[0], double[0].model_copy(update={"id": "again"}), *double[1:], end()]), "hi")
    tidied = []
    run.subscribe(lambda kind, record, events: tidied.extend(events))
    await run
    assert [e.type for e in tidied].count("TEXT_BLOCK_START") == 1
    assert types(run).count("TEXT_BLOCK_START") == 2


def closed_log():
    log = EventLog()
    log.close()
    return log


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: Run(object(), "x"), TypeError, "reply_stream"),
        (lambda: Run(Agent(), 5), TypeError, "got int"),
        (lambda: Run(Agent(), [5]), TypeError, "got list"),
        (lambda: Run(Agent(), "x", on_no_frontend="ask"), ValueError, "'ask'"),
        (lambda: Run(Agent(), "x", log=EventLog(), log_to="y"), ValueError, "either log or log_to"),
        (lambda: Run(Agent(), "x", log=closed_log()), ValueError, "log is closed"),
    ],
)
def test_wrong_arguments(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_a_run_that_cannot_begin_leaves_the_agent_free(tmp_path):
    agent = Agent([start(), end()])
    with pytest.raises(OSError, match="no/log"):
        Run(agent, "x", log_to=tmp_path / "no" / "log")
    Run(agent, "x").wait()


def flush_twice(run):
    run._transcript.flusher.now()
    run._transcript.flusher.now()


async def test_a_full_disk_does_not_end_the_run(tmp_path, monkeypatch):
    def full(_self):
        raise OSError(28, "No space left on device")

    run = Run(one_approval(), "hi", log_to=tmp_path / "run.jsonl")
    monkeypatch.setattr(EventLog, "flush", full)
    with pytest.warns(UserWarning, match="No space left on device.*The run goes on") as caught:
        flush_twice(run)
    assert len(caught) == 1
    await parked(run)
    run.approve()
    await run
    assert_ended_well(run, "completed")


async def test_reply_stream_must_return_a_stream():
    class Plain:
        def reply_stream(self, inputs):
            return [start()]

    run = Run(Plain(), "x")
    with pytest.raises(TypeError, match="async iterator"):
        await run
    assert_ended_well(run, "error")


async def test_reply_stream_may_be_awaited_first():
    class Later:
        async def reply_stream(self, inputs):
            return Agent([start(), end()]).reply_stream(inputs)

    run = Run(Later(), "x")
    await run
    assert_ended_well(run, "completed")


def test_repr_is_short():
    assert repr(Run(Agent(), "x")) == "<Run 'Friday' running, 2 records, 0 pending>"
