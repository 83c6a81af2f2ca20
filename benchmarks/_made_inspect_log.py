"""A log of inspect_ai's own format for benchmarks: samples as long as a reply, of mostly the smallest events it knows."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from inspect_ai import event as ev
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage

BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
SAMPLE = 1_000
"""Events of a sample."""
CALL = 250
"""Events up to the next model call with its tool."""


def write(path: Path, events: int) -> None:
    """Write a log of so many events."""
    samples = [
        sample(number, range(start, min(start + SAMPLE, events)))
        for number, start in enumerate(range(0, events, SAMPLE))
    ]
    spec = EvalSpec(
        created=BEGIN.isoformat(), task="made", dataset=EvalDataset(), model="large-2026-01", config=EvalConfig()
    )
    write_eval_log(EvalLog(eval=spec, status="success", samples=samples), str(path))


def sample(number: int, places: range) -> EvalSample:
    return EvalSample(id=number, epoch=1, input="Tidy up.", target="", events=[event(place) for place in places])


def event(place: int) -> Any:
    when: dict[str, Any] = {"timestamp": BEGIN + timedelta(milliseconds=20 * place), "working_start": 0.02 * place}
    if place % CALL == 0:
        output = ModelOutput.from_content("large-2026-01", "The sales of region north grew by 12 %.")
        output.usage = ModelUsage(input_tokens=9000, output_tokens=400, total_tokens=9400)
        return ev.ModelEvent(
            **when, model=output.model, input=[], tools=[], tool_choice="auto", config=GenerateConfig(), output=output
        )
    if place % CALL == 1:
        arguments = {"path": "sales/2026.csv", "columns": ["region", "total"]}
        return ev.ToolEvent(
            **when, id=f"call_{place:024x}", function="read_rows", arguments=arguments, result="north,1200"
        )
    return ev.InfoEvent(**when, source="model", data={"block_id": f"{place // CALL:032x}", "delta": " sales"})
