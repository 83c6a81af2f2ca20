"""Law: whatever a channel loses, doubles or reorders, page and kernel end up with the same."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
)
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.stream import Fold
from nb_agentscope.widget._bucket import TokenBucket
from nb_agentscope.widget._outbox import Outbox
from nb_agentscope.widget._parse import parse_client
from nb_agentscope.widget._protocol import Snapshot, Sync, seconds
from nb_agentscope.widget._view import read_pending, read_snapshot
from tests.widget.fakes import FakeLoop, FakeRun
from tests.widget.page import Page


class Channel:
    """Delivers, or does not, or twice, or late."""

    def __init__(self, loop: FakeLoop, random: Random, trouble: float) -> None:
        self.loop, self.random, self.trouble = loop, random, trouble
        self.lost = self.doubled = self.late = 0

    def carry(self, deliver: Any, message: Any) -> None:
        chance = self.random.random()
        if chance < self.trouble:
            self.lost += 1
            return
        delay_s = 0.001
        if chance < 2 * self.trouble:
            self.late += 1
            delay_s = self.random.uniform(0.02, 0.4)
        self.loop.call_later(delay_s, deliver, message)
        if chance > 1 - self.trouble:
            self.doubled += 1
            self.loop.call_later(delay_s + self.random.uniform(0, 0.3), deliver, message)


class Link:
    """A fake run, its outbox and one page, with a troubled channel both ways."""

    def __init__(self, seed: int, trouble: float) -> None:
        self.loop = FakeLoop()
        self.run = FakeRun()
        self.channel = Channel(self.loop, Random(seed), trouble)
        bucket = TokenBucket(rate=160, burst=40, clock=self.loop.time)
        self.outbox = Outbox(self._to_page, self, bucket=bucket, loop=self.loop)  # type: ignore[arg-type]
        self.run.subscribe(
            lambda kind, record, events: self.outbox.push(record, events) if record else self.outbox.push_state()
        )
        self.page = Page(self.loop, lambda message: self.channel.carry(self._to_kernel, message))

    def _to_page(self, message: dict[str, Any], _buffers: Any) -> None:
        self.channel.carry(lambda text: self.page.receive(json.loads(text)), json.dumps(message))

    def _to_kernel(self, message: dict[str, Any]) -> None:
        sync = parse_client(message)
        assert isinstance(sync, Sync)
        self.outbox.sync(sync.have)

    def flush_log(self) -> None:
        pass

    def snapshot(self) -> Snapshot:
        return read_snapshot(self.run, live=True)  # type: ignore[arg-type]

    def state(self) -> Any:
        return self.run.status, read_pending(self.run), seconds(1.0)  # type: ignore[arg-type]


def play(link: Link, random: Random, blocks: int) -> None:
    run, call = link.run, ToolCallBlock(id="c", name="rm", input="{}")
    run.emit(ReplyStartEvent(session_id="s", reply_id="r", name="Ann"))
    for block in range(blocks):
        run.emit(TextBlockStartEvent(reply_id="r", block_id=f"b{block}"))
        for word in range(random.randrange(30)):
            run.emit(TextBlockDeltaEvent(reply_id="r", block_id=f"b{block}", delta=f"{word} "))
            link.loop.advance(random.choice([0.0, 0.001, 0.05, 0.5]))
        run.emit(TextBlockEndEvent(reply_id="r", block_id=f"b{block}"))
    run.emit(
        ToolCallStartEvent(reply_id="r", tool_call_id="c", tool_call_name="rm"),
        ToolCallDeltaEvent(reply_id="r", tool_call_id="c", delta="{}"),
        ToolCallEndEvent(reply_id="r", tool_call_id="c"),
    )
    run.pending = [
        {"reply_id": "r", "tool_call_id": "c", "name": "rm", "input": "{}", "digest": "d", "kind": "confirm"}
    ]
    run.emit(RequireUserConfirmEvent(reply_id="r", tool_calls=[call]))
    run.become("waiting")


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), trouble=st.sampled_from([0.05, 0.2, 0.4]), blocks=st.integers(1, 6))
def test_pages_converge(seed: int, trouble: float, blocks: int) -> None:
    link = Link(seed, trouble)
    play(link, Random(seed), blocks)
    link.loop.advance(0.5)
    link.channel.trouble = 0.0  # a quiet minute, as the page would have it while a person thinks
    link.loop.advance(60.0)
    assert link.page.dumps == [json.loads(msg.model_dump_json()) for msg in link.run.msgs]
    assert (link.page.seq, link.page.status) == (len(link.run.log), "waiting")
    assert [call["digest"] for call in link.page.pending] == ["d"]
    link.run.pending = []
    link.run.emit(ReplyEndEvent(session_id="s", reply_id="r"))
    link.run.become("finished")
    link.loop.advance(1.0)
    assert (link.page.seq, link.page.status, link.page.pending) == (len(link.run.log), "finished", [])
    assert link.page.dumps[0]["finished_reason"] == "completed"


def test_a_lost_last_state_is_found_by_the_idle_question() -> None:
    link = Link(0, 0.0)
    play(link, Random(0), 1)
    link.loop.advance(1.0)
    link.channel.trouble = 1.0
    link.run.become("running")
    link.loop.advance(0.1)
    link.channel.trouble = 0.0
    assert link.page.status == "waiting"
    link.loop.advance(6.0)
    assert link.page.status == "running"


def test_trouble_is_real_and_a_good_channel_needs_one_snapshot() -> None:
    link = Link(7, 0.3)
    play(link, Random(7), 6)
    link.loop.advance(60.0)
    assert min(link.channel.lost, link.channel.doubled, link.channel.late) > 3
    good = Link(7, 0.0)
    play(good, Random(7), 6)
    good.loop.advance(60.0)
    assert good.outbox.snapshots == 1


@pytest.mark.parametrize("cut", [0, 1, 5, 20])
def test_a_snapshot_and_the_batches_after_it_are_the_whole(cut: int) -> None:
    link = Link(cut, 0.0)
    for number in range(cut):
        event = TextBlockDeltaEvent(reply_id="r", block_id="b", delta=str(number))
        start = [
            ReplyStartEvent(session_id="s", reply_id="r", name="a"),
            TextBlockStartEvent(reply_id="r", block_id="b"),
        ]
        link.run.emit(*(start if number == 0 else []), event)
    link.page.__init__(link.loop, lambda m: link.channel.carry(link._to_kernel, m))  # type: ignore[misc]  # a reload
    link.loop.advance(0.5)
    if cut:
        link.run.emit(*(TextBlockDeltaEvent(reply_id="r", block_id="b", delta=f"t{i}") for i in range(9)))
    link.loop.advance(0.5)
    whole = Fold()
    for event in link.run.log:
        whole.push(event)
    assert link.page.dumps == [json.loads(msg.model_dump_json()) for msg in whole.msgs]
