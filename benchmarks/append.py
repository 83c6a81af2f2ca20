"""How fast events fold into a message, beside AgentScope in the same run.

    python -m benchmarks.append            # best of 5; a few minutes, nearly all of them AgentScope's
    python -m benchmarks.append --rounds 2 --slow-rounds 1

Three workloads, each folded by both packages from their own events. A text delta has 24 characters, a few tokens, as many
services send them. AgentScope copies the text so far for each delta, so the factor depends on the length; `--delta 5` (about one
token) is the other end.

Events are made 10,000 at a time while the clock stands still, for both packages alike: a stream's event is folded soon after
it was made, and 300,000 that were made long before (500 MB) would measure how fast the machine reads its memory. The garbage
collector rests, as in `timeit`: its cost depends on all that is loaded and not on who folds. The time (the processor's:
others may use the machine) includes a read of every block after each 10,000 events and one `model_dump_json` at the end.
Afterwards the two results are compared: they must be equal except for what a reader's clock and id factory make. Exit status
1 if a goal is missed or results differ.
"""

import argparse
import base64
import gc
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any, NamedTuple

import agentscope.event
import agentscope.message

import nb_agentscope.event
import nb_agentscope.message

READ_EVERY = 10_000
Dicts = Iterator[dict[str, Any]]


class Package(NamedTuple):
    message: ModuleType
    event: ModuleType


OURS = Package(nb_agentscope.message, nb_agentscope.event)
THEIRS = Package(agentscope.message, agentscope.event)


def words(number: int, length: int) -> str:
    """Text that differs from delta to delta."""
    return f"{number % 10_000:04} is the number so far. "[:length].ljust(length)


def one_block(deltas: int, length: int) -> Dicts:
    yield {"cls": "TextBlockStartEvent", "block_id": "b"}
    for number in range(deltas):
        yield {"cls": "TextBlockDeltaEvent", "block_id": "b", "delta": words(number, length)}


def many_blocks(deltas: int, length: int, blocks: int = 1_000) -> Dicts:
    for number in range(blocks):
        yield {"cls": "TextBlockStartEvent", "block_id": f"b{number}"}
    for number in range(deltas):
        yield {
            "cls": "TextBlockDeltaEvent",
            "block_id": f"b{number % blocks}",
            "delta": words(number, length),
        }


def base64_chunks(chunks: int, _length: int) -> Dicts:
    yield {"cls": "DataBlockStartEvent", "block_id": "b", "media_type": "audio/wav"}
    for number in range(chunks):
        data = base64.b64encode(bytes((number + i) % 256 for i in range(1_000))).decode()
        yield {"cls": "DataBlockDeltaEvent", "block_id": "b", "media_type": "audio/wav", "data": data}


class Case(NamedTuple):
    name: str
    make: Callable[[int, int], Dicts]
    size: int
    goal: float
    """At least this many times as fast as AgentScope."""
    slow: bool
    """AgentScope needs a minute or more."""


CASES = [
    Case("text deltas in one block", one_block, 300_000, 50, slow=True),
    Case("text deltas over 1,000 blocks", many_blocks, 30_000, 20, slow=False),
    Case("base64 chunks of 1,000 bytes", base64_chunks, 4_000, 100, slow=True),
]
GROWTH_GOAL = 12.0


def build(package: Package, dicts: Dicts) -> Iterator[Any]:
    for number, fields in enumerate(dicts):
        cls = getattr(package.event, fields.pop("cls"))
        yield cls(id=f"e{number}", created_at="2026-03-01T09:00:00", reply_id="r", **fields)


def read(msg: Any) -> int:
    """Look at every block as a reader would."""
    return sum(len(block.text if block.type == "text" else block.source.data) for block in msg.content)


def run(package: Package, dicts: Dicts) -> tuple[float, str]:
    """Seconds without making the events, and the message as JSON."""
    msg = package.message.AssistantMsg(name="a", content=[], id="r")
    events = build(package, dicts)
    seconds = 0.0
    gc.collect()
    gc.disable()
    try:
        while part := list(islice(events, READ_EVERY)):
            begun = time.process_time()
            for event in part:
                msg.append_event(event)
            read(msg)
            seconds += time.process_time() - begun
        begun = time.process_time()
        text = msg.model_dump_json()
        return seconds + time.process_time() - begun, text
    finally:
        gc.enable()


def best(package: Package, case: Case, length: int, rounds: int) -> tuple[float, str]:
    results = [run(package, case.make(case.size, length)) for _ in range(rounds)]
    return min(seconds for seconds, _ in results), results[-1][1]


def growth(case: Case, length: int, rounds: int) -> float:
    """What ten times the deltas cost; both sizes take turns, so that what else the machine does meets both."""
    sizes = (case.size // 10, case.size)
    tenth, whole = zip(*([run(OURS, case.make(size, length))[0] for size in sizes] for _ in range(rounds)), strict=True)
    return min(whole) / min(tenth)


def comparable(text: str) -> Any:
    """The message without what the reader's clock makes."""
    msg = json.loads(text)
    for part in [msg, *msg["content"]]:
        part.pop("created_at")
    return msg


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="best of so many (default 5)")
    parser.add_argument(
        "--slow-rounds", type=int, help="AgentScope's rounds where one takes a minute (default: as --rounds)"
    )
    parser.add_argument("--delta", type=int, default=24, help="characters of a text delta (default 24)")
    options = parser.parse_args()
    slow_rounds = options.slow_rounds or options.rounds
    warnings.simplefilter("ignore")
    print(f"Python {sys.version.split()[0]}, agentscope {agentscope.__version__}; best of {options.rounds}", end="")
    print(f", agentscope's slow cases (*) best of {slow_rounds}" if slow_rounds != options.rounds else "")
    print(f"{'':44}{'ours':>10}{'agentscope':>13}{'factor':>9}{'goal':>8}")
    missed = []
    for case in CASES:
        name = f"{case.size:,} {case.name}"
        ours, text = best(OURS, case, options.delta, options.rounds)
        print(f"{name + (' *' if case.slow else ''):44}{ours:9.3f}s", end="", flush=True)
        theirs, expected = best(THEIRS, case, options.delta, slow_rounds if case.slow else options.rounds)
        print(f"{theirs:12.2f}s{theirs / ours:8.0f}x{'>= ' + format(case.goal, '.0f'):>8}")
        if theirs / ours < case.goal:
            missed.append(f"{name}: {theirs / ours:.0f} times as fast, the goal is {case.goal:.0f}")
        if comparable(text) != comparable(expected):
            missed.append(f"{name}: the messages differ")
        if case.make is one_block:
            grown = growth(case, options.delta, options.rounds)
            print(f"  growth from {case.size // 10:,} to {case.size:,}{grown:44.1f}x{f'<= {GROWTH_GOAL:.0f}':>8}")
            if grown > GROWTH_GOAL:
                missed.append(f"{name}: ten times the deltas cost {grown:.1f} times as much")
    for sentence in missed:
        print("MISSED", sentence)
    print("The messages are equal; all goals are reached." if not missed else f"{len(missed)} goals missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
