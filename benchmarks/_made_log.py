"""A log of any length for benchmarks, as `EventLog` writes it: replies of several models that think, talk, call tools and ask."""

import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Any

from nb_agentscope import event as ev
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.stream import Record, header_event
from nb_agentscope.stream._disk import CHUNK, write_lines
from nb_agentscope.stream._record import direction_of

MODELS = ("large-2026-01", "small-2026-05", "other-provider/medium")
TOOLS = ("read_rows", "delete_file", "search", "draw_chart")
WORDS = (" the", " sales", " of", " region", " grew", " by", " 12", " %", ",", " and", " costs", " naïve", " fell",
         ".\n\n", ' "net"')  # fmt: skip
"""One delta in eight has an escaped character, as in text with paragraphs and quotes; one in fifteen is not ASCII."""
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Maker:
    """The events of one log after the other; the seed makes each run of it the same."""

    def __init__(self, seed: int = 4) -> None:
        self.random = random.Random(seed)
        self.seconds = 0.0

    def id(self) -> str:
        return f"{self.random.getrandbits(128):032x}"

    def event(self, cls: type[Any], after: float = 0.001, /, **fields: Any) -> Any:
        """The event that comes so many seconds after the one before."""
        self.seconds += after * self.random.uniform(0.5, 2)
        created = (BEGIN + timedelta(seconds=self.seconds)).replace(tzinfo=None)
        return cls(id=self.id(), created_at=created.isoformat(timespec="microseconds"), **fields)

    def log(self) -> Iterator[Any]:
        """A log without end."""
        yield header_event(agent="Friday", model=MODELS[0], tools=TOOLS)
        session = self.id()
        while True:
            yield from self.reply(session)

    def reply(self, session: str) -> Iterator[Any]:
        reply, model = self.id(), self.random.choice(MODELS)
        yield self.event(ev.ReplyStartEvent, 5, session_id=session, reply_id=reply, name="Friday")
        for _ in range(self.random.randint(1, 4)):
            yield from self.model_call(reply, model)
            yield from self.tool_call(reply)
            yield self.event(ev.ModelCallEndEvent, reply_id=reply, **self.usage())
            yield from self.run(reply)
        yield from self.model_call(reply, model)
        yield self.event(ev.ModelCallEndEvent, reply_id=reply, **self.usage())
        yield self.event(ev.ReplyEndEvent, session_id=session, reply_id=reply)

    def usage(self) -> dict[str, int]:
        sizes = (("input_tokens", 9000), ("output_tokens", 400), ("cache_input_tokens", 4000))
        return {name: self.random.randint(2, most) for name, most in sizes}

    def model_call(self, reply: str, model: str) -> Iterator[Any]:
        yield self.event(ev.ModelCallStartEvent, reply_id=reply, model_name=model)
        yield from self.block(reply, "Thinking", self.random.randint(20, 80))
        yield from self.block(reply, "Text", self.random.randint(50, 400))

    def block(self, reply: str, kind: str, deltas: int) -> Iterator[Any]:
        names = {"reply_id": reply, "block_id": self.id()}
        start, delta, end = (getattr(ev, f"{kind}Block{part}Event") for part in ("Start", "Delta", "End"))
        yield self.event(start, 0.5, **names)
        for _ in range(deltas):
            yield self.event(delta, 0.02, **names, delta=self.random.choice(WORDS))
        yield self.event(end, **names)

    def tool_call(self, reply: str) -> Iterator[Any]:
        self.call, self.tool = f"call_{self.id()[:24]}", self.random.choice(TOOLS)
        names = {"reply_id": reply, "tool_call_id": self.call}
        self.input = '{"path": "sales/2026.csv", "columns": ["region", "total"], "limit": 100}'
        yield self.event(ev.ToolCallStartEvent, **names, tool_call_name=self.tool)
        for at in range(0, len(self.input), 6):
            yield self.event(ev.ToolCallDeltaEvent, 0.02, **names, delta=self.input[at : at + 6])
        yield self.event(ev.ToolCallEndEvent, **names)

    def run(self, reply: str) -> Iterator[Any]:
        names = {"reply_id": reply, "tool_call_id": self.call}
        if self.tool == "delete_file":
            block = ToolCallBlock(id=self.call, name=self.tool, input=self.input, state="asking")
            yield self.event(ev.RequireUserConfirmEvent, reply_id=reply, tool_calls=[block])
            result = ev.ConfirmResult(confirmed=self.random.random() < 0.8, tool_call=block)
            yield self.event(ev.UserConfirmResultEvent, 20, reply_id=reply, confirm_results=[result])
            if not result.confirmed:
                yield self.event(ev.ToolResultStartEvent, **names, tool_call_name=self.tool)
                yield self.event(ev.ToolResultEndEvent, **names, state="denied")
                return
        yield self.event(ev.ToolResultStartEvent, **names, tool_call_name=self.tool)
        for _ in range(self.random.randint(1, 6)):
            line = "north,1200,south,900,west,1431,"
            yield self.event(ev.ToolResultTextDeltaEvent, 0.2, **names, delta=line)
        yield self.event(ev.ToolResultEndEvent, **names, state=self.random.choice(["success"] * 9 + ["error"]))


def records(events: int, seed: int = 4) -> Iterator[Record]:
    """So many records; the last reply may be cut."""
    maker = Maker(seed)
    for seq, event in enumerate(islice(maker.log(), events)):
        at = (BEGIN + timedelta(seconds=maker.seconds + 0.0003)).isoformat(timespec="milliseconds")
        by = "user" if event.type == "USER_CONFIRM_RESULT" else None
        yield Record(seq, at, round(100 + maker.seconds, 6), direction_of(event), by, event)


def write(path: Path, events: int, seed: int = 4) -> None:
    """Write a log of so many events, some 15 µs an event."""
    with FileIO(path, "w") as file:
        made = records(events, seed)
        while part := list(islice(made, CHUNK)):
            write_lines(file, part, None)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
