"""An agent whose tools say when they run, and whose model says what a test has drawn."""

import asyncio
from collections import deque

from nb_agentscope import Agent, ScriptedModel
from nb_agentscope.agent import AgentState
from nb_agentscope.message import ThinkingBlock, ToolCallBlock
from nb_agentscope.tools import tool
from tests.agent.clock import JumpingLoop
from tests.agent.oracle import WORKING_DIR, Oracle


class ScriptedError(Exception):
    """What a model raises by its script."""


class World:
    """One agent, its tools, its clock and its oracle."""

    def __init__(self, mode="default", rules=(), max_iters=3, max_retries=0, max_parallel=8):
        self.loop = JumpingLoop()
        self.accidents = []
        self.loop.set_exception_handler(lambda _, context: self.accidents.append(context))
        self.oracle = Oracle(mode, list(rules), max_iters)
        self.answers = deque()
        self.model = ScriptedModel(self._answer, chunk_size=None, delay=1.0)
        self.limits = {"max_iters": max_iters, "max_retries": max_retries, "max_parallel": max_parallel}
        self.tools = self._tools()
        self.agent = Agent(
            "worker",
            "Work.",
            self.model,
            self.tools,
            mode=mode,
            rules=rules,
            working_dirs=[WORKING_DIR],
            **self.limits,
        )
        self._number = 0

    def reload(self):
        """Another agent, as in a new process: all it knows is the written state."""
        written = self.agent.state.model_dump_json()
        state = AgentState.model_validate_json(written)
        assert state == AgentState.model_validate(self.agent.state.model_dump(mode="json"))
        assert state.model_dump_json() == written
        self.agent = Agent("worker", "Work.", self.model, self.tools, state=state, **self.limits)

    def number(self):
        self._number += 1
        return self._number

    def script(self, rounds):
        """What the model says next; see `scripts.rounds`."""
        self.answers = deque([self._item(item, place) for place, item in enumerate(items)] for items in rounds)

    def arguments(self, name, kind="good"):
        n = self.number()
        folder = {"outside": "/etc/passwd", "sensitive": f"{WORKING_DIR}/.git/config"}.get(kind, f"{WORKING_DIR}/a")
        more = f', "path": "{folder}"' if name == "edit" else ""
        return {
            "empty": "",
            "nonsense": "nonsense",
            "wrong": f'{{"n": "no {n}"{more}}}',
            "extra": f'{{"n": {n}{more}, "more": 1}}',
            "cut": f'{{"n": {n}{more}',
            "text": f'{{"n": "{n}"{more}}}',
        }.get(kind, f'{{"n": {n}{more}}}')

    def _item(self, item, place):
        match item:
            case ("text", text):
                return text
            case ("thinking", text):
                return ThinkingBlock(thinking=text)
            case ("error",):
                return ScriptedError("the model broke")
            case ("call", name, kind, same_id):
                id = "c0" if same_id else f"c{place}"
                return ToolCallBlock(id=id, name=name, input=self.arguments(name, kind))
        raise AssertionError(item)

    def _answer(self, messages, tools):
        return self.answers.popleft() if self.answers else "Done."

    def _tools(self):
        ran, nap = self.oracle.ran, self.loop.nap

        async def look(n: int) -> str:
            ran("look", n=n)
            return f"saw {n}"

        def peek(n: int) -> str:
            ran("peek", n=n)
            nap(1)
            return f"peeked at {n}"

        async def wait(n: int) -> str:
            ran("wait", n=n)
            await asyncio.sleep(3)
            return f"waited for {n}"

        def press(n: int) -> dict[str, int]:
            ran("press", n=n)
            nap(2)
            return {"pressed": n}

        async def count(n: int):
            ran("count", n=n)
            for step in range(3):
                yield f"{step} "
                await asyncio.sleep(1)

        def rows(n: int):
            ran("rows", n=n)
            for step in range(3):
                yield f"row {step}\n"
                nap(1)

        async def fail(n: int) -> str:
            ran("fail", n=n)
            await asyncio.sleep(1)
            raise OSError(f"no {n}")

        async def deaf(n: int) -> str:
            ran("deaf", n=n)
            try:
                await asyncio.sleep(2)
            except asyncio.CancelledError:
                await asyncio.sleep(2)
            return f"finished {n}"

        async def edit(n: int, path: str) -> str:
            ran("edit", n=n, path=path)
            return f"edited {path}"

        def outside(n: int) -> str:
            raise AssertionError(f"an external tool ran: {n}")

        return [
            tool(look, read_only=True),
            tool(peek, read_only=True),
            tool(outside, name="read_out", read_only=True, external=True),
            tool(outside, name="ask_out", external=True),
            tool(wait, concurrent=True),
            tool(press, concurrent=True),
            tool(count, concurrent=True),
            tool(rows, concurrent=True),
            tool(fail, concurrent=True),
            tool(deaf),
            tool(edit, path="path", concurrent=True),
        ]
