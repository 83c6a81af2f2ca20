"""What a live run costs, and whether a page keeps up.

    python -m benchmarks.live              # both parts
    python -m benchmarks.live cost         # (a) logging, folding and queueing an event beside constructing it
    python -m benchmarks.live page         # (b) 50,000 events at 10,000/s to an open JupyterLab; needs Chromium

(a) is the best of 10 rounds over 50,000 text deltas, in slices of 300 as they come within one batch: constructing them, and then
all that a run does with each of them before the next batch: appending to a log that grows on disk, tidying, folding, queueing for
the page, and one flush for the slice.
Seconds are the process's own, so that other work on the machine does not count.
(b) counts what arrives: everything, by batches alone after the first snapshot, at most 31 messages in any second, and the
message that the page has folded is the one that Python has.
Exit status 1 if a goal is missed.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nb_agentscope.event import ReplyStartEvent, TextBlockDeltaEvent, TextBlockStartEvent
from nb_agentscope.run._transcript import Transcript
from nb_agentscope.stream import EventLog
from nb_agentscope.widget._outbox import Outbox

EVENTS = 50_000
SLICE = 300
"""Events of one batch at 10,000 a second."""
ROUNDS = 10


class Quiet:
    """A loop on which nothing is ever due: batches are counted in part (b)."""

    def time(self) -> float:
        return 0.0

    def is_closed(self) -> bool:
        return False

    def call_at(self, *_args: Any, **_options: Any) -> Any:
        return self

    call_later = call_at


def construct() -> list[Any]:
    return [TextBlockDeltaEvent(reply_id="r", block_id="b", delta="word ") for _ in range(SLICE)]


def consume(path: Path) -> Callable[[list[Any]], None]:
    """A log on disk, its fold and an outbox, ready for deltas; the function takes them in and flushes."""
    log = EventLog(path)
    transcript = Transcript(log)
    outbox = Outbox(lambda *_: None, None, loop=Quiet())  # type: ignore[arg-type]
    outbox.listening = True

    def take(events: list[Any]) -> None:
        for event in events:
            added = transcript.write(event)
            if added is not None:
                outbox.push(*added)
        log.flush()

    transcript.flusher.touch = lambda: None  # type: ignore[method-assign]  # no loop runs here: one flush at the end
    take([ReplyStartEvent(session_id="s", reply_id="r", name="a"), TextBlockStartEvent(reply_id="r", block_id="b")])
    return take


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    gc.disable()
    try:
        start = time.process_time()
        result = work()
        return time.process_time() - start, result
    finally:
        gc.enable()


def cost() -> bool:
    made, taken = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            take = consume(Path(folder) / f"{number}.jsonl")
            seconds = [slice_costs(take) for _ in range(EVENTS // SLICE)]
            made.append(sum(construction for construction, _ in seconds))
            taken.append(sum(rest for _, rest in seconds))
    construction, rest = (min(all_seconds) / (EVENTS // SLICE * SLICE) * 1e6 for all_seconds in (made, taken))
    met = rest <= construction
    print(f"(a) constructing an event {construction:.1f} µs; logging, folding and queueing it {rest:.1f} µs")
    print(f"    goal: no more than constructing it: {'met' if met else 'MISSED'}")
    return met


def slice_costs(take: Callable[[list[Any]], None]) -> tuple[float, float]:
    """Seconds for constructing one slice, and for all the rest."""
    construction, events = timed(construct)
    rest, _ = timed(lambda: take(events))
    return construction, rest


AGENT = """
import asyncio, time
from nb_agentscope import wrap
from nb_agentscope.event import *

class Fast:
    name = "fast"
    def __init__(self):
        self.gate = asyncio.Event()
    async def reply_stream(self, inputs):
        yield ReplyStartEvent(session_id="s", reply_id="r", name=self.name)
        yield TextBlockStartEvent(reply_id="r", block_id="b")
        await self.gate.wait()
        start = time.perf_counter()
        for number in range(EVENTS):
            if number % 50 == 0:
                await asyncio.sleep(max(0, start + number / RATE - time.perf_counter()))
            yield TextBlockDeltaEvent(reply_id="r", block_id="b", delta=f"word{number} ")
        yield TextBlockEndEvent(reply_id="r", block_id="b")
        self.seconds = time.perf_counter() - start
        yield ReplyEndEvent(session_id="s", reply_id="r")

agent = Fast()
w = wrap(agent).widget("go", freeze=False, log_to="run.jsonl")
w
"""
HOOK = """
const host = [...document.querySelectorAll('*')].find((element) => element.__nbas);
const store = host.__nbas;
window.heard = [];
const receive = store.receive.bind(store);
store.receive = (message, buffers) => {
  window.heard.push({ at: performance.now(), type: message.type });
  return receive(message, buffers);
};
window.store = store;
"""
READ = "return { heard: window.heard, seq: window.store.state.seq, msg: JSON.stringify(window.store.state.msg) };"
REPORT = """
import json
print(json.dumps({"msg": json.loads(w.msg.model_dump_json()), "seq": len(w.log), "seconds": agent.seconds,
                  "snapshots": w._outbox.snapshots, "sent": w._outbox.sent}))
"""
RATE = 10_000


def page() -> bool:
    from tests.browser.harness import Browser, JupyterServer, wait_until

    with tempfile.TemporaryDirectory() as folder, JupyterServer(Path(folder)) as server, Browser() as browser:
        cell = AGENT.replace("EVENTS", str(EVENTS)).replace("RATE", str(RATE))
        server.write_notebook("live.ipynb", [cell, "agent.gate.set()", REPORT])
        notebook = browser.open(server, "live.ipynb")
        notebook.run_cell(0)
        wait_until(lambda: notebook.output(0).get_by_text("Answering").count() > 0, "the widget is live")
        notebook.js(HOOK)
        notebook.run_cell(1)
        wait_until(
            lambda: notebook.js("return window.store.state.status;") == "finished", "the run has ended", timeout_s=120
        )
        seen = notebook.js(READ)
        kernel = json.loads(notebook.run_cell(2))
        notebook.close()
    return _judge(seen, kernel)


def _judge(seen: dict[str, Any], kernel: dict[str, Any]) -> bool:
    batches = sum(message["type"] == "batch" for message in seen["heard"])
    times = [message["at"] for message in seen["heard"]]
    busiest = max(sum(1 for at in times if start <= at < start + 1_000) for start in times)
    rate = EVENTS / kernel["seconds"]
    goals = {
        f"{seen['seq']:,} of {kernel['seq']:,} records arrived": seen["seq"] == kernel["seq"],
        f"by {batches} batches; {kernel['snapshots']} snapshot(s), the first included": kernel["snapshots"] == 1,
        f"{busiest} messages in the busiest second at the page (goal: 31)": busiest <= 31,
        "the page's folded message is Python's": json.loads(seen["msg"]) == kernel["msg"],
        f"{rate:,.0f} events/s from the agent (goal: 9,000 or more)": rate >= 9_000,
    }
    print(f"(b) {EVENTS:,} events to an open JupyterLab page in {kernel['seconds']:.1f} s")
    for words, met in goals.items():
        print(f"    {words}: {'met' if met else 'MISSED'}")
    return all(goals.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=["cost", "page"])
    part = parser.parse_args().part
    parts = {"cost": cost, "page": page}
    results = [run() for name, run in parts.items() if part in (None, name)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
