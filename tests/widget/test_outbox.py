"""Pace, sizes and numbers of what leaves the kernel, on a simulated clock."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from nb_agentscope.event import (
    CustomEvent,
    DataBlockDeltaEvent,
    DataBlockStartEvent,
    ReplyEndEvent,
    ReplyStartEvent,
    RequireUserConfirmEvent,
    TextBlockDeltaEvent,
    TextBlockStartEvent,
    ToolCallStartEvent,
)
from nb_agentscope.widget._bucket import TokenBucket
from nb_agentscope.widget._outbox import BATCH_BYTES, INTERVAL_S, Outbox
from nb_agentscope.widget._protocol import Ack, Snapshot, seconds
from nb_agentscope.widget._view import read_pending, read_snapshot
from tests.widget.fakes import FakeLoop, FakeRun


class Bench:
    """An outbox on a simulated loop, fed by a fake run."""

    def __init__(self, bucket: TokenBucket | None = None, loop: FakeLoop | None = None) -> None:
        self.loop = loop or FakeLoop()
        self.run = FakeRun()
        self.sent: list[tuple[float, dict[str, Any]]] = []
        self.flushed_at_sent: list[int] = []
        self.flushes = 0
        bucket = bucket or TokenBucket(rate=160, burst=40, clock=self.loop.time)
        self.outbox = Outbox(self._send, self, bucket=bucket, loop=self.loop)  # type: ignore[arg-type]
        self.run.subscribe(self._on_run)
        self.outbox.request_snapshot()
        self.loop.advance(0.1)

    def _send(self, message: dict[str, Any], _buffers: Any) -> None:
        self.sent.append((self.loop.now, json.loads(json.dumps(message))))
        self.flushed_at_sent.append(self.flushes)

    def _on_run(self, kind: str, record: Any, events: Any) -> None:
        if kind == "record":
            self.outbox.push(record, events)
        else:
            self.outbox.push_state()

    def flush_log(self) -> None:
        self.flushes += 1

    def snapshot(self) -> Snapshot:
        return read_snapshot(self.run, live=True)  # type: ignore[arg-type]

    def state(self) -> Any:
        return self.run.status, read_pending(self.run), seconds(self.run.elapsed_s)  # type: ignore[arg-type]

    @property
    def batches(self) -> list[dict[str, Any]]:
        return [message for _, message in self.sent if message["type"] == "batch"]

    def start(self) -> None:
        self.run.emit(
            ReplyStartEvent(session_id="s", reply_id="r", name="a"), TextBlockStartEvent(reply_id="r", block_id="b")
        )


def delta(text: str = "word ") -> TextBlockDeltaEvent:
    return TextBlockDeltaEvent(reply_id="r", block_id="b", delta=text)


def busiest_second(times: list[float]) -> int:
    return max(sum(1 for at in times if start <= at < start + 1.0) for start in times)


def test_ten_thousand_events_a_second_are_at_most_31_messages_a_second() -> None:
    bench = Bench()
    bench.start()
    for _ in range(20_000):
        bench.run.emit(delta())
        bench.loop.advance(0.0001)
    bench.run.emit(ReplyEndEvent(session_id="s", reply_id="r"))
    bench.run.become("finished")
    bench.loop.advance(1.0)
    assert 28 <= busiest_second([at for at, _ in bench.sent]) <= 31
    assert bench.batches[-1]["seq1"] == len(bench.run.log) == 20_003
    text = "".join(event.get("delta", "") for batch in bench.batches for event in batch["events"])
    assert text == "word " * 20_000
    assert bench.outbox.snapshots == 1


def test_urgent_events_and_ends_do_not_break_the_limit() -> None:
    bench = Bench()
    for number in range(400):
        reply = f"r{number}"
        bench.run.emit(ReplyStartEvent(session_id="s", reply_id=reply, name="a"))
        bench.run.emit(ReplyEndEvent(session_id="s", reply_id=reply))
        bench.loop.advance(0.005)
    bench.loop.advance(2.0)
    assert busiest_second([at for at, _ in bench.sent]) <= 31
    assert bench.batches[-1]["seq1"] == 800


def test_a_prompt_leaves_at_once() -> None:
    bench = Bench()
    bench.start()
    bench.loop.advance(INTERVAL_S)
    bench.run.emit(delta())  # would wait for the next batch
    bench.run.emit(RequireUserConfirmEvent(reply_id="r", tool_calls=[]))
    before = bench.loop.now
    bench.loop.advance(0.0)
    assert bench.sent[-1][0] == before
    assert [event["type"] for event in bench.batches[-1]["events"]] == ["TEXT_BLOCK_DELTA", "REQUIRE_USER_CONFIRM"]


def test_an_answer_leaves_before_the_next_batch() -> None:
    bench = Bench()
    bench.start()
    bench.loop.advance(0.0)
    bench.run.emit(*(delta() for _ in range(10)))
    bench.outbox.answer(Ack(id="1"))
    before = bench.loop.now
    bench.loop.advance(0.0)
    assert (bench.sent[-1][0], bench.sent[-1][1]["type"]) == (before, "ack")


def test_messages_are_numbered_without_gaps_and_batches_join() -> None:
    bench = Bench()
    bench.start()
    for number in range(2_000):
        bench.run.emit(delta())
        if number % 100 == 0:
            bench.outbox.answer(Ack(id=str(number)))
        bench.loop.advance(0.001)
    bench.loop.advance(1.0)
    assert [message["n"] for _, message in bench.sent] == list(range(1, len(bench.sent) + 1))
    seen = 0
    for batch in bench.batches:
        assert batch["seq0"] == seen
        seen = batch["seq1"]
    assert seen == len(bench.run.log)


def test_only_events_that_are_no_deltas_say_when_they_were_recorded() -> None:
    bench = Bench()
    bench.start()
    bench.run.emit(delta(), delta())
    bench.loop.advance(0.1)
    events = [event for batch in bench.batches for event in batch["events"]]
    assert [event["type"] for event in events] == ["REPLY_START", "TEXT_BLOCK_START", "TEXT_BLOCK_DELTA"]
    assert [event.get("recorded", {}).get("seq") for event in events] == [0, 1, None]


def test_a_burst_is_split_below_the_limit() -> None:
    bench = Bench()
    bench.start()
    for number in range(1_000):  # nothing to join: each is 1 kB
        bench.run.emit(CustomEvent(name="note", value={"number": number, "text": "ä" * 400}))
    bench.loop.advance(3.0)
    sizes = [len(json.dumps(batch, ensure_ascii=False).encode()) for batch in bench.batches]
    assert max(sizes) <= 256_000
    assert len(sizes) >= 1_000 * 1_000 // BATCH_BYTES
    assert bench.batches[-1]["seq1"] == len(bench.run.log)


def test_one_event_that_is_larger_than_a_batch_goes_alone() -> None:
    bench = Bench()
    bench.start()
    bench.run.emit(delta("a"), CustomEvent(name="x"), delta("b" * 400_000), CustomEvent(name="y"))
    bench.loop.advance(1.0)
    large = [batch for batch in bench.batches if len(json.dumps(batch)) > 256_000]
    assert [len(batch["events"]) for batch in large] == [1]
    assert bench.batches[-1]["seq1"] == len(bench.run.log)


def test_large_payloads_stay_in_the_kernel() -> None:
    bench = Bench()
    bench.run.emit(
        ReplyStartEvent(session_id="s", reply_id="r", name="a"),
        DataBlockStartEvent(reply_id="r", block_id="d", media_type="image/png"),
        DataBlockDeltaEvent(reply_id="r", block_id="d", media_type="image/png", data="QUJD" * 4_096),
    )
    bench.loop.advance(0.1)
    bench.run.emit(
        DataBlockDeltaEvent(reply_id="r", block_id="d", media_type="image/png", data="QUJD" * 4_096 + "QQ==")
    )
    bench.loop.advance(0.1)
    first, second = (e for batch in bench.batches for e in batch["events"] if e["type"] == "DATA_BLOCK_DELTA")
    assert (len(first["data"]), "withheld" in first) == (16_384, False)
    assert (second["data"], second["withheld"]) == ("", 12_289)


def test_the_log_is_flushed_before_each_message() -> None:
    bench = Bench()
    bench.start()
    for _ in range(200):
        bench.run.emit(delta())
        bench.loop.advance(0.001)
    assert all(flushes > number for number, flushes in enumerate(bench.flushed_at_sent))


def test_status_and_pending_travel_without_events() -> None:
    bench = Bench()
    bench.start()
    bench.loop.advance(1.0)
    bench.run.become("waiting")
    bench.loop.advance(0.0)
    last = bench.batches[-1]
    assert (last["events"], last["seq0"], last["seq1"], last["status"], last["pending"]) == ([], 2, 2, "waiting", None)


def test_nothing_is_sent_before_a_view_asks() -> None:
    loop = FakeLoop()
    bench = Bench(loop=loop)
    quiet = Bench(loop=loop)
    quiet.outbox.listening = False
    quiet.sent.clear()
    for each in (bench, quiet):
        each.start()
    loop.advance(1.0)
    assert bench.batches
    assert not quiet.sent
    assert quiet.flushes > 1
    quiet.outbox.sync(0)
    loop.advance(0.1)
    assert [message["type"] for _, message in quiet.sent] == ["snapshot"]
    assert quiet.sent[0][1]["seq"] == 2


def test_many_questions_at_once_are_one_snapshot() -> None:
    bench = Bench()
    bench.start()
    bench.loop.advance(1.0)
    for _ in range(50):
        bench.outbox.sync(0)
    bench.loop.advance(1.0)
    assert bench.outbox.snapshots == 2


def test_sync_of_one_who_has_all_repeats_the_state() -> None:
    bench = Bench()
    bench.start()
    bench.loop.advance(1.0)
    before = len(bench.sent)
    bench.outbox.sync(2)
    bench.loop.advance(0.1)
    kinds = Counter(message["type"] for _, message in bench.sent[before:])
    assert kinds == {"ack": 1, "batch": 1}
    assert bench.batches[-1]["pending"] == []


@pytest.mark.parametrize("runs", [20])
def test_all_runs_together_stay_below_the_kernels_limit(runs: int) -> None:
    loop = FakeLoop()
    bucket = TokenBucket(rate=160, burst=40, clock=loop.time)
    benches = [Bench(bucket, loop) for _ in range(runs)]
    for bench in benches:
        bench.start()
    for _ in range(300):
        for bench in benches:
            bench.run.emit(delta(), CustomEvent(name="x"))
        loop.advance(0.01)
    loop.advance(2.0)
    times = sorted(at for bench in benches for at, _ in bench.sent)
    assert busiest_second(times[::1]) <= 200
    counts = [len(bench.sent) for bench in benches]
    assert min(counts) > 0.7 * max(counts)  # nobody starves
    assert all(bench.batches[-1]["seq1"] == len(bench.run.log) for bench in benches)


def test_a_failing_send_does_not_stop_the_next() -> None:
    bench = Bench()
    failures = []

    def send(message: dict[str, Any], _buffers: Any) -> None:
        if not failures:
            failures.append(message)
            raise RuntimeError("comm is closed")
        bench.sent.append((bench.loop.now, message))

    bench.outbox._send = send
    bench.start()
    with pytest.raises(RuntimeError, match="comm is closed"):
        bench.loop.advance(0.1)
    bench.run.emit(ToolCallStartEvent(reply_id="r", tool_call_id="c", tool_call_name="t"))
    bench.loop.advance(0.1)
    assert bench.batches[-1]["seq0"] > 0
    assert bench.sent[-1][1]["n"] == failures[0]["n"] + 1  # the page sees the gap and asks
