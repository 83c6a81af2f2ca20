"""ReplayAgent: recordings played as if they were live."""

import asyncio
import json
from pathlib import Path

import pytest

from nb_agentscope.interop import ReplayAgent, wrap
from nb_agentscope.message import DataBlock, TextBlock, URLSource
from nb_agentscope.run import StreamBrokenError
from nb_agentscope.stream import EventLog, fold_all, tidy, verify
from tests.dump_progress import records as nested_records
from tests.run.fakes import assert_ended_well, ends, parked, types, until

VECTORS = Path(__file__).parents[1] / "vectors"
PLAIN = ["plain_text", "thinking_text", "parallel_tools", "tool_multimodal", "max_iters", "hints", "tool_error"]
FAST = float("inf")


def path(name):
    return VECTORS / f"{name}.jsonl"


def recorded(name):
    return list(EventLog.load(path(name)))


async def play(name, decide=None, **options):
    """Replay to the end, with `decide(run, call)` on each call that waits."""
    run = ReplayAgent(path(name), FAST, **options).start("hi", stop_grace_s=0.01)
    await drive(run, decide)
    return run


async def drive(run, decide):
    while not run.done:
        await until(lambda: run.done or run.status == "waiting")
        for call in run.pending[:1]:
            decide(run, call)


def as_recorded(name):
    """Decides what was decided then."""
    decisions = {}
    for event in recorded(name):
        if event.type == "USER_CONFIRM_RESULT":
            decisions.update({r.tool_call.id: r for r in event.confirm_results})

    def decide(run, call):
        if call.kind == "external":
            run.submit_result(call.tool_call_id, "from outside")
        elif decisions[call.tool_call_id].confirmed:
            run.approve(call.tool_call_id, input=decisions[call.tool_call_id].tool_call.input or None)
        else:
            run.deny(call.tool_call_id)

    return decide


@pytest.mark.parametrize("name", PLAIN)
async def test_it_emits_the_recording(name):
    run = await play(name, restamp=False)
    emitted = [r.event.model_dump() for r in run.log.records if r.event.type != "CUSTOM" or "nb_" not in r.event.name]
    assert emitted == [e.model_dump() for e in recorded(name)]
    assert run.msg.model_dump_json() == fold_all(tidy(recorded(name)))[-1].model_dump_json()


@pytest.mark.parametrize(
    "name", ["hitl_confirm", "hitl_deny", "hitl_partial", "hitl_edit", "service_resume", "hitl_accept_rule"]
)
async def test_the_same_decisions_give_the_same_reply(name):
    run = await play(name, as_recorded(name))
    assert_ended_well(run, "completed")
    then = fold_all(tidy(recorded(name)))[-1]
    assert [b.type for b in run.msg.content] == [b.type for b in then.content]
    assert run.msg.get_text_content() == then.get_text_content()
    # Not its own decisions: they are the person's, and logged once.
    assert {r.dir for r in run.log.records if r.event.type == "USER_CONFIRM_RESULT"} == {"in"}


@pytest.mark.parametrize(
    ("name", "decide"),
    [("hitl_confirm", lambda run, call: run.deny()), ("hitl_deny", lambda run, call: run.approve())],
)
async def test_another_decision_ends_honestly(name, decide):
    run = await play(name, decide)
    assert_ended_well(run, "interrupted")
    [answer] = [b for b in run.msg.content if b.type == "tool_result"]
    assert answer.state == "denied"
    assert "the replay cannot show how it would go on" in answer.output[0].text


async def test_decisions_in_another_order():
    decide = as_recorded("hitl_partial")
    run = ReplayAgent(path("hitl_partial"), FAST).start("hi")
    await parked(run)
    for call in reversed(run.pending):
        decide(run, call)
    await run
    assert_ended_well(run, "completed")


async def test_a_partial_divergence_answers_all_calls():
    run = ReplayAgent(path("hitl_partial"), FAST).start("hi", stop_grace_s=0.01)
    await parked(run)
    for call in run.pending:
        run.deny(call.tool_call_id)
    await run
    assert_ended_well(run, "interrupted")
    assert len([b for b in run.msg.content if b.type == "tool_result"]) == 3


async def test_other_arguments_are_remarked():
    run = await play("hitl_confirm", lambda run, call: run.approve(input={"x": "other"}))
    assert_ended_well(run, "completed")
    [note] = [e for e in run.log if e.type == "CUSTOM" and e.name == "nb_agentscope.note"]
    assert "recorded" in note.value["text"]


async def test_a_submitted_result_replaces_the_recorded_one():
    picture = DataBlock(source=URLSource(url="https://example.org/a.png", media_type="image/png"))

    def decide(run, call):
        run.submit_result(call.tool_call_id, [TextBlock(text="mine"), picture], metadata={"k": 1})

    run = await play("external_exec", decide)
    assert_ended_well(run, "completed")
    [answer] = [b for b in run.msg.content if b.type == "tool_result"]
    assert (answer.output[0].text, answer.output[1].source.media_type) == ("mine", "image/png")
    assert len(answer.output) == 2
    assert answer.metadata == {"k": 1}


async def test_confirm_then_external():
    run = await play("confirm_then_external", as_recorded("confirm_then_external"))
    assert_ended_well(run, "completed")


async def test_a_recorded_interrupt_waits_for_a_stop():
    run = ReplayAgent(path("interrupt_parked"), FAST).start("hi", stop_grace_s=0.01)
    await parked(run)
    run.stop()
    await run
    assert_ended_well(run, "interrupted")


