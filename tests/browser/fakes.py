"""Agents for notebooks under test: they go on when the test says so, and write down what they were given."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from nb_agentscope import event as ev
from nb_agentscope.message import ToolCallBlock

SESSION = "session-1"


class Gates:
    """Agreements between a test and an agent in a kernel: empty files in one folder."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    async def passing(self, name: str) -> None:
        """For the agent: say that the gate is reached, and wait until it is open."""
        (self.folder / f"{name}.reached").touch()
        while not (self.folder / f"{name}.open").exists():  # noqa: ASYNC110 - the other side is another process
            await asyncio.sleep(0.02)

    def open(self, name: str) -> None:
        """For the test: let the agent through."""
        (self.folder / f"{name}.open").touch()

    def reached(self, name: str) -> bool:
        """For the test: whether the agent stands at the gate, or has passed it."""
        return (self.folder / f"{name}.reached").exists()


class GatedAgent:
    """Says "First words", waits at gate `more`, says the rest, and then does what `then` names.

    Args:
        folder: Where the gates are, and `inputs.jsonl` with what the agent was given, one JSON a line.
        then: `end` the reply, `ask` for an approval, or `fail` with an exception.
    """

    name = "Friday"

    def __init__(self, folder: str, then: str = "end") -> None:
        self.gates = Gates(folder)
        self._then = then
        self._reply = f"reply-{Path(folder).name}"
        self._call = ToolCallBlock(
            id="call-1", name="delete_file", input='{"file": "old.csv", "force": true}', state="asking"
        )

    async def reply_stream(self, inputs: Any) -> AsyncIterator[ev.AgentEvent]:
        """Yield the events of the reply, or of its continuation if `inputs` is an answer."""
        self._note(inputs)
        answer = isinstance(inputs, ev.UserConfirmResultEvent)
        async for item in self._continue(inputs) if answer else self._begin():
            yield item

    def _note(self, inputs: Any) -> None:
        line = {"kind": type(inputs).__name__}
        if isinstance(inputs, ev.UserConfirmResultEvent):
            line["confirmed"] = [result.confirmed for result in inputs.confirm_results]
        with (self.gates.folder / "inputs.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")

    async def _begin(self) -> AsyncIterator[ev.AgentEvent]:
        reply = {"reply_id": self._reply}
        yield ev.ReplyStartEvent(session_id=SESSION, name=self.name, **reply)
        yield ev.ModelCallStartEvent(model_name="scripted-model", **reply)
        yield ev.TextBlockStartEvent(block_id="text-1", **reply)
        yield ev.TextBlockDeltaEvent(block_id="text-1", delta="First words", **reply)
        await self.gates.passing("more")
        yield ev.TextBlockDeltaEvent(block_id="text-1", delta=" and the last words.", **reply)
        if self._then == "fail":
            raise ConnectionError("The model service closed the connection after 18 tokens.")
        yield ev.TextBlockEndEvent(block_id="text-1", **reply)
        if self._then == "ask":
            async for item in self._ask():
                yield item
            return
        yield ev.ModelCallEndEvent(input_tokens=12, output_tokens=8, **reply)
        yield ev.ReplyEndEvent(session_id=SESSION, **reply)

    async def _ask(self) -> AsyncIterator[ev.AgentEvent]:
        call = {"reply_id": self._reply, "tool_call_id": self._call.id}
        yield ev.ToolCallStartEvent(tool_call_name=self._call.name, **call)
        yield ev.ToolCallDeltaEvent(delta=str(self._call.input), **call)
        yield ev.ToolCallEndEvent(**call)
        yield ev.ModelCallEndEvent(reply_id=self._reply, input_tokens=12, output_tokens=8)
        yield ev.RequireUserConfirmEvent(reply_id=self._reply, tool_calls=[self._call])

    async def _continue(self, answer: ev.UserConfirmResultEvent) -> AsyncIterator[ev.AgentEvent]:
        confirmed = answer.confirm_results[0].confirmed
        call = {"reply_id": self._reply, "tool_call_id": self._call.id}
        yield ev.ToolResultStartEvent(tool_call_name=self._call.name, **call)
        yield ev.ToolResultTextDeltaEvent(delta="Deleted old.csv" if confirmed else "The user said no.", **call)
        yield ev.ToolResultEndEvent(state="success" if confirmed else "denied", **call)
        text = {"reply_id": self._reply, "block_id": "text-2"}
        yield ev.TextBlockStartEvent(**text)
        yield ev.TextBlockDeltaEvent(delta="All tidy now." if confirmed else "I left it there.", **text)
        yield ev.TextBlockEndEvent(**text)
        yield ev.ReplyEndEvent(session_id=SESSION, reply_id=self._reply)
