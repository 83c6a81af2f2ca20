"""A real AgentScope agent with a scripted chat model and a tool that writes a file."""

import asyncio
from pathlib import Path

from agentscope.agent import Agent
from agentscope.credential import CredentialBase
from agentscope.formatter import OpenAIChatFormatter
from agentscope.message import TextBlock, ThinkingBlock, ToolCallBlock
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage
from agentscope.tool import FunctionTool, Toolkit

PAUSE = object()
"""In a turn: the model waits here until it is cancelled."""


class ScriptedChatModel(ChatModelBase):
    """Each call streams the next turn: a list of chunks, each a list of blocks, an exception, or PAUSE."""

    def __init__(self, *turns):
        super().__init__(CredentialBase(), "scripted-model", self.Parameters(), stream=True, max_retries=0)
        self.formatter = OpenAIChatFormatter()
        self.turns = list(turns)
        self.calls = []

    async def _call_api(self, model_name, messages, tools=None, tool_choice=None, **kwargs):
        self.calls.append(messages)
        return self._stream(self.turns.pop(0))

    async def _stream(self, turn):
        for chunk in turn:
            await asyncio.sleep(0)
            if isinstance(chunk, Exception):
                raise chunk
            if chunk is PAUSE:
                await asyncio.Event().wait()
            usage = ChatUsage(input_tokens=12, output_tokens=8, time=0.1)
            yield ChatResponse(content=chunk, is_last=False, usage=usage)


def says(*deltas):
    """A turn that streams text."""
    return [[TextBlock(text=delta, id="m")] for delta in deltas]


def thinks(*deltas):
    return [[ThinkingBlock(thinking=delta, id="k")] for delta in deltas]


def uses(name, input, id="c1"):
    """A turn that calls a tool, its arguments streamed in two parts."""
    half = len(input) // 2
    return [[ToolCallBlock(id=id, name=name, input=part)] for part in (input[:half], input[half:])]


def make_agent(folder, *turns):
    """An agent named Friday whose tool `write_file` writes into `folder`, and asks before."""

    def write_file(path: str, text: str) -> str:
        """Write a text file.

        Args:
            path (str): Where, inside the folder.
            text (str): What.
        """
        Path(folder, path).write_text(text, encoding="utf-8")
        return f"wrote {path}"

    return Agent(
        name="Friday",
        system_prompt="You are Friday.",
        model=ScriptedChatModel(*turns),
        toolkit=Toolkit(tools=[FunctionTool(write_file)]),
    )
