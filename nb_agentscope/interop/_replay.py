"""An agent that says what another one said: for demos, and for tests of views."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nb_agentscope._common import now
from nb_agentscope.event import AgentEvent
from nb_agentscope.interop._playback import Playback
from nb_agentscope.interop._recording import Answer, RecordedReply, read_recording
from nb_agentscope.run import Inputs, Run, start
from nb_agentscope.stream import EventLog

if TYPE_CHECKING:
    from nb_agentscope.widget import AgentWidget

Sleep = Callable[[float], Awaitable[Any]]


class ReplayAgent:
    """Replays a recording with its real pacing, and stops where it took a person's answer.

    Each start plays the next reply of the recording, after the last one the first again. Where the recording has an answer of a
    person (a decision, an external result), the stream parks as a live one does, and goes on when the answers to the same calls
    have come: the person's take the place of the recorded ones. An external result that is submitted replaces the recorded one.

    A recording cannot know what would have happened otherwise. If a person approves what was denied, or the other way round, the
    call gets a result `denied` with a sentence that says so, and the reply ends `interrupted`. If a call runs with other
    arguments than recorded, a CUSTOM event `nb_agentscope.note` says that the result belongs to the recorded ones.

    Ids stay as recorded in the first round; from the second round on event and reply ids get a suffix, so that one log can hold
    both. Times are those of the replay (`restamp`), because decisions and stops are made now.

    Args:
        source: Path of a log or a plain AgentScope stream, an EventLog, or events.
        speed: 2 plays twice as fast; `float("inf")` without pauses.
        min_delay_s: Least pause before each event, in seconds.
        max_gap_s: Longest pause, in seconds.
        restamp: Give events the time at which they are replayed; False keeps `created_at` as recorded.
        sleep: What waits; for tests.

    Raises:
        ValueError: The recording has no reply, or `speed` is not above 0.
    """

    def __init__(
        self,
        source: str | Path | EventLog | Iterable[Any],
        speed: float = 1.0,
        *,
        min_delay_s: float = 0.0,
        max_gap_s: float = 2.0,
        restamp: bool = True,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be above 0, got {speed!r}.")
        self._replies = read_recording(source)
        self._speed = speed
        self._min_delay_s = min_delay_s
        self._max_gap_s = max_gap_s
        self._restamp = restamp
        self._sleep = sleep
        self._started = 0
        self._playback: Playback | None = None
        first = self._replies[0].steps[0].event
        self.name = str(getattr(first, "name", "replay"))

    async def reply_stream(self, inputs: Any = None) -> AsyncIterator[AgentEvent]:
        """Yield the events of the next reply, or go on with the parked one when `inputs` is an answer."""
        answer = inputs if isinstance(inputs, Answer) else None
        if answer is not None:
            if self._playback is None:
                raise ValueError("This replay waits for no answer; start a reply with a message.")
        else:
            self._playback = self._next_playback()
        playback = self._playback
        try:
            events = playback.play(answer)
            for event, pause_s in events:
                await self._pause(pause_s)
                yield playback.passed(self._stamped(event))
        except asyncio.CancelledError:
            for event in playback.end_now():
                yield playback.passed(event)
        if playback.over:
            self._playback = None

    def start(self, msg: str | Inputs = None, **options: Any) -> Run:
        """Start the next reply without a view; `msg` defaults to the recorded input, `options` are those of `Run`."""
        given = msg if msg is not None else list(self._upcoming().messages) or None
        return start(self, given, owner=self, **{"name": self.name} | options)

    def widget(self, msg: str | Inputs = None, **options: Any) -> AgentWidget:
        """Start the next reply and give the widget that shows it."""
        from nb_agentscope.widget import show

        return show(self.start, msg, **options)

    def _upcoming(self) -> RecordedReply:
        return self._replies[self._started % len(self._replies)]

    def _next_playback(self) -> Playback:
        turn = self._started // len(self._replies)
        playback = Playback(self._upcoming().steps, f"~{turn + 1}" if turn else "")
        self._started += 1
        return playback

    async def _pause(self, recorded_s: float) -> None:
        pause_s = max(self._min_delay_s, min(recorded_s / self._speed, self._max_gap_s))
        if pause_s > 0:
            await self._sleep(pause_s)

    def _stamped(self, event: AgentEvent) -> AgentEvent:
        return event.model_copy(update={"created_at": now()}) if self._restamp else event
