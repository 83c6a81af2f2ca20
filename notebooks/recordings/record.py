"""Records `approval.jsonl` again: python notebooks/recordings/record.py (needs the extra `agentscope`).

The recording is a fact: the log of a run of a real AgentScope agent, with its real pauses. The answer stands where it was
given, as a person would give it.
"""

import asyncio
import tempfile
from pathlib import Path

from desk import desk_agent, fill

from nb_agentscope import wrap

TASK = "Summarise the sales of 2026 and tidy the folder."
TARGET = Path(__file__).with_name("approval.jsonl")
THINKING_TIME_S = 2.0


async def record(folder: Path) -> str:
    """Run the agent in `folder`, approve what it asks for, write the log, and return the last sentence."""
    TARGET.unlink(missing_ok=True)
    run = wrap(desk_agent(folder)).start(TASK, log_to=TARGET)
    async for _ in run.log.follow():
        for call in run.pending:
            await asyncio.sleep(THINKING_TIME_S)
            run.approve(call.tool_call_id, by="user")
    return (await run).get_text_content()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name))
        print(asyncio.run(record(Path(name))))
