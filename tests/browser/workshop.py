"""Agents of our own for notebooks under test: their tools write down each call, and some hang where the test says so."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from nb_agentscope import Agent, ScriptedModel, tool
from nb_agentscope.message import Msg, ToolCallBlock
from nb_agentscope.model import ChatChunk, ToolSpec
from nb_agentscope.tools import Tool
from tests.browser.fakes import Gates

TEXT = "Grüße aus dem Notizbuch\n"
CHANGED = "Geändert von Hand\n"
AFTER = "After the stop, all is well."
"""What every agent says to the second message."""


def sha256(data: bytes) -> str:
    """The hash of what is, or should be, on disk."""
    return hashlib.sha256(data).hexdigest()


def use(name: str, **arguments: Any) -> ToolCallBlock:
    """A tool call of a scripted model; its id is the tool's name."""
    return ToolCallBlock(id=f"call-{name}", name=name, input=json.dumps(arguments))


def make_agent(folder: str, what: str) -> Agent:
    """The agent `what`: `write`, `wait`, `block`, `hang`, `swallow` or `lead`, at work in `folder`."""
    return AGENTS[what](Gates(folder))


def tools(gates: Gates) -> list[Tool]:
    """`write_file` asks; `wait` and `block` need no approval and stand at the gate `tool`, on the loop and in a thread."""
    folder = gates.folder

    def note(name: str, **arguments: Any) -> None:
        with (folder / "calls.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"tool": name, **arguments}) + "\n")

    @tool(path="file")
    def write_file(file: str, text: str) -> str:
        """Write a text file."""
        note("write_file", file=file)
        with (folder / file).open("a", encoding="utf-8") as out:  # so that a second run changes the hash
            out.write(text)
        return f"Wrote {file}."

    @tool(read_only=True)
    async def wait() -> str:
        """Wait on the event loop."""
        note("wait")
        await gates.passing("tool")
        (folder / "late.txt").write_text(TEXT, encoding="utf-8")
        return "Waited."

    @tool(read_only=True)
    def block() -> str:
        """Block a thread."""
        note("block")
        (folder / "tool.reached").touch()
        while not (folder / "tool.open").exists():
            time.sleep(0.02)
        (folder / "late.txt").write_text(TEXT, encoding="utf-8")
        return "Blocked."

    return [write_file, wait, block]


class HangingModel:
    """Says a few words, waits at a gate that nobody opens, and swallows this many cancellations; later calls answer."""

    name = "hanging-model"

    def __init__(self, gates: Gates, swallows: int = 0) -> None:
        self._gates = gates
        self._swallows = swallows
        self._calls = 0

    async def stream(
        self, messages: Sequence[Msg], tools: Sequence[ToolSpec] = (), *, tool_choice: str = "auto"
    ) -> AsyncIterator[ChatChunk]:
        """Answer."""
        self._calls += 1
        if self._calls > 1:
            yield ChatChunk(text=AFTER)
            return
        yield ChatChunk(text="Let me think")
        while True:
            try:
                await self._gates.passing("model")
            except asyncio.CancelledError:
                if self._swallows == 0:
                    raise
                self._swallows -= 1
                (self._gates.folder / "swallowed").touch()


def _writer(gates: Gates) -> Agent:
    script = [["I write it down.", use("write_file", file="greeting.txt", text=TEXT)], "That is all.", AFTER]
    return Agent("Friday", "You write.", ScriptedModel(script), tools(gates))


def _caller(name: str) -> Callable[[Gates], Agent]:
    script = [["It may take a while.", use(name)], AFTER]
    return lambda gates: Agent("Friday", "You wait.", ScriptedModel(script), tools(gates))


def _thinker(swallows: int) -> Callable[[Gates], Agent]:
    return lambda gates: Agent("Friday", "You think.", HangingModel(gates, swallows), tools(gates))


def _listener(messages: Sequence[Msg], _: Sequence[ToolSpec]) -> list[Any] | str:
    """Wants to write greeting.txt; told a letter instead, it writes that."""
    results = [block for block in messages[-1].content if block.type == "tool_result"]
    if not results:
        return ["I write it down.", use("write_file", file="greeting.txt", text=TEXT)]
    if len(results) == 1 and "letter.txt" in str(results[0].output):
        call = use("write_file", file="letter.txt", text=TEXT)
        return ["Then a letter.", call.model_copy(update={"id": "call-letter"})]
    return "My work is done."


def _leader(gates: Gates) -> Agent:
    scribe = Agent("scribe", "You write.", ScriptedModel(_listener), tools(gates))
    script = [["The scribe can do that.", use("scribe", task="Write a greeting.")], "The scribe is done."]
    return Agent("Friday", "You lead.", ScriptedModel(script), [scribe.as_tool()])


AGENTS: dict[str, Callable[[Gates], Agent]] = {
    "write": _writer,
    "wait": _caller("wait"),
    "block": _caller("block"),
    "hang": _thinker(0),
    "swallow": _thinker(1),
    "lead": _leader,
}
