"""The conversation as a model gets to see it."""

from __future__ import annotations

from collections.abc import Mapping

from nb_agentscope.agent._state import AgentState, ToRun
from nb_agentscope.message import ContentBlock, Msg, SystemMsg, UserMsg

_LAST = (
    "You have used all the rounds that you may take, so no tool can be called. Answer now with what you have found out."
)
_OWED = "You have used all the rounds that you may take. Give the output now, with what you have found out."


def model_messages(state: AgentState, system_prompt: str, *, last: bool, owed: bool = False) -> list[Msg]:
    """System prompt and context; calls that a person changed as they ran.

    Args:
        state: The agent's memory.
        system_prompt: Left out if empty.
        last: Whether no tools may be called; then a last message says so, which is in no event.
        owed: Whether a structured output is, whose tool may be called even so.
    """
    system = [SystemMsg("system", system_prompt)] if system_prompt else []
    context = [_as_run(msg, state.ran[msg.id]) if msg.id in state.ran else msg for msg in state.context]
    return [*system, *context, *([UserMsg("system", _OWED if owed else _LAST)] if last else [])]


def _as_run(msg: Msg, ran: Mapping[str, ToRun]) -> Msg:
    def block_as_run(block: ContentBlock) -> ContentBlock:
        if block.type == "tool_call" and block.id in ran:
            return block.model_copy(update=ran[block.id].model_dump())
        return block

    return msg.model_copy(update={"content": [block_as_run(block) for block in msg.content]})
