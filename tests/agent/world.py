"""An agent whose tools say when they run, and whose model says what a test has drawn."""

from collections import deque

from nb_agentscope import Agent, ScriptedModel
from nb_agentscope.agent import AgentState
from nb_agentscope.message import ThinkingBlock, ToolCallBlock
from tests.agent.clock import JumpingLoop
from tests.agent.oracle import WORKING_DIR, Oracle
from tests.agent.toolbox import asking, odd, outside, reading


class ScriptedError(Exception):
    """What a model raises by its script."""


class World:
    """One agent, its tools, its clock and its oracle."""

    def __init__(
        self,
        mode="default",
        rules=(),
        max_iters=3,
        max_retries=0,
        max_parallel=8,
        loop=None,
        more_tools=(),
        name="worker",
    ):
        self.loop = loop or JumpingLoop()
        self.accidents = []
        self.loop.set_exception_handler(lambda _, context: self.accidents.append(context))
        self.oracle = Oracle(mode, list(rules), max_iters)
        self.answers = deque()
        self.model = ScriptedModel(self._answer, chunk_size=None, delay=1.0)
        ran, nap = self.oracle.ran, self.loop.nap
        self.limits = {"max_iters": max_iters, "max_retries": max_retries, "max_parallel": max_parallel}
        self.tools = [*reading(ran, nap), *outside(), *asking(ran, nap), *odd(ran, nap), *more_tools]
        self.agent = Agent(
            name,
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
        self.agent = Agent(self.agent.name, "Work.", self.model, self.tools, state=state, **self.limits)

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
            case ("task",):
                return ToolCallBlock(id=f"c{place}", name="helper", input='{"task": "help"}')
            case ("error",):
                return ScriptedError("the model broke")
            case ("call", name, kind, same_id):
                id = "c0" if same_id else f"c{place}"
                return ToolCallBlock(id=id, name=name, input=self.arguments(name, kind))
        raise AssertionError(item)

    def _answer(self, messages, tools):
        return self.answers.popleft() if self.answers else "Done."
