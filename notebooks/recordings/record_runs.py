"""Records `runs/*.jsonl` again: python notebooks/recordings/record_runs.py (about 40 seconds).

Four letters, each answered twice by our own `Agent`: before and after a cache for prompts was switched on. The letters of a group
are answered at the same time. Time is real; model, tools and the people who answer are scripted. No file is
edited by hand.
"""

import asyncio
from pathlib import Path

from helpdesk import Letter, helpdesk, letters

from nb_agentscope import Run

RUNS = Path(__file__).with_name("runs")
GROUPS = {"before": False, "after": True}
"""Name of the group, and whether there is a cache."""
QUICKER = 0.8
"""People know the questions when the same letters come again."""


async def answered(run: Run, letter: Letter, patience: float) -> None:
    """Answer the run's questions in their order, each after its time, until the run ends."""
    answers = iter(zip(letter.answers, letter.waits_s, strict=True))
    async for _ in run.log.follow():
        for call in run.pending:
            answer, wait_s = next(answers)
            await asyncio.sleep(wait_s * patience)
            answer(run, call.tool_call_id)


async def record(group: str, number: int, letter: Letter) -> None:
    """Answer one letter, and write its log."""
    cached = GROUPS[group]
    run = helpdesk(letter, cached=cached, seed=number + 10 * cached).start(letter.text, log_to=False)
    await answered(run, letter, QUICKER if cached else 1.0)
    path = RUNS / f"{group}-{number}.jsonl"
    run.log.save(path)
    print(path.name, f"{run.elapsed_s:.1f} s", run.error or "completed")


async def main() -> None:
    """Both groups, one after the other."""
    RUNS.mkdir(exist_ok=True)
    for group, cached in GROUPS.items():
        todo = letters(server_fails=not cached)
        await asyncio.gather(*(record(group, number, letter) for number, letter in enumerate(todo, 1)))


if __name__ == "__main__":
    asyncio.run(main())
