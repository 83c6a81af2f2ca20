"""What a reply costs through our Agent, per event, beside AgentScope's Agent with the same script.

    python -m benchmarks.agent             # best of 9; most of the time is AgentScope's

One reply of 10,000 deltas and 100 tool calls: 20 rounds of one text of 500 deltas (24 characters each) and 5 calls of a
concurrent, read-only async tool, then a last word. Each package's own scripted model gives the chunks, its own loop makes the
events, and its own message takes them up; the reader only keeps them. Neither model nor tool waits for anything. Time is the
processor's; the two take turns, so that what else the machine does meets both. AgentScope's context window is so large that it
never compresses.

The two streams must have the same event types, equally often, and ours must fold into the message that our agent remembers. Exit
status 1 if that is not so, or if ours costs more than half of AgentScope's.
"""

import argparse
import asyncio
import gc
import sys
import time
import warnings
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from typing import Any

import agentscope
import agentscope.message as as_message
from agentscope.agent import Agent as AgentScopeAgent
from agentscope.agent import InjectionConfig, ReActConfig
from agentscope.credential import CredentialBase
from agentscope.formatter import FormatterBase
from agentscope.model import ChatModelBase, ChatResponse
from agentscope.tool import FunctionTool
from agentscope.tool import Toolkit as AgentScopeToolkit

from nb_agentscope import Agent, ScriptedModel, UserMsg, tool
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.stream import fold

GOAL = 0.5
"""Our cost per event, at most so much of AgentScope's."""
ROUNDS, DELTAS, CALLS, LENGTH = 20, 500, 5, 24
INPUT = '{"number": 7}'
Events = list[Any]


def words(number: int) -> str:
    """One delta's text."""
    return f"{number % 10_000:04} is the number so far. "[:LENGTH].ljust(LENGTH)


async def look_up(number: int) -> str:
    """Give the square of a number.

    Args:
        number (int): Any.
    """
    return str(number * number)


def call_ids(turn: int) -> list[str]:
    return [f"c{turn}-{place}" for place in range(CALLS)]


def ours() -> Agent:
    text = "".join(words(number) for number in range(DELTAS))
    turns: list[Any] = [
        [text, *(ToolCallBlock(id=id, name="look_up", input=INPUT) for id in call_ids(turn))] for turn in range(ROUNDS)
    ]
    model = ScriptedModel([*turns, ["Done."]], chunk_size=LENGTH)
    return Agent("Friday", "You are Friday.", model, [tool(look_up, read_only=True, concurrent=True)])


class NoFormat(FormatterBase):
    """The script reads no prompt, so that nothing has to be formatted."""

    async def format(self, *_args: Any, **_kwargs: Any) -> list[dict[str, Any]]:
        return []


class ScriptedChatModel(ChatModelBase):
    """The same chunks, for AgentScope."""

    def __init__(self) -> None:
        super().__init__(
            CredentialBase(), "scripted", self.Parameters(), stream=True, max_retries=0, context_size=10**9
        )
        self.formatter = NoFormat(input_types=["text/plain"])
        self.turn = 0

    async def _call_api(self, *_args: Any, **_kwargs: Any) -> AsyncGenerator[Any, None]:
        self.turn += 1
        return self._stream(self.turn - 1)

    async def _stream(self, turn: int) -> AsyncGenerator[Any, None]:
        if turn == ROUNDS:
            yield ChatResponse(content=[as_message.TextBlock(text="Done.", id="t")], is_last=False)
            return
        for number in range(DELTAS):
            await asyncio.sleep(0)
            yield ChatResponse(content=[as_message.TextBlock(text=words(number), id="t")], is_last=False)
        for id in call_ids(turn):
            await asyncio.sleep(0)
            yield ChatResponse(content=[as_message.ToolCallBlock(id=id, name="look_up", input=INPUT)], is_last=False)


def theirs() -> AgentScopeAgent:
    look = FunctionTool(look_up, is_concurrency_safe=True, is_read_only=True)
    return AgentScopeAgent(
        name="Friday",
        system_prompt="You are Friday.",
        model=ScriptedChatModel(),
        toolkit=AgentScopeToolkit(tools=[look]),
        react_config=ReActConfig(max_iters=50),
        injection_config=InjectionConfig(inject_runtime_state=False),
    )


async def read(agent: Any, msg: Any) -> Events:
    return [event async for event in agent.reply_stream(msg)]


def run(make: Callable[[], Any], msg: Any) -> tuple[float, Events, Any]:
    """Processor seconds of one reply, its events, and the agent."""
    agent = make()
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        events = asyncio.run(read(agent, msg))
        return time.process_time() - begun, events, agent
    finally:
        gc.enable()


def best(rounds: int) -> list[tuple[float, Events, Any]]:
    """The fastest of ours and of theirs."""
    sides = ((ours, UserMsg("user", "Go.")), (theirs, as_message.UserMsg("user", "Go.")))
    results = [[run(make, msg) for make, msg in sides] for _ in range(rounds)]
    return [min(side, key=lambda result: result[0]) for side in zip(*results, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="best of so many (default 9)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    (our_s, our_events, our_agent), (their_s, their_events, _) = best(options.rounds)
    print(f"Python {sys.version.split()[0]}, agentscope {agentscope.__version__}; best of {options.rounds}")
    print(f"{'':14}{'events':>9}{'seconds':>10}{'per event':>12}")
    per_event = []
    for name, seconds, events in (("ours", our_s, our_events), ("agentscope", their_s, their_events)):
        per_event.append(seconds / len(events) * 1e6)
        print(f"{name:14}{len(events):9,}{seconds:10.3f}{per_event[-1]:10.1f}µs")
    share = per_event[0] / per_event[1]
    print(f"ours costs {share:.2f} of agentscope's per event; the goal is at most {GOAL}")
    missed = [f"ours costs {share:.2f} of agentscope's"] if share > GOAL else []
    counts = [Counter(str(getattr(e.type, "value", e.type)) for e in events) for events in (our_events, their_events)]
    if counts[0] != counts[1]:
        missed.append(
            f"the streams differ: {counts[0] - counts[1]} only ours, {counts[1] - counts[0]} only agentscope's"
        )
    if fold(our_events) != our_agent.state.context[-1]:
        missed.append("our stream does not fold into what our agent remembers")
    for sentence in missed:
        print("MISSED", sentence)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
