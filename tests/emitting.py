"""A make-believe agent: emits replies in the order that real ones do, with everything about them chosen at random."""

import base64
from random import Random
from typing import Any

from nb_agentscope import event as ev
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import (
    DataBlock,
    ErrorInfo,
    PermissionRule,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    URLSource,
)

TEXTS = [
    "",
    "a",
    "Hello ",
    "**bold** ",
    "<script>&amp;",
    "\\n\"'",
    "\n\n",
    "naïve ",
    "日本語",
    "👩‍👩‍👧",
    "\u2028",
    "x" * 40,
    '{"k": ',
    "1}",
]
MEDIA = ["image/png", "audio/wav", "application/octet-stream"]
URL = "https://example.org/a.png"
NAMES = ["researcher", "researcher", "<b>helper</b>", "naïve"]
DEEPEST = 2
Step = tuple[type[Any], dict[str, Any]]
Lane = list[Step]
"""The events of one block, or of a whole sub-agent, to be made when their turn comes."""


def step(cls: type[Any], **fields: Any) -> Step:
    return cls, fields


class Emitter:
    """Collects the events of one stream; ids and times count up.

    Some tool calls run a sub-agent, whose events come in between; two may run at once, of one name and with the same ids.
    """

    source = "assistant"
    session_id = "s1"
    depth = 0

    def __init__(self, random: Random) -> None:
        self.random = random
        self.events: list[AgentEvent] = []
        self.made = 0
        self.named = 0
        self.reply_id = ""
        self.names: dict[str, str] = {}
        self.inputs: dict[str, str] = {}

    # -- small things ------

    def emit(self, cls: type[Any], **fields: Any) -> None:
        """Add an event with the next id and time, of this reply unless it is a CUSTOM event."""
        self.made += 1
        if cls is not ev.CustomEvent:
            fields.setdefault("reply_id", self.reply_id)
        stamp = f"2026-03-01T09:{self.made // 60 % 60:02}:{self.made % 60:02}.{self.made:06}Z"
        self.events.append(cls(id=f"e{self.made}", created_at=stamp, **fields))

    def name(self, kind: str) -> str:
        self.named += 1
        return f"{kind}{self.named}"

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def texts(self, most: int = 4) -> list[str]:
        return [self.random.choice(TEXTS) for _ in range(self.random.randint(0, most))]

    def payload(self) -> str:
        return base64.b64encode(bytes(self.random.randrange(256) for _ in range(self.random.randint(0, 5)))).decode()

    def interleave(self, lanes: list[Lane]) -> None:
        """Emit the lanes, each in its own order, overlapping."""
        lanes = [list(lane) for lane in lanes if lane]
        while lanes:
            lane = self.random.choice(lanes)
            cls, fields = lane.pop(0)
            self.emit(cls, **fields)
            lanes = [lane for lane in lanes if lane]

    # -- a reply ------

    def reply(self, number: int, *, last: bool) -> None:
        """One whole reply; the last of a stream may stay parked."""
        self.whole_reply(f"r{number}", may_park=last)

    def whole_reply(self, reply_id: str, *, may_park: bool) -> str:
        """One whole reply, and how it ended."""
        self.reply_id = reply_id
        if self.maybe(0.3):
            self.emit(ev.CustomEvent, name="state_updated", value={"n": self.made, "deep": {"list": [1, None, "x"]}})
        self.start()
        outcome = "completed"
        for _ in range(self.random.randint(0, 2)):
            outcome = self.round(may_park=may_park)
            if outcome != "completed":
                break
        if outcome != "parked":
            self.end(outcome)
        return outcome

    def start(self) -> None:
        self.emit(ev.ReplyStartEvent, session_id=self.session_id, name=self.source.rpartition("/")[2])

    def end(self, outcome: str) -> None:
        if outcome == "completed":
            outcome = self.random.choice(["completed", "completed", "error", "exceed_max_iters"])
        if outcome == "exceed_max_iters":
            self.emit(ev.ExceedMaxItersEvent, name="assistant")
        error = ErrorInfo(type="rate_limit", message="Too many requests.") if outcome == "error" else None
        self.emit(ev.ReplyEndEvent, session_id=self.session_id, finished_reason=outcome, error=error)

    def round(self, *, may_park: bool) -> str:
        """Hints, one model call, and what its tool calls lead to."""
        if self.maybe(0.4):
            self.hint()
        self.emit(ev.ModelCallStartEvent, model_name="scripted")
        calls = [self.name("c") for _ in range(self.random.choice([0, 1, 1, 2, 3]))]
        blocks = [self.random.choice([self.text, self.thinking, self.data])() for _ in range(self.random.randint(0, 3))]
        self.interleave([*blocks, *(self.call(call) for call in calls)])
        self.emit(
            ev.ModelCallEndEvent,
            input_tokens=self.random.choice([0, 12, 300]),
            output_tokens=self.random.choice([0, 7]),
            cache_input_tokens=self.random.choice([0, 5]),
        )
        return self.tools(calls, may_park=may_park)

    def hint(self) -> None:
        blocks = [
            TextBlock(id=self.name("t"), text="Look", created_at="2026-03-01T08:00:00Z"),
            DataBlock(
                id=self.name("d"), source=URLSource(url=URL, media_type="image/png"), created_at="2026-03-01T08:00:00Z"
            ),
        ]
        source = self.random.choice([None, '{"label": "Time"}'])
        self.emit(
            ev.HintBlockEvent, block_id=self.name("h"), source=source, hint=self.random.choice(["It is 9.", blocks])
        )

    # -- lanes ------

    def text(self) -> Lane:
        block = self.name("b")
        deltas = [step(ev.TextBlockDeltaEvent, block_id=block, delta=text) for text in self.texts()]
        final = self.random.choice([None, None, None, "", "The final text."])
        start = step(ev.TextBlockStartEvent, block_id=block)
        return [start, *deltas, step(ev.TextBlockEndEvent, block_id=block, text=final)]

    def thinking(self) -> Lane:
        block = self.name("k")
        deltas = [step(ev.ThinkingBlockDeltaEvent, block_id=block, delta=text) for text in self.texts()]
        start = step(ev.ThinkingBlockStartEvent, block_id=block)
        return [start, *deltas, step(ev.ThinkingBlockEndEvent, block_id=block)]

    def data(self) -> Lane:
        block, media = self.name("d"), self.random.choice(MEDIA)
        start = step(ev.DataBlockStartEvent, block_id=block, media_type=media, name=self.random.choice([None, "a.png"]))
        if self.maybe(0.3):
            deltas = [step(ev.DataBlockDeltaEvent, block_id=block, media_type="image/webp", url=URL)]
        else:
            chunks = [self.payload() for _ in range(self.random.randint(0, 4))]
            deltas = [step(ev.DataBlockDeltaEvent, block_id=block, media_type=media, data=chunk) for chunk in chunks]
        return [start, *deltas, step(ev.DataBlockEndEvent, block_id=block)]

    def call(self, call: str) -> Lane:
        self.names[call] = self.random.choice(["read_file", "delete_file"])
        chunks = self.texts(3)
        self.inputs[call] = "".join(chunks)
        deltas = [step(ev.ToolCallDeltaEvent, tool_call_id=call, delta=chunk) for chunk in chunks]
        start = step(ev.ToolCallStartEvent, tool_call_id=call, tool_call_name=self.names[call])
        return [start, *deltas, step(ev.ToolCallEndEvent, tool_call_id=call)]

    def output(self, call: str) -> Lane:
        """Text and data of a result; data with one id is one payload."""
        blocks = [self.name("o"), self.name("o")]
        lane: Lane = []
        for _ in range(self.random.randint(0, 5)):
            if self.maybe(0.5):
                lane.append(step(ev.ToolResultTextDeltaEvent, tool_call_id=call, delta=self.random.choice(TEXTS)))
                continue
            block = self.random.choice(blocks)
            given = {"url": URL} if self.maybe(0.2) else {"data": self.payload()}
            media = self.random.choice(MEDIA)
            lane.append(step(ev.ToolResultDataDeltaEvent, tool_call_id=call, block_id=block, media_type=media, **given))
        if self.maybe(0.2):
            value = {"progress": 0.5, "total": 1.0, "message": "half", "reply_id": self.reply_id, "tool_call_id": call}
            lane.append(step(ev.CustomEvent, name="mcp_progress", value=value))
        return lane

    def result(self, call: str, state: str, *, started: bool = False) -> Lane:
        """A whole result; an external one was started when it was asked for."""
        start = [] if started else [step(ev.ToolResultStartEvent, tool_call_id=call, tool_call_name=self.names[call])]
        metadata = self.random.choice([{}, {"rows": 3, "deep": {"list": [1]}}, {"source": "wikipedia"}])
        end = step(ev.ToolResultEndEvent, tool_call_id=call, state=state, metadata=metadata)
        return [*start, *self.output(call), end]

    def running(self, call: str, state: str, *, may_park: bool = False) -> Lane:
        """A whole result, which a sub-agent may make; without an end if that stays parked."""
        lane = self.result(call, state)
        if self.depth == DEEPEST or not self.maybe(0.7 if may_park else 0.4 - 0.2 * self.depth):
            return lane
        child = NestedEmitter(self, call)
        parked = child.whole_reply(f"{self.reply_id}/{call}", may_park=may_park and child.has_parents) == "parked"
        return [lane[0], *child.steps] if parked else [lane[0], *child.steps, *lane[1:]]

    # -- tools, people, programs outside ------

    def tools(self, calls: list[str], *, may_park: bool) -> str:
        """Run, ask for and hand out the calls; resume until all have results, or end parked or interrupted."""
        plans = {call: self.random.choice(["run", "run", "ask", "external", "both"]) for call in calls}
        ran = {
            call: self.running(call, self.random.choice(["success", "error"]), may_park=may_park)
            for call in calls
            if plans[call] == "run"
        }
        self.interleave(list(ran.values()))
        asking = [call for call in calls if plans[call] in ("ask", "both")]
        outside = [call for call in calls if plans[call] == "external"]
        for call in asking:
            self.ask(call)
        for call in outside:
            self.hand_out(call)
        if not all(self.is_end(lane[-1], call) for call, lane in ran.items()):
            return "parked"
        while asking or outside:
            if may_park and self.maybe(0.5):
                return "parked"
            if self.maybe(0.15):
                self.interrupt(asking, outside)
                return "interrupted"
            if asking and (not outside or self.maybe(0.5)):
                asking, outside = self.decide(asking, outside, plans)
            else:
                outside = self.answer(outside)
        return "completed"

    @staticmethod
    def is_end(last: Step, call: str) -> bool:
        return last[0] is ev.ToolResultEndEvent and last[1]["tool_call_id"] == call and "reply_id" not in last[1]

    def block(self, call: str, state: str) -> ToolCallBlock:
        rule = PermissionRule(tool_name=self.names[call], rule_content=None, behavior="allow", source="suggested")
        rules = [rule] if self.maybe(0.7) else []
        made = "2026-03-01T09:00:00Z"
        return ToolCallBlock(
            id=call, name=self.names[call], input=self.inputs[call], state=state, suggested_rules=rules, created_at=made
        )

    def ask(self, call: str) -> None:
        self.emit(ev.RequireUserConfirmEvent, tool_calls=[self.block(call, "asking")])

    def hand_out(self, call: str) -> None:
        self.emit(ev.ToolResultStartEvent, tool_call_id=call, tool_call_name=self.names[call])
        self.emit(ev.RequireExternalExecutionEvent, tool_calls=[self.block(call, "submitted")])

    def resume(self) -> None:
        """A service sends REPLY_START again, an agent does not."""
        if self.maybe(0.5):
            self.start()

    def decide(self, asking: list[str], outside: list[str], plans: dict[str, str]) -> tuple[list[str], list[str]]:
        """A person decides on some of the asking calls; denied ones come first, allowed ones run or go outside."""
        some = asking[: self.random.randint(1, len(asking))]
        allowed = [call for call in some if self.maybe(0.6)]
        results = []
        for call in some:
            block = self.block(call, "asking")
            rules = block.suggested_rules or None
            results.append(ev.ConfirmResult(confirmed=call in allowed, tool_call=block, rules=rules))
        self.emit(ev.UserConfirmResultEvent, confirm_results=results)
        self.resume()
        for call in some:
            if call not in allowed:
                self.interleave([self.result(call, "denied")])
        self.interleave([self.running(call, "success") for call in allowed if plans[call] == "ask"])
        handed = [call for call in allowed if plans[call] == "both"]
        for call in handed:
            self.hand_out(call)
        return [call for call in asking if call not in some], outside + handed

    def answer(self, outside: list[str]) -> list[str]:
        """A program outside gives the result of one call; the agent repeats it as deltas."""
        call, *rest = outside
        block = ToolResultBlock(
            id=call,
            name=self.names[call],
            output="done",
            state="success",
            metadata={"by": ["x"]},
            created_at="2026-03-01T09:00:00Z",
        )
        self.emit(ev.ExternalExecutionResultEvent, execution_results=[block])
        self.resume()
        self.interleave([self.result(call, "success", started=True)])
        return rest

    def interrupt(self, asking: list[str], outside: list[str]) -> None:
        self.emit(ev.UserInterruptEvent)
        for call in outside:
            self.interleave([self.result(call, "interrupted", started=True)])
        for call in asking:
            self.interleave([self.result(call, "interrupted")])


class NestedEmitter(Emitter):
    """A sub-agent: collects steps, for its parent to emit among its own; its ids are those that others use, too."""

    def __init__(self, parent: Emitter, call: str) -> None:
        super().__init__(parent.random)
        self.has_parents = self.maybe(0.8)
        self.steps: Lane = []
        self.depth = parent.depth + 1
        self.session_id = f"{parent.session_id}/{call}"
        self.source = f"{parent.source}/{self.random.choice(NAMES)}"
        self.tags = {"source": self.source, "parent_reply_id": parent.reply_id, "parent_tool_call_id": call}
        if not self.has_parents:  # as from another system: then nothing but the name tells lanes apart
            self.source = f"elsewhere/{parent.reply_id}/{call}"
            self.tags = {"source": self.source}

    def emit(self, cls: type[Any], **fields: Any) -> None:
        deeper = "reply_id" in fields or (cls is ev.CustomEvent and "metadata" in fields)
        if not deeper:
            fields["metadata"] = {**fields.get("metadata", {}), **self.tags}
            if cls is not ev.CustomEvent:
                fields["reply_id"] = self.reply_id
        self.steps.append(step(cls, **fields))
