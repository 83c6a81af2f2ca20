"""A chat model for AgentScope that reads from a script, at the pace of a real one: no key, no network.

    model = ScriptedChatModel([[Think("Let me see."), Say("Hello!")], [Say("Bye.")]])

The first inner list answers the first model call, the second the second call, and so on.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentscope.credential import CredentialBase
from agentscope.formatter import FormatterBase
from agentscope.message import TextBlock, ThinkingBlock, ToolCallBlock
from agentscope.model import ChatModelBase, ChatResponse, ChatUsage


@dataclass(frozen=True)
class Think:
    """Thoughts, streamed word by word."""

    text: str


@dataclass(frozen=True)
class Say:
    """Text of the answer, streamed word by word."""

    text: str


@dataclass(frozen=True)
class Call:
    """A tool call; its arguments are streamed as JSON fragments."""

    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


Part = Think | Say | Call
_WORDS = re.compile(r"\s*\S+|\s+$")


class _NoFormat(FormatterBase):
    """The script reads no prompt, so that nothing has to be formatted."""

    async def format(self, *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
        return []


class ScriptedChatModel(ChatModelBase):
    """Answers each call with the next turn of the script; `pace` is the pause per word in seconds."""

    def __init__(self, turns: Sequence[Sequence[Part]], *, pace: float = 0.045, name: str = "scripted-model") -> None:
        super().__init__(CredentialBase(), name, self.Parameters(), stream=True, max_retries=0)
        self.formatter = _NoFormat(input_types=["text/plain", "image/*"])
        self._turns = iter(turns)
        self._pace = pace

    async def _call_api(
        self, model_name: str, messages: list[Any], **kwargs: Any
    ) -> AsyncGenerator[ChatResponse, None]:
        turn = next(self._turns, None)
        if turn is None:
            raise RuntimeError(f"The script of {model_name} is over: it has no turn for this call.")
        prompt_tokens = sum(len(str(message)) for message in messages) // 4
        return self._stream(turn, prompt_tokens)

    async def _stream(self, turn: Sequence[Part], prompt_tokens: int) -> AsyncGenerator[ChatResponse, None]:
        await asyncio.sleep(self._pace * 12)  # the time to the first token
        words = 0
        for number, part in enumerate(turn):
            for chunk in _chunks(part):
                words += 1
                await asyncio.sleep(self._pace)
                yield ChatResponse(content=[_block(part, number, chunk)], is_last=False)
        usage = ChatUsage(input_tokens=prompt_tokens, output_tokens=words * 2, time=words * self._pace)
        yield ChatResponse(content=[], is_last=False, usage=usage)


def _chunks(part: Part) -> list[str]:
    text = json.dumps(part.arguments, ensure_ascii=False) if isinstance(part, Call) else part.text
    return _WORDS.findall(text)


def _block(part: Part, number: int, chunk: str) -> TextBlock | ThinkingBlock | ToolCallBlock:
    if isinstance(part, Think):
        return ThinkingBlock(thinking=chunk, id=f"thinking-{number}")
    if isinstance(part, Say):
        return TextBlock(text=chunk, id=f"text-{number}")
    return ToolCallBlock(id=part.id, name=part.name, input=chunk)
