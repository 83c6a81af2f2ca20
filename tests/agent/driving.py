"""Runs a scenario through our own agent, with the inputs that the recorded agent was given."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from nb_agentscope import Agent
from nb_agentscope.event import AgentEvent, ReplyStartEvent
from nb_agentscope.message import Msg
from nb_agentscope.model import ScriptedModel
from tests import recorded
from tests.agent.scenarios import Scenario

SYSTEM_PROMPT = "You are Friday."
Item = AgentEvent | list[Msg] | BaseException


@dataclass
class Course:
    """All that happened, in order: events of the agent and the client, given messages, exceptions that left the stream."""

    items: list[Item] = field(default_factory=list)
    agent: Any = None
    model: Any = None

    @property
    def events(self) -> list[AgentEvent]:
        return [item for item in self.items if not isinstance(item, (list, BaseException))]

    @property
    def reply_id(self) -> str:
        return [event.reply_id for event in self.events if isinstance(event, ReplyStartEvent)][-1]


class Silent(ScriptedModel):
    """Says no more after a certain text, and does not end either."""

    def __init__(self, script, *, after, **options):
        super().__init__(script, **options)
        self._after = after

    async def stream(self, *args, **options):
        async for chunk in super().stream(*args, **options):
            yield chunk
            if self._after is not None and chunk.text == self._after:
                await asyncio.Event().wait()


def meta(name: str) -> dict[str, Any]:
    return json.loads((recorded.VECTORS / f"{name}.meta.json").read_text(encoding="utf-8"))


def recorded_course(name: str) -> Course:
    """The recording as the same kind of thing."""
    about, course = meta(name), Course()
    messages = {run["at_line"]: run["messages"] for run in about["runs"] if run["kind"] == "messages"}
    errors = {error["at_line"]: error for error in about["errors_raised"]}
    lines: list[AgentEvent | None] = [*recorded.events(name), None]
    for number, event in enumerate(lines):
        if number in errors:
            course.items.append(
                {"RuntimeError": RuntimeError, "ValueError": ValueError}[errors[number]["type"]](
                    errors[number]["message"]
                )
            )
        if number in messages:
            course.items.append([Msg.model_validate(msg) for msg in messages[number]])
        if event is not None:
            course.items.append(event)
    return course


async def drive(name: str, given: Scenario) -> Course:
    """Give our agent what the recorded one was given, run after run."""
    options: dict[str, Any] = {"hints": (), **given.options}
    model = Silent(given.script, after=given.cancel_after, name="scripted-model", chunk_size=0)
    agent = Agent("Friday", SYSTEM_PROMPT, model, given.tools, **options)
    course, lines = Course(agent=agent, model=model), recorded.events(name)
    for run in meta(name)["runs"]:
        inputs: Any
        if run["kind"] == "messages":
            inputs = [Msg.model_validate(msg) for msg in run["messages"]]
        else:
            inputs = lines[run["at_line"]].model_copy(update={"reply_id": course.reply_id}, deep=True)
        course.items.append(inputs)
        await asyncio.create_task(_one_run(course, given, inputs))
    return course


async def _one_run(course: Course, given: Scenario, inputs: Any) -> None:
    task = asyncio.current_task()
    assert task is not None
    schema = {"structured_schema": given.structured_schema} if given.structured_schema else {}
    try:
        async for event in course.agent.reply_stream(inputs, **schema):
            course.items.append(event.model_copy(deep=True))
            if given.cancel_after is not None and getattr(event, "delta", None) == given.cancel_after:
                task.cancel()
    except (RuntimeError, ValueError) as error:
        course.items.append(error)
