"""Records `approval.jsonl` again: python notebooks/recordings/record.py (needs the extra `agentscope`).

The recording is a fact: what a real AgentScope agent emitted, with its real pauses, one event as JSON a line. What the
person answered stands where it was handed in, because the agent does not repeat it.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from agentscope.event import AgentEvent, ConfirmResult, RequireUserConfirmEvent, UserConfirmResultEvent
from agentscope.message import UserMsg
from desk import desk_agent, fill

TASK = "Summarise the sales of 2026 and tidy the folder."
THINKING_TIME_S = 2.0


async def approved_run(folder: Path) -> AsyncIterator[AgentEvent]:
    """Yield all events of a reply whose every question is answered with yes."""
    agent = desk_agent(folder)
    inputs: UserMsg | UserConfirmResultEvent | None = UserMsg("user", TASK)
    while inputs is not None:
        question = None
        async for event in agent.reply_stream(inputs):
            yield event
            if isinstance(event, RequireUserConfirmEvent):
                question = event
        inputs = None
        if question is not None:
            await asyncio.sleep(THINKING_TIME_S)
            inputs = _yes(question)
            yield inputs


def _yes(question: RequireUserConfirmEvent) -> UserConfirmResultEvent:
    results = [ConfirmResult(confirmed=True, tool_call=call, rules=None) for call in question.tool_calls]
    return UserConfirmResultEvent(reply_id=question.reply_id, confirm_results=results)


async def main() -> None:
    """Run the agent in a fresh folder and write what it emitted beside this file."""
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name))
        lines = [event.model_dump_json() async for event in approved_run(Path(name))]
    target = Path(__file__).with_name("approval.jsonl")
    target.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} events in {os.path.relpath(target)}")


if __name__ == "__main__":
    asyncio.run(main())
