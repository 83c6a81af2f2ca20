"""Law 7 over whole conversations: generated recordings, answered as they were, stopped anywhere."""

import asyncio
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nb_agentscope.interop import ReplayAgent
from nb_agentscope.stream import EventLog, fold_all, lane_of, tidy, verify
from tests.run.fakes import until
from tests.strategies import samples, valid_streams


async def breathe(_seconds):
    await asyncio.sleep(0)


def answers(events):
    """What was answered to each call: the results of the recording by (reply, kind, call)."""
    found = {}
    for event in events:
        if event.type == "USER_CONFIRM_RESULT":
            found |= {(event.reply_id, "confirm", r.tool_call.id): r for r in event.confirm_results}
        elif event.type == "EXTERNAL_EXECUTION_RESULT":
            found |= {(event.reply_id, "external", r.id): r for r in event.execution_results}
    return found


def answer(run, call, then):
    if then is None:
        run.stop()
    elif call.kind == "external":
        run.submit_result(
            call.tool_call_id, then.output, state=then.state, metadata=then.metadata, reply_id=call.reply_id
        )
    elif then.confirmed:
        run.approve(call.tool_call_id, reply_id=call.reply_id)
    else:
        run.deny(call.tool_call_id, reply_id=call.reply_id)


async def converse(events, stop_at):
    """Play all replies into one log, and stop the run that reaches `stop_at` records."""
    agent = ReplayAgent(events, float("inf"), min_delay_s=1e-9, sleep=breathe)
    known = answers(events)
    log = EventLog()
    runs = []
    for _ in {e.reply_id for e in events if e.type == "REPLY_START" and lane_of(e) is None}:
        run = agent.start("x", log=log, stop_grace_s=0.5)
        runs.append(run)
        run.subscribe(lambda *_, run=run: run.stop() if len(log) >= stop_at else None)
        while not run.done:
            await asyncio.sleep(0)
            await until(lambda run=run: run.done or run.status == "waiting")
            for call in run.pending:
                answer(run, call, known.get((call.reply_id, call.kind, call.tool_call_id)))
                if run.done or not run.pending:
                    break
    return log, runs


def check(events, stop_at):
    """The law; what the log holds, by event type and by the end of each reply."""
    log, runs = asyncio.run(converse(events, stop_at))
    assert verify(list(log), complete=True) == []
    ended = [e.reply_id for e in log if e.type == "REPLY_END"]
    assert sorted(ended) == sorted({e.reply_id for e in log if e.type == "REPLY_START"})
    assert [m.model_dump_json() for m in runs[-1].msgs] == [m.model_dump_json() for m in fold_all(tidy(log))]
    return Counter(
        [
            *(str(e.type) for e in log),
            *(str(m.finished_reason) for m in runs[-1].msgs),
            *(["lane"] * len(runs[-1].lanes)),
        ]
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(events=valid_streams(), data=st.data())
def test_law_7(events, data):
    check(events, data.draw(st.integers(2, len(events) + 10)))


def test_the_law_is_about_answered_calls_and_both_ends():
    seen = Counter()
    for events in samples(12):
        seen += check(events, len(events) // 2) + check(events, 10 * len(events))
    wanted = ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "completed", "interrupted", "lane")
    assert [name for name in wanted if seen[name] < 3] == [], seen