async def test_stop_while_it_plays():
    async def sleep(_seconds):
        await asyncio.Event().wait() if len(run.log) > 8 else await asyncio.sleep(0)

    run = ReplayAgent(path("plain_text"), sleep=sleep).start("hi", stop_grace_s=0.05)
    await until(lambda: len(run.log) > 8)
    run.stop()
    await run
    assert_ended_well(run, "interrupted")


async def test_a_recording_that_breaks_off_breaks_off():
    run = ReplayAgent(path("model_error"), FAST).start("hi")
    with pytest.raises(StreamBrokenError):
        await run
    assert_ended_well(run, "error")


async def test_one_start_is_one_reply_and_then_it_begins_again():
    agent = ReplayAgent(path("two_replies"), FAST)
    log = EventLog()
    ids = [(await agent.start("hi", log=log)).id for _ in range(3)]
    first, second = (e.reply_id for e in recorded("two_replies") if e.type == "REPLY_START")
    assert ids == [first, second, f"{first}~2"]
    assert verify(list(log), complete=True) == []
    assert len({e.id for e in log}) == len(log)


async def test_pauses_are_those_of_the_recording():
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    lines = [
        {"type": "REPLY_START", "session_id": "s", "reply_id": "r", "name": "n"},
        {"type": "HINT_BLOCK", "reply_id": "r", "block_id": "h", "hint": "x"},
        {"type": "HINT_BLOCK", "reply_id": "r", "block_id": "h2", "hint": "x"},
        {"type": "REPLY_END", "session_id": "s", "reply_id": "r"},
    ]
    times = ["00:00:00", "00:00:01", "00:00:31", "00:00:00"]
    for line, at in zip(lines, times, strict=True):
        line |= {"created_at": f"2026-01-01T{at}"}
    await ReplayAgent(lines, 2, max_gap_s=3, sleep=sleep).start("x")
    assert waited == [0.5, 3]
    waited.clear()
    await ReplayAgent(lines, 2, min_delay_s=0.1, max_gap_s=3, sleep=sleep).start("x")
    assert waited == [0.1, 0.5, 3, 0.1]


async def test_the_clock_of_a_log_counts_where_there_is_one(tmp_path):
    run = await play("plain_text", restamp=False)
    file = tmp_path / "log.jsonl"
    run.log.save(file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for number, row in enumerate(rows):
        row["recorded"]["mono"] = float(number)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    again = ReplayAgent(file, max_gap_s=9, sleep=sleep).start()
    await again
    assert set(waited) == {1.0}
    assert again.progress.inputs == run.progress.inputs, "the recorded input is the default"


async def test_times_are_those_of_the_replay():
    run = await play("plain_text")
    assert {e.created_at[:4] for e in run.log} != {"2026"} or all(e.created_at.endswith("+00:00") for e in run.log)


async def test_it_can_be_wrapped():
    run = wrap(ReplayAgent(path("plain_text"), FAST)).start("hi")
    await run
    assert_ended_well(run, "completed")
    assert types(run)[2:] == [str(e.type) for e in recorded("plain_text")]
    assert len(ends(run)) == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
def test_bad_speed(speed):
    with pytest.raises(ValueError, match="above 0"):
        ReplayAgent(path("plain_text"), speed)


def test_nothing_to_replay():
    with pytest.raises(ValueError, match="no reply in this recording"):
        ReplayAgent([])
    with pytest.raises(ValueError, match="Unknown event type"):
        ReplayAgent([{"type": "X"}])


async def test_an_answer_that_nobody_waits_for():
    agent = ReplayAgent(path("hitl_confirm"), FAST)
    answer = next(e for e in recorded("hitl_confirm") if e.type == "USER_CONFIRM_RESULT")
    with pytest.raises(ValueError, match="waits for no answer"):
        await agent.start(answer)


async def test_sub_agents_play_in_their_parent_s_reply_and_again_with_new_ids_throughout():
    def recording():
        events = [record.event for record in nested_records("nested")]
        return [event for event in events if event.type != "CUSTOM"]

    agent = ReplayAgent(recording(), FAST)
    log = EventLog()
    for turn in ("", "~2"):
        run = agent.start("hi", log=log)
        for parent, confirmed in (("call_a", True), ("call_b", False)):
            await until(lambda run=run: run.status == "waiting")
            [call] = run.pending
            assert call.reply_id.startswith(f"{parent}-")
            assert call.reply_id.endswith(turn)
            (run.approve if confirmed else run.deny)()
        await run
        assert [lane.parent_tool_call_id for lane in list(run.lanes)[-2:]] == ["call_a", "call_b"]
        assert {lane.parent_reply_id for lane in list(run.lanes)[-2:]} == {run.msg.id}
    assert verify(list(log), complete=True) == []
    assert len(run.lanes) == 4


async def test_another_answer_to_a_sub_agent_ends_everything_in_its_lane_first():
    events = [record.event for record in nested_records("nested")]
    run = ReplayAgent(events, FAST).start("hi")
    await until(lambda: run.status == "waiting")
    run.deny()
    await run
    assert verify(list(run.log), complete=True) == []
    [(lane, view)] = run.lanes.items()
    denied = view.msg.content[-1]
    assert (denied.state, denied.output[0].text[:16]) == ("denied", "In the recording")
    assert [event.reply_id for event in run.log if event.type == "REPLY_END"] == [view.msg.id, lane.parent_reply_id]
