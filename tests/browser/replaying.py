"""A recorded run that stands still where a picture is wanted."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from nb_agentscope.event import AgentEvent, UserConfirmResultEvent
from nb_agentscope.stream import EventLog
from tests.browser.fakes import Gates

RECORDING = Path(__file__).resolve().parents[2] / "notebooks" / "recordings" / "approval.jsonl"


class PausedReplay:
    """Replays the recorded approval without pauses up to event `pause_at`, waits at gate `more`, and goes on or fails.

    Args:
        folder: Where the gate is.
        pause_at: Number of events before the gate; None for no gate.
        fail: Whether an exception follows the gate.
    """

    name = "Friday"

    def __init__(self, folder: str, pause_at: int | None = None, *, fail: bool = False) -> None:
        self.gates = Gates(folder)
        self._events = [
            event for event in EventLog.load(RECORDING) if not str(getattr(event, "name", "")).startswith("nb_")
        ]
        self._pause_at = pause_at
        self._fail = fail

    async def reply_stream(self, inputs: Any) -> AsyncIterator[AgentEvent]:
        """Yield the events up to the person's answer, or those after it."""
        answer = next(i for i, event in enumerate(self._events) if isinstance(event, UserConfirmResultEvent))
        resumed = isinstance(inputs, UserConfirmResultEvent)
        first, last = (answer + 1, len(self._events)) if resumed else (0, answer)
        for index in range(first, last):
            if index == self._pause_at:
                await self.gates.passing("more")
                if self._fail:
                    raise ConnectionError("The model service answered 529: overloaded, try again in a minute.")
            yield self._events[index]
